/** How many replicas, in words: what survives what, and what that costs. Pure. */

export interface ReplicaPlan {
  readonly id: string;
  readonly replicas: number;
  readonly synchronous: number;
  readonly title: string;
  /** If the node that takes writes is lost. */
  readonly survives: string;
  readonly loses: string;
  readonly costs: string;
}

const TAKES_OVER = "A replica takes over in about a second.";
const SECOND_COMMIT = "A commit also waits until a replica has it: a round trip more.";

/** What people mostly want; any other numbers can be given by hand. */
export const REPLICA_PLANS: readonly ReplicaPlan[] = [
  {
    id: "none",
    replicas: 0,
    synchronous: 0,
    title: "No replica",
    survives: "It starts again in seconds, with its own disk.",
    loses: "Everything, if the disk is lost.",
    costs: "Nothing more.",
  },
  {
    id: "one",
    replicas: 1,
    synchronous: 0,
    title: "One replica",
    survives: TAKES_OVER,
    loses: "Perhaps the very last commits.",
    costs: "One more node. Commits stay as fast.",
  },
  {
    id: "one-synchronous",
    replicas: 1,
    synchronous: 1,
    title: "One synchronous replica",
    survives: TAKES_OVER,
    loses: "No commit that was acknowledged.",
    costs: `One more node. ${SECOND_COMMIT}`,
  },
  {
    id: "two",
    replicas: 2,
    synchronous: 1,
    title: "Two replicas, one synchronous",
    survives: "A replica takes over in about a second, and another one is still there.",
    loses: "No commit that was acknowledged.",
    costs: `Two more nodes. ${SECOND_COMMIT}`,
  },
];

export const BY_HAND = "by-hand";

/** The plan that these numbers are. */
export function planOf(replicas: number, synchronous: number): string {
  const plan = REPLICA_PLANS.find((each) => each.replicas === replicas && each.synchronous === synchronous);
  return plan?.id ?? BY_HAND;
}

/** Every node of a service with what it is: "a primary, 1 synchronous and 1 asynchronous replica". */
export function nodesInWords(replicas: number, synchronous: number): string {
  if (replicas === 0) return "1 node, the primary";
  const asynchronous = replicas - synchronous;
  const kinds = [
    ...(synchronous > 0 ? [`${synchronous} synchronous`] : []),
    ...(asynchronous > 0 ? [`${asynchronous} asynchronous`] : []),
  ].join(" and ");
  return `${1 + replicas} nodes: the primary, and ${kinds} ${replicas === 1 ? "replica" : "replicas"}`;
}
