/** Who may connect to a service: from the list that was asked for to what the gateway is told. Pure. */
import { BlockList, isIPv4 } from "node:net";

export interface AdmissionRequest {
  /** CIDRs in canonical form. */
  readonly allowList: readonly string[];
  /** Of VPCs in whose networks the gateway stands; left out: none. */
  readonly vpcRanges?: readonly string[];
  /** The host's address on which the endpoint is opened. */
  readonly bindHost: string;
  /** The host's address in the service's network. */
  readonly bridge: string;
  readonly pooler: string;
}

/** As the image's gateway.py reads it. */
export interface Admission {
  readonly list: readonly string[];
  /** Of the ranges around an address the narrowest one decides. There is one around every address. */
  readonly admitted: Readonly<Record<string, "yes" | "no">>;
}

/** Tells the ranges of VPCs from those of the list, in what a gateway repeats. */
const VPC_MARK = "vpc:";

const EVERY_IPV4 = "0.0.0.0/0";
const EVERY_IPV6 = "::/0";

/**
 * The engine opens a port in two ways. Connections from other machines reach the gateway with their own address. Those
 * from the host's loopback and from other containers of the host come through the engine's proxy, and with the
 * bridge's address: they count as 127.0.0.1. Where the endpoint is opened on an IPv6 address, every connection comes
 * through the proxy, so nobody can be told from anybody else: they are let in where everybody is.
 */
export function admissionFor({
  allowList,
  vpcRanges = [],
  bindHost,
  bridge,
  pooler,
}: AdmissionRequest): Admission {
  const ranges = allowList.map(asIpv4);
  const hidden = isIPv4(bindHost)
    ? covers(ranges, "127.0.0.1")
    : ranges.includes(EVERY_IPV4) && ranges.includes(EVERY_IPV6);
  return {
    list: [...allowList, ...vpcRanges.map((cidr) => `${VPC_MARK}${cidr}`)],
    admitted: {
      [EVERY_IPV4]: "no",
      [EVERY_IPV6]: "no",
      ...Object.fromEntries(ranges.map((cidr) => [cidr, "yes"] as const)),
      ...Object.fromEntries(vpcRanges.map((cidr) => [cidr, "yes"] as const)),
      // Whoever comes with a bridge's address is the host itself, or hidden behind it, and in no VPC.
      ...Object.fromEntries(
        [bridge, ...vpcRanges.map(firstAddress)].map(
          (address) => [`${address}/32`, hidden ? "yes" : "no"] as const,
        ),
      ),
      [`${pooler}/32`]: "yes",
    },
  };
}

/** What a gateway tells that it lets in: its list, and after that the ranges of VPCs. */
export function readTold(told: readonly string[]): {
  readonly allowList: readonly string[];
  readonly vpcRanges: readonly string[];
} {
  return {
    allowList: told.filter((entry) => !entry.startsWith(VPC_MARK)),
    vpcRanges: told.flatMap((entry) => (entry.startsWith(VPC_MARK) ? [entry.slice(VPC_MARK.length)] : [])),
  };
}

/** The engine takes it for the bridge, and with it for the host. */
function firstAddress(cidr: string): string {
  const octets = (cidr.split("/")[0] ?? "").split(".").map(Number);
  return octets.with(3, (octets[3] ?? 0) + 1).join(".");
}

function covers(ranges: readonly string[], address: string): boolean {
  const list = new BlockList();
  for (const [network = "", bits] of ranges.map((range) => range.split("/"))) {
    if (isIPv4(network)) list.addSubnet(network, Number(bits), "ipv4");
  }
  return list.check(address);
}

/** IPv4 addresses written as IPv6 ones are what they stand for: `::ffff:c000:200/120` is 192.0.2.0/24. */
function asIpv4(cidr: string): string {
  const [, high, low, bits] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})\/(\d+)$/.exec(cidr) ?? [];
  if (high === undefined || low === undefined || Number(bits) < 96) return cidr;
  const bytes = Buffer.from(high.padStart(4, "0") + low.padStart(4, "0"), "hex");
  return `${bytes.join(".")}/${Number(bits) - 96}`;
}
