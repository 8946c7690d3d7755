import { expect, test } from "vitest";
import { parseVpcCidr } from "../../../../src/contract/vpcs.ts";
import { addressesOf, proposeCidr } from "./propose-cidr.ts";

test("a range that overlaps with no other is proposed, and the API would read it", () => {
  expect(proposeCidr([])).toBe("10.50.0.0/24");
  const next = proposeCidr(["10.50.0.0/16", "10.51.0.128/25", "192.168.0.0/24"]);
  expect(next).toBe("10.52.0.0/24");
  expect(parseVpcCidr(next)).toMatchObject({ kind: "cidr" });
  expect(proposeCidr(["10.0.0.0/8"])).toBe("");
});

test("the size of a range is told in addresses", () => {
  expect([addressesOf("10.50.0.0/24"), addressesOf("10.50.0.0/16")]).toEqual([
    "256 addresses",
    "65,536 addresses",
  ]);
});
