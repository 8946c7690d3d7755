import { cidrsOverlap } from "../contract/cidr.ts";

/** Whether an allow-list has the address that a request came from. Programs of the host count as 127.0.0.1, as at the gateway. */
export function admits(allowList: readonly string[], address: string): boolean {
  const plain = withoutMapping(address);
  const candidates = plain === "::1" ? [plain, "127.0.0.1"] : [plain];
  return allowList.some((cidr) => candidates.some((one) => cidrsOverlap(cidr, one)));
}

/** A socket for both families writes IPv4 addresses as `::ffff:192.0.2.1`; link-local ones end in `%` and an interface. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "").replace(/%.*$/, "");
}
