import type { MetricName, NodeRole } from "../contract/metrics.ts";
import type { Addon } from "../contract/service.ts";
import type { DatabaseAddress } from "../lib/database-address.ts";
import type { LogQuery, MemberLogs } from "../lib/member-logs.ts";
import type { ServiceSecrets } from "../lib/service-secrets.ts";
import type { ObservedService } from "../planner/observed.ts";
import type { Step, StepOutcome } from "../planner/step.ts";

/**
 * Where databases run. A platform reads and changes what really is; it decides nothing, knows no store, and keeps no
 * memory that a restart would lose. Everything it makes is named after the service and labelled, so that any step can
 * be repeated after any interruption.
 *
 * Every method ends within a bound of its own. An exception means that the platform cannot be reached or lies.
 */
export interface Platform {
  /** What the region's hosts have, for the API's promise of room. */
  capacity(): Promise<Capacity>;

  /** What is there of a service now. `absent` and empty for one that nothing is known of. */
  observe(service: ServiceIdentity): Promise<ObservedService>;

  /** Makes one step true. First asks whether it is true already. */
  execute(step: Step, service: ServiceIdentity): Promise<StepOutcome>;

  /**
   * Tells of services of which something changed without being asked, until the signal aborts. May miss changes
   * (the caller also looks by the clock) and reconnects by itself.
   */
  watch(changed: (serviceId: string) => void, signal: AbortSignal): void;

  /** The networks there are, and what ranges are in use, so that VPCs can be promised and peerings judged. */
  surveyNetworks(): Promise<NetworkSurvey>;

  /** Makes the network of a VPC, named after it. `failed` where the range cannot be had. */
  ensureVpc(vpc: { readonly vpcId: string; readonly cidr: string }): Promise<StepOutcome>;

  /** Removes the network of a VPC, once nobody stands in it; until then a wait tells who does. */
  removeVpc(vpcId: string): Promise<StepOutcome>;

  /** Ports for endpoints that nobody listens on now; at most `count`, other than those in `taken`. */
  freePorts(count: number, taken: ReadonlySet<number>): Promise<readonly number[]>;

  /** What each node of a service uses, as it tells itself. One that does not answer is left out. */
  usage(service: ServiceIdentity): Promise<readonly NodeUsage[]>;

  /** PostgreSQL's own log, of members that run and of members that do not. `null`: this platform has none. */
  logs(serviceId: string, query: LogQuery): Promise<MemberLogs | null>;

  /**
   * Where SQL of a service is run: its primary, or of members that only read, one that answers. `null`: this platform has
   * no databases. Throws where none of them takes connections.
   * @param readsFrom the service that it reads from; null: it has a primary of its own
   */
  databaseAddress(serviceId: string, readsFrom: string | null): Promise<DatabaseAddress | null>;

  /** Gives connections back; the databases go on serving. */
  close(): Promise<void>;
}

export interface NetworkSurvey {
  /** What a VPC must not overlap with, in canonical form, and in words who has it; VPCs themselves are not among it. */
  readonly usedRanges: readonly UsedRange[];
  readonly networks: readonly PlatformNetwork[];
}

export interface UsedRange {
  readonly cidr: string;
  readonly usedBy: string;
}

export interface PlatformNetwork {
  readonly id: string;
  readonly name: string;
  /** null: not one of a VPC of this installation. */
  readonly vpcId: string | null;
  /** Why a VPC cannot be peered with it; null: it can. */
  readonly notPeerable: string | null;
}

export interface NodeUsage {
  readonly ordinal: number;
  readonly role: NodeRole;
  /** Counters of two readings compare where this is the same: where it is not, they began anew. */
  readonly epoch: string;
  /** When the node was read, in milliseconds; only differences mean anything. */
  readonly readAtMs: number;
  /** What is true of the moment. What is not known is left out, here and among the counters. */
  readonly gauges: Readonly<Partial<Record<Gauge, number>>>;
  readonly counters: Readonly<Partial<Record<Counter, number>>>;
}

export type Gauge = Exclude<MetricName, "cpu_millis" | "cache_hit_ratio" | `${string}_per_second`>;

/** What only ever grows while a node runs. Without a unit: a count. */
export type Counter =
  | "cpuSeconds"
  | "ioReadBytes"
  | "ioWriteBytes"
  | "transactions"
  | "rollbacks"
  | "queries"
  | "blocksHit"
  | "blocksRead"
  | "walBytes"
  | "deadlocks"
  | "tempBytes";

export interface Capacity {
  /** Thousandths of a core. */
  readonly cpuMillis: number;
  readonly memoryBytes: number;
}

/** The service whose primary others follow, and which of the places beside it is theirs. */
export interface ReadSource {
  readonly serviceId: string;
  /** From 0. */
  readonly place: number;
}

/** What a platform has to know of a service besides the step: fixed for its whole life. */
export interface ServiceIdentity {
  readonly serviceId: string;
  readonly addons: readonly Addon[];
  readonly port: number;
  /** Where its pooler is reached, whether it has one now or not. */
  readonly poolerPort: number;
  readonly secrets: ServiceSecrets;
  /** null: it has a primary of its own. */
  readonly readsFrom: ReadSource | null;
}
