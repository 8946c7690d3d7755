/** What clients notice of planned work, in words and about how long; the figures are those that were measured. Pure. */
import type { Interruption } from "../contract/plan.ts";
import type { DesiredService } from "./desired.ts";
import type { ObservedService } from "./observed.ts";
import type { Step } from "./step.ts";

/** What a step does to those who are connected. */
export type Disturbance =
  | "switchover"
  | "restart"
  | "stop"
  | "removal"
  | "pooler-removal"
  /** One of several nodes of a read replica set goes or restarts. */
  | "node"
  | "only-node";

/** null: nobody notices it. */
export function disturbanceOf(
  step: Step,
  { members, pooler }: ObservedService,
  { readsFrom }: Pick<DesiredService, "readsFrom">,
): Disturbance | null {
  const others = (ordinal: number) => members.some((each) => each.ordinal !== ordinal && each.postgres);
  const leads = (at: number) => members.some(({ ordinal, postgres }) => ordinal === at && postgres?.writable);
  switch (step.kind) {
    case "switchover":
      return "switchover";
    case "restartPostgres":
      return leads(step.ordinal) ? "restart" : null;
    case "stopMember":
      return leads(step.ordinal) ? "stop" : null;
    case "fitMember":
      if (!step.restart) return null;
      return others(step.ordinal) ? "node" : "only-node";
    case "removeMember":
      return readsFrom === null ? null : "node";
    case "removeService":
      return "removal";
    case "removePooler":
      return pooler.state === "running" ? "pooler-removal" : null;
    case "ensureFoundation":
    case "createMember":
    case "copyParent":
    case "clearCopy":
    case "startMember":
    case "endMember":
    case "ensureGateway":
    case "setAllowList":
    case "setRoles":
    case "ensurePooler":
    case "joinVpc":
    case "leaveVpc":
    case "ensureRelay":
    case "removeRelay":
    case "setLimits":
    case "configure":
    case "takeUpSettings":
      return null;
  }
}

interface Effect {
  readonly kind: Interruption["kind"];
  readonly pooled: NonNullable<Interruption["pooled"]>;
  /** In which nobody takes writes, rounded up; null: nobody can say. */
  readonly seconds: number | null;
  readonly sentence: string;
}

const WAITS_AT_THE_POOLER =
  "Transactions through the pooler's tsdb_transaction wait instead of failing, unless they run for more than five seconds; " +
  "sessions of its tsdb end.";

const EFFECTS: Readonly<Record<Disturbance, Effect>> = {
  switchover: {
    kind: "reconnect",
    pooled: "wait",
    seconds: 1,
    sentence:
      "When the lead is handed over, sessions on the endpoint end and can reconnect at once: new connections wait there, " +
      "as a rule for less than a second.",
  },
  restart: {
    kind: "outage",
    pooled: "wait",
    seconds: 2,
    sentence:
      "PostgreSQL restarts in its place: sessions on the endpoint end, and new connections wait there, as a rule for less " +
      "than two seconds.",
  },
  stop: {
    kind: "outage",
    pooled: "outage",
    seconds: null,
    sentence: "All sessions end, and nobody can connect until the service is started again.",
  },
  removal: {
    kind: "outage",
    pooled: "outage",
    seconds: null,
    sentence: "All sessions end, for good.",
  },
  "pooler-removal": {
    kind: "none",
    pooled: "outage",
    seconds: 0,
    sentence: "Sessions through the pooler end.",
  },
  node: {
    kind: "reconnect",
    pooled: "outage",
    seconds: 0,
    sentence: "Sessions on a node end when it restarts or goes, and can reconnect at once to another.",
  },
  "only-node": {
    kind: "outage",
    pooled: "outage",
    seconds: 2,
    sentence:
      "The only node restarts: its sessions end, and new connections wait, as a rule for less than two seconds.",
  },
};

const KINDS = ["none", "reconnect", "outage"] as const satisfies readonly Interruption["kind"][];
const POOLED = ["none", "wait", "outage"] as const satisfies readonly NonNullable<Interruption["pooled"]>[];

export function kindOf(disturbance: Disturbance | null): Interruption["kind"] {
  return disturbance === null ? "none" : EFFECTS[disturbance].kind;
}

/**
 * What clients notice of all of it together.
 *
 * @param out nobody can connect before it begins
 * @param pooled whether there is a pooler that clients may use
 */
export function interruptionOf(
  disturbances: readonly Disturbance[],
  { out, pooled }: { readonly out: boolean; readonly pooled: boolean },
): Interruption {
  const effects = disturbances.map((each) => EFFECTS[each]);
  const kinds = effects.map(({ kind }) => kind);
  const seconds = effects.reduce<number | null>(
    (sum, effect) => (sum === null || effect.seconds === null ? null : sum + effect.seconds),
    0,
  );
  const worst = out ? "outage" : (KINDS.findLast((kind) => kinds.includes(kind)) ?? "none");
  const worstPooled = POOLED.findLast((kind) => effects.some((effect) => effect.pooled === kind)) ?? "none";
  const sentences = [
    ...(out ? ["Nobody is served now, until the endpoint leads to a member."] : []),
    ...new Set(effects.map(({ sentence }) => sentence)),
    ...(pooled && worstPooled === "wait" ? [WAITS_AT_THE_POOLER] : []),
  ];
  return {
    kind: worst,
    ...(out || seconds === null || seconds === 0 ? {} : { seconds }),
    ...(pooled ? { pooled: out ? "outage" : worstPooled } : {}),
    message: sentences.length > 0 ? sentences.join(" ") : "Nobody notices: no session ends.",
  };
}
