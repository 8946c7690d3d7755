/**
 * The parameters of PostgreSQL 17 that users may change, and how far. Facts about PostgreSQL are checked against a real
 * one; the bounds are ours, and narrower than PostgreSQL's wherever its own would let a server fail to start, run out of
 * memory at once, or shut out those who look after it. Nothing is here that weakens durability, replication or security.
 *
 * What a session may only be given when it begins (log_connections) is not here either: whether it is in force cannot be
 * seen in sessions that are open.
 */
import type { Unit } from "../contract/postgres-notation.ts";

export type Parameter = BoolParameter | EnumParameter | NumberParameter;

interface Common {
  readonly name: string;
  /** One sentence for people. */
  readonly description: string;
  /** As SHOW prints it; null: it follows the size. */
  readonly default: string | null;
  /** Whether PostgreSQL takes it up only when it starts. */
  readonly restart?: true;
}

export interface BoolParameter extends Common {
  readonly type: "bool";
}

export interface EnumParameter extends Common {
  readonly type: "enum";
  readonly options: readonly string[];
}

export interface NumberParameter extends Common {
  readonly type: "integer" | "real";
  /** Left out: a bare number. */
  readonly unit?: Unit;
  readonly min: Bound;
  readonly max: Bound;
  /** A value outside the range that is accepted too; the description says what it means. */
  readonly special?: "0" | "-1";
}

/** As a value is written; some depend on how much memory a member has. */
export type Bound = string | ((memoryBytes: number) => string);

const CONNECTIONS: readonly Parameter[] = [
  {
    name: "max_connections",
    description:
      "How many sessions the server takes at once, a few of them kept for its own upkeep; for many clients, the pooler is the better way.",
    type: "integer",
    // What the pooler may take, and some for those who come without it.
    min: "75",
    max: perGib(100, 1000),
    default: "100",
    restart: true,
  },
];

const MEMORY: readonly Parameter[] = [
  {
    name: "shared_buffers",
    description: "The memory in which all sessions share the pages of tables and indexes.",
    type: "integer",
    unit: "8kB",
    min: "16MB",
    max: shareOfMemory(0.4),
    default: null,
    restart: true,
  },
  {
    name: "work_mem",
    description:
      "How much memory one sort or hash of a query uses before it turns to disk; a query may have several of them.",
    type: "integer",
    unit: "kB",
    min: "64kB",
    max: shareOfMemory(1 / 8),
    default: null,
  },
  {
    name: "hash_mem_multiplier",
    description: "How many times work_mem a hash may use.",
    type: "real",
    min: "1",
    max: "4",
    default: "2",
  },
  {
    name: "maintenance_work_mem",
    description: "How much memory VACUUM, CREATE INDEX and the like may use.",
    type: "integer",
    unit: "kB",
    min: "1MB",
    max: shareOfMemory(1 / 4),
    default: null,
  },
  {
    name: "autovacuum_work_mem",
    description: "How much memory each autovacuum worker may use; -1 means as much as maintenance_work_mem.",
    type: "integer",
    unit: "kB",
    min: "1MB",
    max: shareOfMemory(1 / 8),
    special: "-1",
    default: "-1",
  },
  {
    name: "effective_cache_size",
    description: "How much memory the planner believes is there for caching; nothing is allocated by it.",
    type: "integer",
    unit: "8kB",
    min: "8MB",
    max: shareOfMemory(1),
    default: null,
  },
  {
    name: "temp_buffers",
    description: "How much memory a session may use for its temporary tables.",
    type: "integer",
    unit: "8kB",
    min: "800kB",
    max: shareOfMemory(1 / 8),
    default: "8MB",
  },
  {
    name: "temp_file_limit",
    description: "How much disk the temporary files of one session may take; -1 means no limit.",
    type: "integer",
    unit: "kB",
    min: "64MB",
    max: "1TB",
    special: "-1",
    default: "-1",
  },
];

const PLANNING: readonly Parameter[] = [
  {
    name: "random_page_cost",
    description: "What the planner takes a page read out of order to cost, where one read in order costs 1.",
    type: "real",
    min: "0",
    max: "1000",
    default: "1.1",
  },
  {
    name: "effective_io_concurrency",
    description:
      "How many reads the disk is believed to serve at once; 0 means that none is asked for ahead.",
    type: "integer",
    min: "0",
    max: "1000",
    default: "256",
  },
  {
    name: "maintenance_io_concurrency",
    description: "The same for VACUUM and other upkeep.",
    type: "integer",
    min: "0",
    max: "1000",
    default: "10",
  },
  {
    name: "default_statistics_target",
    description: "How closely ANALYZE looks at columns that have no target of their own.",
    type: "integer",
    min: "1",
    max: "10000",
    default: "100",
  },
  {
    name: "join_collapse_limit",
    description: "Up to how many joined tables the planner tries other orders than the written one.",
    type: "integer",
    min: "1",
    max: "100",
    default: "8",
  },
  {
    name: "plan_cache_mode",
    description: "Whether a prepared statement is planned once for all values, or for each anew.",
    type: "enum",
    options: ["auto", "force_generic_plan", "force_custom_plan"],
    default: "auto",
  },
  {
    name: "jit",
    description: "Whether expensive queries are compiled to machine code.",
    type: "bool",
    default: "on",
  },
  {
    name: "jit_above_cost",
    description: "How expensive a query must be planned to be compiled; -1 means never.",
    type: "real",
    min: "0",
    max: "1e+09",
    special: "-1",
    default: "100000",
  },
  {
    name: "enable_partitionwise_join",
    description: "Whether tables that are partitioned alike are joined partition by partition.",
    type: "bool",
    default: "off",
  },
  {
    name: "enable_partitionwise_aggregate",
    description: "Whether partitioned tables are aggregated partition by partition.",
    type: "bool",
    default: "off",
  },
];

/** No timeout is so short that those who look after the service could not finish what they do. */
const TIMEOUTS: readonly Parameter[] = [
  {
    name: "statement_timeout",
    description: "How long a statement may run before it is cancelled; 0 means without end.",
    type: "integer",
    unit: "ms",
    min: "1s",
    max: "7d",
    special: "0",
    default: "0",
  },
  {
    name: "lock_timeout",
    description: "How long a statement may wait for a lock before it is cancelled; 0 means without end.",
    type: "integer",
    unit: "ms",
    min: "100ms",
    max: "7d",
    special: "0",
    default: "0",
  },
  {
    name: "idle_in_transaction_session_timeout",
    description: "How long a session may idle inside a transaction before it is ended; 0 means without end.",
    type: "integer",
    unit: "ms",
    min: "1s",
    max: "7d",
    special: "0",
    default: "0",
  },
  {
    name: "transaction_timeout",
    description: "How long a transaction may last before its session is ended; 0 means without end.",
    type: "integer",
    unit: "ms",
    min: "1s",
    max: "7d",
    special: "0",
    default: "0",
  },
  {
    name: "idle_session_timeout",
    description:
      "How long a session may idle outside of a transaction before it is ended, a pooler's too; 0 means without end.",
    type: "integer",
    unit: "ms",
    min: "1min",
    max: "7d",
    special: "0",
    default: "0",
  },
  {
    name: "deadlock_timeout",
    description: "How long a lock is waited for before deadlocks are looked for, and the wait is logged.",
    type: "integer",
    unit: "ms",
    min: "100ms",
    max: "1min",
    default: "1s",
  },
];

const PARALLELISM: readonly Parameter[] = [
  {
    name: "max_parallel_workers",
    description: "How many workers all parallel queries together may use.",
    type: "integer",
    min: "0",
    max: "32",
    default: null,
  },
  {
    name: "max_parallel_workers_per_gather",
    description: "How many workers one part of a query may use; 0 means that queries do not run in parallel.",
    type: "integer",
    min: "0",
    max: "32",
    default: null,
  },
  {
    name: "max_parallel_maintenance_workers",
    description: "How many workers one CREATE INDEX or VACUUM may use.",
    type: "integer",
    min: "0",
    max: "32",
    default: null,
  },
];

/** Autovacuum itself stays on: without it every database ends up refusing writes. */
const AUTOVACUUM: readonly Parameter[] = [
  {
    name: "autovacuum_max_workers",
    description: "How many tables are vacuumed at once.",
    type: "integer",
    min: "1",
    max: "10",
    default: "3",
    restart: true,
  },
  {
    name: "autovacuum_naptime",
    description: "How often each database is looked at for tables to vacuum or analyze.",
    type: "integer",
    unit: "s",
    min: "1s",
    max: "1h",
    default: "1min",
  },
  {
    name: "autovacuum_vacuum_threshold",
    description: "How many rows of a table, at the least, have changed before it is vacuumed.",
    type: "integer",
    min: "0",
    max: "1000000000",
    default: "50",
  },
  {
    name: "autovacuum_vacuum_scale_factor",
    description: "Which share of a table has changed, beyond the threshold, before it is vacuumed.",
    type: "real",
    min: "0",
    max: "1",
    default: "0.2",
  },
  {
    name: "autovacuum_vacuum_insert_scale_factor",
    description: "Which share of a table has been added, beyond a threshold, before it is vacuumed.",
    type: "real",
    min: "0",
    max: "1",
    default: "0.2",
  },
  {
    name: "autovacuum_analyze_threshold",
    description: "How many rows of a table, at the least, have changed before it is analyzed.",
    type: "integer",
    min: "0",
    max: "1000000000",
    default: "50",
  },
  {
    name: "autovacuum_analyze_scale_factor",
    description: "Which share of a table has changed, beyond the threshold, before it is analyzed.",
    type: "real",
    min: "0",
    max: "1",
    default: "0.1",
  },
  {
    name: "autovacuum_vacuum_cost_delay",
    description:
      "How long autovacuum rests each time it has used up its cost limit; -1 means as long as a VACUUM by hand does.",
    type: "real",
    unit: "ms",
    min: "0",
    max: "100ms",
    special: "-1",
    default: "2ms",
  },
  {
    name: "autovacuum_vacuum_cost_limit",
    description: "How much autovacuum may do before it rests; -1 means as much as a VACUUM by hand does.",
    type: "integer",
    min: "1",
    max: "10000",
    special: "-1",
    default: "-1",
  },
];

const WAL: readonly Parameter[] = [
  {
    name: "max_wal_size",
    description:
      "How much write-ahead log may pile up before a checkpoint; more makes writing smoother and a recovery longer.",
    type: "integer",
    unit: "MB",
    min: "512MB",
    max: "16GB",
    default: "2GB",
  },
  {
    name: "checkpoint_timeout",
    description: "How long it is from one checkpoint to the next; longer makes a recovery longer.",
    type: "integer",
    unit: "s",
    min: "30s",
    max: "1h",
    default: "5min",
  },
  {
    name: "checkpoint_completion_target",
    description: "Over which share of the time between two checkpoints the writing of one is spread.",
    type: "real",
    min: "0.1",
    max: "1",
    default: "0.9",
  },
  {
    name: "wal_compression",
    description: "How whole pages in the write-ahead log are compressed.",
    type: "enum",
    options: ["off", "pglz", "lz4", "zstd"],
    default: "off",
  },
];

/**
 * The log of a member is bounded in size. Hence nothing here logs every statement: those by which the service is looked
 * after, many a second, would soon push everything else out of it.
 */
const LOGGING: readonly Parameter[] = [
  {
    name: "log_min_duration_statement",
    description: "Statements that run at least this long are logged with their text; -1 means none.",
    type: "integer",
    unit: "ms",
    min: "10ms",
    max: "7d",
    special: "-1",
    default: "-1",
  },
  {
    name: "log_statement",
    description:
      "Which statements are logged when they begin, with their text, unless it mentions a password.",
    type: "enum",
    options: ["none", "ddl", "mod"],
    default: "none",
  },
  {
    name: "log_lock_waits",
    description: "Whether waits for a lock that last longer than deadlock_timeout are logged.",
    type: "bool",
    default: "on",
  },
  {
    name: "log_temp_files",
    description: "Temporary files of at least this size are logged; -1 means none.",
    type: "integer",
    unit: "kB",
    min: "0",
    max: "1TB",
    special: "-1",
    default: "-1",
  },
  {
    name: "log_autovacuum_min_duration",
    description: "Vacuuming by autovacuum that takes at least this long is logged; -1 means none.",
    type: "integer",
    unit: "ms",
    min: "0",
    max: "7d",
    special: "-1",
    default: "10min",
  },
  {
    name: "log_checkpoints",
    description: "Whether checkpoints are logged.",
    type: "bool",
    default: "off",
  },
  {
    name: "track_io_timing",
    description: "Whether the time that reads and writes take is measured, for EXPLAIN and the statistics.",
    type: "bool",
    default: "off",
  },
  {
    name: "track_activity_query_size",
    description: "How much of the text of a running query pg_stat_activity keeps.",
    type: "integer",
    unit: "B",
    min: "100B",
    max: "64kB",
    default: "1kB",
    restart: true,
  },
];

/** By subject, in the order in which they are listed. */
export const PARAMETERS: readonly Parameter[] = [
  ...CONNECTIONS,
  ...MEMORY,
  ...PLANNING,
  ...TIMEOUTS,
  ...PARALLELISM,
  ...AUTOVACUUM,
  ...WAL,
  ...LOGGING,
];

function shareOfMemory(share: number): (memoryBytes: number) => string {
  return (memoryBytes) => `${Math.floor((memoryBytes * share) / 1024 ** 2)}MB`;
}

function perGib(count: number, atMost: number): (memoryBytes: number) => string {
  return (memoryBytes) => String(Math.min(atMost, Math.floor((memoryBytes / 1024 ** 3) * count)));
}
