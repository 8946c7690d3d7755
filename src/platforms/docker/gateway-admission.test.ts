import { describe, expect, it } from "vitest";
import { admissionFor } from "./gateway-admission.ts";

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
