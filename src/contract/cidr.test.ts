import { expect, test } from "vitest";
import { parseCidr } from "./cidr.ts";

test.each([
  ["10.0.0.0/8", "10.0.0.0/8"],
  ["192.0.2.7", "192.0.2.7/32"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["::/0", "::/0"],
  ["2001:DB8:0:0::/32", "2001:db8::/32"],
  ["2001:db8::1", "2001:db8::1/128"],
  ["fe80::1:2:3:4:5:6:7", null],
  ["::ffff:192.0.2.1", "::ffff:c000:201/128"],
  ["ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128"],
])("%s is read as %s", (text, cidr) => {
  const choice = parseCidr(text);
  expect(choice.kind === "cidr" ? choice.cidr : null).toBe(cidr);
});

test.each([
  "",
  "10.0.0.0/33",
  "10.0.0/8",
  "10.0.0.256",
  "010.0.0.1",
  "10.0.0.0/8/8",
  "10.0.0.0/",
  "10.0.0.0/-1",
  "::/129",
  "example.org",
  "1::2::3",
  "[::1]",
  "::1]/path",
  "10.0.0.0/1e1",
  " 10.0.0.0/8",
])("%j is refused, with what would be accepted", (text) => {
  expect(parseCidr(text)).toMatchObject({
    kind: "refused",
    message: expect.stringContaining("192.0.2.0/24"),
  });
});

test("an address inside a range is refused with both things that may have been meant", () => {
  expect(parseCidr("10.1.2.3/8")).toMatchObject({
    kind: "refused",
    message:
      '"10.1.2.3/8" is an address inside a range; write 10.0.0.0/8 for the range, or 10.1.2.3 for the address',
  });
});
