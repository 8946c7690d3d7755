import { networkInterfaces } from "node:os";
import type Docker from "dockerode";
import { Type } from "typebox";
import { Value } from "typebox/value";
import type { ReadSource, UsedRange } from "../platform.ts";
import { statusCode } from "./container.ts";
import type { EngineContext } from "./context.ts";

/**
 * A network of its own for each service: a /24 out of 10.213.0.0/16 to 10.220.0.0/16, with fixed places in it, so
 * that a member keeps its address over restarts and nothing has to be resolved by name to find it.
 */
const POOL_FIRST_OCTET = 213;
const POOL_OCTETS = 8;
const SUBNETS_PER_OCTET = 256;
const SUBNET_SIZE = 256;
const TRIES = 16;

/** No VPC may overlap with the ranges that services get theirs from. */
export const SERVICE_POOL: readonly UsedRange[] = Array.from({ length: POOL_OCTETS }, (_, index) => ({
  cidr: `10.${POOL_FIRST_OCTET + index}.0.0/16`,
  usedBy: "the networks of services",
}));

/** How many forks of one service may be copied at a time. */
export const COPIERS = 9;

const PLACES = { bridge: 1, etcd: 2, gateway: 3, pooler: 4, firstMember: 10, firstCopier: 22 } as const;

/** Those who read from the service stand in its network, in rows of places: a gateway, a pooler, and their members. */
const READERS = { first: 32, size: 16, row: { gateway: 0, pooler: 1, firstMember: 2 } } as const;

export interface ServiceNetwork {
  readonly name: string;
  /** The first three octets and the base of the fourth. */
  readonly addressOf: (place: keyof typeof PLACES, ordinal?: number) => string;
}

export interface FoundNetwork extends ServiceNetwork {
  /** The names of the containers that run in it. */
  readonly attached: ReadonlySet<string>;
  /** Their addresses. */
  readonly taken: ReadonlySet<string>;
}

interface Inhabitant {
  readonly serviceId: string;
  readonly readsFrom: ReadSource | null;
}

/**
 * Where a service stands: in its own network, or in that of the service it reads from. null where that is not there, or was
 * made when such networks had no places for readers.
 */
export function findGround(
  { docker, names }: EngineContext,
  { serviceId, readsFrom }: Inhabitant,
): Promise<FoundNetwork | null> {
  return findNetwork(docker, names.network(readsFrom?.serviceId ?? serviceId), readsFrom?.place ?? null);
}

/** null where there is none. @param readPlace the row of a reader; null: the places are those of the service itself */
export async function findNetwork(
  docker: Docker,
  name: string,
  readPlace: number | null = null,
): Promise<FoundNetwork | null> {
  try {
    const found = await docker.getNetwork(name).inspect();
    const subnet = firstSubnet(found);
    if (!subnet || !hasPlace(subnet, readPlace)) return null;
    const containers: unknown = found.Containers ?? {};
    const endpoints = endpointsIn(containers);
    return {
      ...networkOf(name, subnet, readPlace),
      attached: new Set(endpoints.map(({ Name }) => Name)),
      taken: new Set(endpoints.map(({ IPv4Address }) => IPv4Address.split("/")[0] ?? "")),
    };
  } catch (error) {
    if (statusCode(error) === 404) return null;
    throw error;
  }
}

export async function ensureNetwork(
  context: EngineContext,
  name: string,
  labels: Record<string, string>,
): Promise<ServiceNetwork> {
  const { docker } = context;
  const found = await findNetwork(docker, name);
  if (found) return found;
  const taken = await takenRanges(docker);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const subnet = freeSubnet(taken);
    try {
      await docker.createNetwork({
        Name: name,
        Driver: "bridge",
        CheckDuplicate: true,
        IPAM: { Driver: "default", Config: [{ Subnet: subnet }] },
        Labels: labels,
      });
      return networkOf(name, subnet);
    } catch (error) {
      // Another installation on the same engine may have taken the range, or an earlier try of ours the name.
      if (statusCode(error) === 409) {
        const now = await findNetwork(docker, name);
        if (now) return now;
      } else if (!(error instanceof Error && /overlap/i.test(error.message))) throw error;
      taken.push(rangeOf(subnet));
    }
  }
  throw new Error(`no free address range for network ${name} after ${TRIES} tries`);
}

export function networkOf(name: string, subnet: string, readPlace: number | null = null): ServiceNetwork {
  const base = toNumber(subnet.split("/")[0] ?? "");
  const places: Record<keyof typeof PLACES, number> =
    readPlace === null ? PLACES : { ...PLACES, ...rowOf(readPlace) };
  return { name, addressOf: (place, ordinal = 0) => toAddress(base + places[place] + ordinal) };
}

function rowOf(readPlace: number) {
  const first = READERS.first + readPlace * READERS.size;
  const { gateway, pooler, firstMember } = READERS.row;
  return { gateway: first + gateway, pooler: first + pooler, firstMember: first + firstMember };
}

function hasPlace(subnet: string, readPlace: number | null): boolean {
  const { first, last } = rangeOf(subnet);
  return readPlace === null || rowOf(readPlace).gateway + READERS.size <= last - first + 1;
}

interface Range {
  readonly first: number;
  readonly last: number;
}

/** What the engine's networks and the host's own interfaces use. */
async function takenRanges(docker: Docker): Promise<Range[]> {
  const networks = await docker.listNetworks();
  const ofEngine = networks.map(firstSubnet).filter((subnet) => subnet !== null);
  return [...ofEngine, ...hostRanges().map(({ cidr }) => cidr)].map(rangeOf);
}

/** What the host's own interfaces stand in, in canonical form. */
export function hostRanges(): readonly UsedRange[] {
  return Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
    (addresses ?? []).flatMap(({ family, cidr }) =>
      family === "IPv4" && cidr
        ? [{ cidr: canonicalCidr(cidr), usedBy: `the host's interface ${name}` }]
        : [],
    ),
  );
}

/** The names of the containers that run in a network. */
export async function containersIn(docker: Docker, name: string): Promise<readonly string[]> {
  return [...((await findNetwork(docker, name))?.attached ?? [])].toSorted();
}

export function freeSubnet(taken: readonly Range[]): string {
  for (let index = 0; index < POOL_OCTETS * SUBNETS_PER_OCTET; index += 1) {
    const octet = POOL_FIRST_OCTET + Math.floor(index / SUBNETS_PER_OCTET);
    const first = toNumber(`10.${octet}.0.0`) + (index % SUBNETS_PER_OCTET) * SUBNET_SIZE;
    const last = first + SUBNET_SIZE - 1;
    if (!taken.some((range) => range.first <= last && first <= range.last)) return `${toAddress(first)}/24`;
  }
  throw new Error("every address range for services is taken");
}

export function rangeOf(cidr: string): Range {
  const [address = "", bits = "32"] = cidr.split("/");
  const size = 2 ** (32 - Number(bits));
  const first = Math.floor(toNumber(address) / size) * size;
  return { first, last: first + size - 1 };
}

/** Of an IPv4 range; one of its addresses stands for the whole. */
export function canonicalCidr(cidr: string): string {
  return `${toAddress(rangeOf(cidr).first)}/${cidr.split("/")[1] ?? 32}`;
}

function toNumber(address: string): number {
  return address.split(".").reduce((sum, octet) => sum * 256 + Number(octet), 0);
}

function toAddress(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
}

function firstSubnet(network: Docker.NetworkInspectInfo): string | null {
  return network.IPAM?.Config?.map(({ Subnet }) => Subnet).find((subnet) => subnet?.includes(".")) ?? null;
}

const Endpoints = Type.Record(
  Type.String(),
  Type.Object({ Name: Type.String(), IPv4Address: Type.String() }),
);

function endpointsIn(containers: unknown) {
  return Value.Check(Endpoints, containers) ? Object.values(containers) : [];
}
