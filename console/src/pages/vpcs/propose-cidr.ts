/** A range for a new VPC that no other VPC has. Whether the machine uses it is known to the API alone. Pure. */
import { cidrsOverlap } from "../../../../src/contract/cidr.ts";

const FIRST = 50;

export function proposeCidr(taken: readonly string[]): string {
  const ranges = Array.from({ length: 256 - FIRST }, (_, index) => `10.${FIRST + index}.0.0/24`);
  const free = ranges.find((range) => !taken.some((other) => cidrsOverlap(range, other)));
  return free ?? "";
}

/** How many addresses it has: "256 addresses". */
export function addressesOf(cidr: string): string {
  const bits = Number(cidr.split("/")[1]);
  return `${(2 ** (32 - bits)).toLocaleString("en")} addresses`;
}
