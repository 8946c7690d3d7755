/**
 * Which addresses somebody may make this machine connect to: the public internet, what an operator has allowed, and
 * nothing else; not itself, and not the networks that only it can see.
 */
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** https://www.iana.org/assignments/iana-ipv4-special-registry */
const NOT_PUBLIC_IPV4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier-grade NAT
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local, and the metadata of clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // relays of 6to4
  "192.168.0.0/16", // private
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
];

/** Beside these, only global unicast is public; https://www.iana.org/assignments/iana-ipv6-special-registry */
const NOT_PUBLIC_IPV6 = [
  "2001::/23", // protocol assignments: Teredo, ORCHID
  "2001:db8::/32", // documentation
  "3fff::/20", // documentation
];
const GLOBAL_UNICAST = "2000::/3";

/** Ways to write an IPv4 address as one of IPv6: mapped, NAT64. Such an address is as public as the one inside. */
const EMBEDDED = [
  { prefix: "::ffff:", bits: 96 },
  { prefix: "64:ff9b::", bits: 96 },
];

export interface ReachableAddresses {
  /** Public, or allowed. */
  includes(address: string): boolean;
  /** By the operator. */
  isAllowed(address: string): boolean;
  readonly anyAllowed: boolean;
}

/**
 * @param allowed CIDRs, beside what is public
 * @param ownAddresses asked each time, since a machine's addresses change
 */
export function reachableAddresses(
  allowed: readonly string[] = [],
  ownAddresses: () => readonly string[] = addressesOfThisMachine,
): ReachableAddresses {
  const allow = blockList(allowed);
  const isAllowed = (address: string) => contains(allow, address);
  return {
    anyAllowed: allowed.length > 0,
    isAllowed,
    includes: (address) =>
      isAllowed(address) || (isPublic(address) && !contains(own(ownAddresses()), address)),
  };
}

function own(addresses: readonly string[]): BlockList {
  return blockList(addresses.map((address) => `${address}/${isIP(address) === 6 ? 128 : 32}`));
}

function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !contains(NOT_PUBLIC, address);
  if (family !== 6) return false;
  return contains(PUBLIC_FORMS, address) && !contains(NOT_PUBLIC, address);
}

function contains(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? "ipv4" : "ipv6");
}

function blockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", bits = ""] = cidr.split("/");
    if (isIP(address) === 6) list.addSubnet(address, Number(bits), "ipv6");
    else {
      list.addSubnet(address, Number(bits), "ipv4");
      for (const form of EMBEDDED)
        list.addSubnet(`${form.prefix}${address}`, form.bits + Number(bits), "ipv6");
    }
  }
  return list;
}

const NOT_PUBLIC = notPublic();
const PUBLIC_FORMS = blockList([
  GLOBAL_UNICAST,
  ...EMBEDDED.map(({ prefix, bits }) => `${prefix}0.0.0.0/${bits}`),
]);

function notPublic(): BlockList {
  const list = blockList([...NOT_PUBLIC_IPV4, ...NOT_PUBLIC_IPV6]);
  // 6to4 has the IPv4 address in its second and third group.
  for (const cidr of NOT_PUBLIC_IPV4) {
    const [address = "", bits = ""] = cidr.split("/");
    const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
    const groups = [(a << 8) | b, (c << 8) | d].map((group) => group.toString(16)).join(":");
    list.addSubnet(`2002:${groups}::`, 16 + Number(bits), "ipv6");
  }
  return list;
}

function addressesOfThisMachine(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((known) => (known ?? []).map(({ address }) => address));
}
