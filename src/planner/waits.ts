/** What the planner can wait for, how long that should take, and whether clients are meant to notice meanwhile. */
export const WAITS = {
  primary: { deadlineMs: 30_000, sentence: "Waiting for a primary that takes writes" },
  endpoint: { deadlineMs: 15_000, sentence: "Waiting for the endpoint to lead to the primary" },
  copy: { deadlineMs: 600_000, sentence: "Waiting for the parent's data" },
  pooler: { deadlineMs: 15_000, sentence: "Waiting for the pooler to answer" },
  configuration: { deadlineMs: 30_000, sentence: "Waiting to read the cluster's configuration" },
  vpc: { deadlineMs: 30_000, sentence: "Waiting for the network of the VPC" },
  "synchronous-set": { deadlineMs: 60_000, sentence: "Waiting for the set of synchronous replicas" },
  answer: { deadlineMs: 60_000, sentence: "Waiting for a member's PostgreSQL to answer" },
  /** Copies of much data take long; the deadline only makes it visible. */
  replication: { deadlineMs: 600_000, sentence: "Waiting for replicas to stream" },
  parent: { deadlineMs: 30_000, sentence: "Waiting for the service that is read from" },
  "storage-full": { deadlineMs: 0, sentence: "A disk is full" },
  "data-missing": { deadlineMs: 0, sentence: "The data of the service is gone" },
} as const satisfies Record<string, { readonly deadlineMs: number; readonly sentence: string }>;

export type WaitReason = keyof typeof WAITS;
