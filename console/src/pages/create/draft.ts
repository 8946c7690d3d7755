/** What somebody is about to create, and what that means. Pure. */
import type { RegionRecord } from "../../../../src/client/index.ts";
import type { CreateServiceBody } from "../../../../src/contract/requests.ts";
import type { Environment } from "../../../../src/contract/service.ts";

export type Addon = "time-series" | "ai";

/** A size by the text that stands for it in a form: "shared", or "500/2". */
export type SizeId = string;
export const SHARED = "shared";

export interface Draft {
  readonly name: string;
  readonly addons: readonly Addon[];
  /** null: the region with the most room. */
  readonly region: string | null;
  readonly size: SizeId;
  readonly replicas: number;
  readonly synchronous: number;
  readonly environment: Environment;
}

export interface SizeChoice {
  readonly id: SizeId;
  readonly cpuMillis: number | null;
  readonly memoryGbs: number;
  /** How many members of it still fit. */
  readonly membersLeft: number;
  readonly settings: RegionRecord["shared"]["settings"];
}

/** The region that is meant; where none was chosen, the first that has room. */
export function regionOf(regions: readonly RegionRecord[], code: string | null): RegionRecord | null {
  const chosen = regions.find((region) => region.code === code);
  return chosen ?? regions.find(({ available }) => available) ?? regions[0] ?? null;
}

/** Smallest first. */
export function sizesOf({ shared, sizes }: RegionRecord): readonly SizeChoice[] {
  return [
    {
      id: SHARED,
      cpuMillis: null,
      memoryGbs: shared.memory_gbs,
      membersLeft: shared.members_left,
      settings: shared.settings,
    },
    ...sizes.map(({ cpu_millis, memory_gbs, members_left, settings }) => ({
      id: `${cpu_millis}/${memory_gbs}`,
      cpuMillis: cpu_millis,
      memoryGbs: memory_gbs,
      membersLeft: members_left,
      settings,
    })),
  ];
}

/** What a create without a size gives; where that has no room, the largest below it that has. */
export function usualSize(region: RegionRecord): SizeId {
  const { cpu_millis, memory_gbs } = region.default_size;
  const usual = cpu_millis === undefined ? SHARED : `${cpu_millis}/${memory_gbs}`;
  const sizes = sizesOf(region);
  const place = sizes.findIndex(({ id }) => id === usual);
  return sizes.slice(0, place + 1).findLast(({ membersLeft }) => membersLeft > 0)?.id ?? usual;
}

/** How many replicas there can be of a size; -1: not even a primary has room. */
export function mostReplicas(region: RegionRecord, size: SizeChoice): number {
  return Math.min(region.most_replicas, size.membersLeft - 1);
}

/** What is sent. A synchronous replica is asked for in a second request. */
export function createBody(draft: Draft): CreateServiceBody {
  const { name, addons, region, size, replicas, environment } = draft;
  const [cpu = SHARED, memory = SHARED] = size.split("/");
  return {
    name,
    addons: [...addons],
    cpu_millis: cpu,
    memory_gbs: memory,
    environment_tag: environment,
    ...(region === null ? {} : { region_code: region }),
    ...(replicas === 0 ? {} : { replica_count: replicas }),
  };
}

/** The type that the add-ons make. */
export function typeOf(addons: readonly Addon[]): string {
  if (addons.includes("time-series")) return "TIMESERIESDB";
  return addons.includes("ai") ? "VECTOR" : "POSTGRES";
}

/** The same for whoever would rather type. */
export function commandLine(draft: Draft): string {
  const { name, addons, region, size, replicas, synchronous, environment } = draft;
  const [cpu = SHARED, memory] = size.split("/");
  const create = [
    "howdah service create",
    quoted(name),
    `--addons ${addons.length === 0 ? "none" : addons.join(",")}`,
    `--cpu ${cpu}`,
    ...(memory === undefined ? [] : [`--memory ${memory}`]),
    ...(replicas === 0 ? [] : [`--replicas ${replicas}`]),
    `--environment ${environment}`,
    ...(region === null ? [] : [`--region ${quoted(region)}`]),
  ].join(" ");
  return synchronous === 0 ? create : `${create}\nhowdah service ha ${quoted(name)} --sync ${synchronous}`;
}

function quoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
