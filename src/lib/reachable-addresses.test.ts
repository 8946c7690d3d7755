import { expect, test } from "vitest";
import { reachableAddresses } from "./reachable-addresses.ts";

const nobody = () => [];

test.each([
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "100.127.255.255",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.8",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.7",
  "203.0.113.9",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::127.0.0.1",
  "::8.8.8.8",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "0:0:0:0:0:ffff:a9fe:a9fe",
  "::ffff:10.0.0.1",
  "64:ff9b::127.0.0.1",
  "64:ff9b::a00:1",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:0:4136:e378::1",
  "2001:db8::1",
  "2002:7f00:1::1",
  "2002:a9fe:a9fe::",
  "2002:c0a8:101::1",
  "3fff::1",
  "5f00::1",
  "fc00::1",
  "fd12:3456::1",
  "fe80::1",
  "fec0::1",
  "ff02::1",
  "no address",
  "",
])("%s is out of reach", (address) => {
  expect(reachableAddresses([], nobody).includes(address)).toBe(false);
});

test.each([
  "8.8.8.8",
  "100.63.255.255",
  "172.32.0.1",
  "192.0.1.1",
  "223.255.255.255",
  "2606:4700::1111",
  "2a00:1450::1",
  "::ffff:8.8.8.8",
  "64:ff9b::8.8.8.8",
  "2002:808:808::1",
])("%s is public", (address) => {
  expect(reachableAddresses([], nobody).includes(address)).toBe(true);
});

test("this machine's own addresses are out of reach, public ones too", () => {
  const reachable = reachableAddresses([], () => ["8.8.8.8"]);
  expect(reachable.includes("8.8.8.8")).toBe(false);
  expect(reachable.includes("::ffff:8.8.8.8")).toBe(false);
  expect(reachable.includes("8.8.4.4")).toBe(true);
});

test("what an operator allows is in reach, also where it is this machine, and in its other form", () => {
  const reachable = reachableAddresses(["127.0.0.0/8", "fd00::/8"], () => ["127.0.0.1"]);
  expect(reachable.isAllowed("127.0.0.1")).toBe(true);
  expect(reachable.includes("127.0.0.1")).toBe(true);
  expect(reachable.includes("::ffff:127.0.0.1")).toBe(true);
  expect(reachable.includes("fd00::1")).toBe(true);
  expect(reachable.includes("10.0.0.1")).toBe(false);
  expect(reachable.isAllowed("8.8.8.8")).toBe(false);
});
