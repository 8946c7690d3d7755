import { describe, expect, test } from "vitest";
import { cidrsOverlap } from "./cidr.ts";
import { parseVpcCidr } from "./vpcs.ts";

describe("the range of a VPC", () => {
  test.each(["10.50.0.0/16", "172.31.255.240/28", "192.168.4.0/24", "100.64.0.0/16"])("can be %s", (cidr) => {
    expect(parseVpcCidr(cidr)).toEqual({ kind: "cidr", cidr });
  });

  test.each([
    ["10.50.0.1/16", "write 10.50.0.0/16"],
    ["10.0.0.0/8", "from /16 to /28"],
    ["10.50.0.0/29", "from /16 to /28"],
    ["10.50.0.0", "from /16 to /28"],
    ["192.0.2.0/24", "172.16.0.0/12"],
    ["172.32.0.0/16", "no private range"],
    ["fd00::/64", "no IPv4 range"],
    ["somewhere", "no range of addresses"],
  ])("cannot be %s, and it is said why", (cidr, why) => {
    expect(parseVpcCidr(cidr)).toEqual({ kind: "refused", message: expect.stringContaining(why) });
  });
});

test.each([
  ["10.0.0.0/8", "10.50.0.0/16", true],
  ["10.50.0.0/16", "10.0.0.0/8", true],
  ["10.50.0.0/24", "10.50.1.0/24", false],
  ["10.50.0.0/24", "10.50.0.0/24", true],
  ["10.50.0.0/24", "::/0", false],
  ["0.0.0.0/0", "10.50.0.0/24", true],
])("%s and %s have addresses in common: %s", (a, b, expected) => {
  expect(cidrsOverlap(a, b)).toBe(expected);
});
