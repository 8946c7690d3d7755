import { describe, expect, it } from "vitest";
import { admissionFor, readTold } from "./gateway-admission.ts";

const surroundings = { bindHost: "0.0.0.0", bridge: "10.213.0.1", pooler: "10.213.0.4" };
const admitted = (allowList: readonly string[], changes: Partial<typeof surroundings> = {}) =>
  admissionFor({ ...surroundings, ...changes, allowList }).admitted;

it("tells the whole of what follows from a list, in the list's own order", () => {
  const allowList = ["2001:db8::/32", "192.0.2.0/24"];
  expect(admissionFor({ ...surroundings, allowList })).toEqual({
    list: allowList,
    admitted: {
      "0.0.0.0/0": "no",
      "::/0": "no",
      "2001:db8::/32": "yes",
      "192.0.2.0/24": "yes",
      "10.213.0.1/32": "no",
      "10.213.0.4/32": "yes",
    },
  });
});

it("lets in the pooler where nobody else may come", () => {
  const expected = { "0.0.0.0/0": "no", "::/0": "no", "10.213.0.1/32": "no", "10.213.0.4/32": "yes" };
  expect(admitted([])).toEqual(expected);
});

it("keeps one address family out where only the other may come", () => {
  expect(admitted(["::/0"])).toMatchObject({ "0.0.0.0/0": "no", "::/0": "yes" });
  expect(admitted(["0.0.0.0/0"])).toMatchObject({ "0.0.0.0/0": "yes", "::/0": "no" });
});

it("reads IPv4 ranges that are written as IPv6", () => {
  expect(admitted(["::ffff:c000:200/120"])).toMatchObject({ "192.0.2.0/24": "yes" });
  expect(admitted(["::ffff:7f00:1/128"])).toMatchObject({ "127.0.0.1/32": "yes", "10.213.0.1/32": "yes" });
  expect(admitted(["::ffff:0:0/96"])).toMatchObject({ "0.0.0.0/0": "yes", "::/0": "no" });
});

describe("connections whose address the engine's proxy hides", () => {
  const hidden = (allowList: readonly string[], bindHost: string) =>
    admitted(allowList, { bindHost })["10.213.0.1/32"];

  it("count as 127.0.0.1", () => {
    for (const cidr of ["127.0.0.1/32", "127.0.0.0/8", "0.0.0.0/0"]) {
      expect(hidden([cidr], "127.0.0.1")).toBe("yes");
    }
    for (const cidr of ["127.0.0.2/32", "192.0.2.0/24", "::/0", "::1/128"]) {
      expect(hidden([cidr], "127.0.0.1")).toBe("no");
    }
  });

  it("are not let in by a range that happens to hold the bridge's address", () => {
    expect(hidden(["10.0.0.0/8"], "0.0.0.0")).toBe("no");
    expect(hidden(["10.213.0.1/32"], "0.0.0.0")).toBe("no");
  });

  it("are let in behind an IPv6 address only where everybody is", () => {
    expect(hidden(["127.0.0.1/32", "::1/128"], "::")).toBe("no");
    expect(hidden(["::/0"], "::1")).toBe("no");
    expect(hidden(["0.0.0.0/0", "::/0"], "::")).toBe("yes");
  });
});

describe("who comes from a VPC", () => {
  const inVpc = (allowList: readonly string[]) =>
    admissionFor({ ...surroundings, allowList, vpcRanges: ["10.50.0.0/24"] });

  it("is let in whatever the list says, but for the host behind the VPC's bridge", () => {
    expect(inVpc([]).admitted).toMatchObject({
      "0.0.0.0/0": "no",
      "10.50.0.0/24": "yes",
      "10.50.0.1/32": "no",
      "10.213.0.1/32": "no",
    });
    expect(inVpc(["127.0.0.1/32"]).admitted).toMatchObject({ "10.50.0.0/24": "yes", "10.50.0.1/32": "yes" });
  });

  it("is told beside the list, and read apart from it", () => {
    const { list } = inVpc(["192.0.2.0/24"]);
    expect(readTold(list)).toEqual({ allowList: ["192.0.2.0/24"], vpcRanges: ["10.50.0.0/24"] });
    expect(readTold(admissionFor({ ...surroundings, allowList: ["::/0"] }).list)).toEqual({
      allowList: ["::/0"],
      vpcRanges: [],
    });
  });

  it("counts as a stranger again once that has ended", () => {
    expect(admissionFor({ ...surroundings, allowList: [] }).admitted).not.toHaveProperty("10.50.0.0/24");
  });
});
