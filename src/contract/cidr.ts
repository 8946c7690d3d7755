/** Ranges of addresses as clients write them, IPv4 and IPv6. Pure, and the same in a browser. */

/** What a service lets in where nothing else was asked for. */
export const EVERY_ADDRESS: readonly string[] = ["0.0.0.0/0", "::/0"];

export type CidrChoice =
  | { readonly kind: "cidr"; readonly cidr: string }
  | { readonly kind: "refused"; readonly message: string };

/** Reads one range, or one address as the range of itself; `2001:DB8:0::1` becomes `2001:db8::1/128`. */
export function parseCidr(text: string): CidrChoice {
  const [address = "", bits, ...more] = text.split("/");
  const parsed = parseIpv4(address) ?? parseIpv6(address);
  const size = bits === undefined ? parsed?.width : /^\d{1,3}$/.test(bits) ? Number(bits) : undefined;
  if (!parsed || size === undefined || size > parsed.width || more.length > 0) {
    return {
      kind: "refused",
      message: `${JSON.stringify(text)} is no range of addresses; write it such as 192.0.2.0/24 or 2001:db8::/32`,
    };
  }
  const hostBits = BigInt(parsed.width - size);
  const network = (parsed.value >> hostBits) << hostBits;
  const cidr = `${parsed.write(network)}/${size}`;
  if (network === parsed.value) return { kind: "cidr", cidr };
  return {
    kind: "refused",
    message: `${JSON.stringify(text)} is an address inside a range; write ${cidr} for the range, or ${parsed.write(parsed.value)} for the address`,
  };
}

/** Whether two ranges in canonical form have an address in common. */
export function cidrsOverlap(a: string, b: string): boolean {
  const [one, other] = [rangeOf(a), rangeOf(b)];
  return (
    one !== null &&
    other !== null &&
    one.width === other.width &&
    one.first <= other.last &&
    other.first <= one.last
  );
}

function rangeOf(cidr: string): { width: number; first: bigint; last: bigint } | null {
  const [text = "", bits = ""] = cidr.split("/");
  const address = parseIpv4(text) ?? parseIpv6(text);
  if (!address) return null;
  const size = 1n << BigInt(address.width - Number(bits || address.width));
  return { width: address.width, first: address.value, last: address.value + size - 1n };
}

interface Address {
  readonly width: 32 | 128;
  readonly value: bigint;
  readonly write: (value: bigint) => string;
}

function parseIpv4(text: string): Address | null {
  const octets = text.split(".");
  if (
    octets.length !== 4 ||
    !octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) <= 255)
  )
    return null;
  return { width: 32, value: fromParts(octets.map(Number), 8n), write: writeIpv4 };
}

function writeIpv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".");
}

function parseIpv6(text: string): Address | null {
  if (!/^[\da-fA-F:.]+$/.test(text) || !text.includes(":")) return null;
  try {
    return { width: 128, value: fromParts(groupsOf(canonical(text)), 16n), write: writeIpv6 };
  } catch {
    return null;
  }
}

function writeIpv6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => (value >> BigInt(112 - 16 * index)) & 0xffffn);
  return canonical(groups.map((group) => group.toString(16)).join(":"));
}

/** As RFC 5952 recommends; URLs are written so. Throws where it is no address. */
function canonical(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/** All eight groups of an address in canonical form. */
function groupsOf(address: string): number[] {
  const [before = "", after] = address.split("::");
  const groups = (half: string) =>
    half === "" ? [] : half.split(":").map((group) => Number.parseInt(group, 16));
  const first = groups(before);
  const last = after === undefined ? [] : groups(after);
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

function fromParts(parts: readonly number[], bits: bigint): bigint {
  return parts.reduce((value, part) => (value << bits) | BigInt(part), 0n);
}
