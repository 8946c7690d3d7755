import type { Size } from "../contract/size.ts";
import { memberLimits } from "./limits.ts";
import { PARAMETERS } from "./parameter-catalogue.ts";

/** PostgreSQL's parameters by name, with values in PostgreSQL's own notation. */
export type PostgresSettings = Readonly<Record<string, string>>;

/** The ones that PostgreSQL takes up only at a restart. */
const RESTART_SETTINGS: ReadonlySet<string> = new Set(
  PARAMETERS.filter(({ restart }) => restart).map(({ name }) => name),
);

/** Of these a hot standby must have at least as much as its primary, or it stops. */
export const STANDBY_FLOOR_SETTINGS: readonly string[] = ["max_connections"];

const MIB = 1024 ** 2;
/** What shared members may use in parallel: one core's worth. */
const SHARED_CPU_MILLIS = 1000;
/** As many as a service has by default; who chooses more shares the same memory among them, or chooses work_mem too. */
const MAX_CONNECTIONS = 100;
/** As many processes as a server has for them. */
const MOST_PARALLEL = 32;

/**
 * Everything that is managed: what was chosen, else what follows the size, else the default. All of it is always told to
 * the servers, so that a choice that is taken back needs nothing to be removed.
 */
export function settingsFor(size: Size, overrides: PostgresSettings): PostgresSettings {
  const sized = settingsForSize(size);
  return Object.fromEntries(
    PARAMETERS.flatMap(({ name, default: usual }) => {
      const value = overrides[name] ?? sized[name] ?? usual;
      return value === null ? [] : [[name, value]];
    }),
  );
}

/**
 * The settings that follow a size, by the rules of timescaledb-tune 0.18: a quarter of the memory for shared buffers,
 * three quarters assumed cached, an eighth for maintenance, and work_mem from an eighth shared among connections and
 * cores, yet never below PostgreSQL's own default of 4 MB.
 *
 * What a replica must have at least as large as its primary (max_connections, max_worker_processes, …) does not
 * follow the size, so that members of different sizes can stand beside each other during a resize.
 *
 * Values are written as PostgreSQL itself prints them by SHOW, so that wanted and observed can be compared.
 */
export function settingsForSize(size: Size): PostgresSettings {
  const { memoryBytes } = memberLimits(size);
  const memoryMib = memoryBytes / MIB;
  const cores = Math.max(1, Math.ceil((size.kind === "shared" ? SHARED_CPU_MILLIS : size.cpuMillis) / 1000));
  const workMemKib = ((memoryMib / 8) * 1024) / MAX_CONNECTIONS / Math.max(1, Math.round(cores / 2));
  return {
    shared_buffers: mebibytes(memoryMib / 4),
    effective_cache_size: mebibytes((memoryMib * 3) / 4),
    maintenance_work_mem: mebibytes(Math.min(memoryMib / 8, 2048)),
    work_mem: kibibytes(Math.max(4096, Math.floor(workMemKib))),
    max_parallel_workers: String(Math.min(MOST_PARALLEL, Math.max(2, cores))),
    max_parallel_workers_per_gather: String(Math.min(MOST_PARALLEL, Math.ceil(cores / 2))),
    max_parallel_maintenance_workers: String(Math.min(MOST_PARALLEL, Math.ceil(cores / 2))),
  };
}

/** The names whose values differ from what is wanted. */
export function differingSettings(wanted: PostgresSettings, actual: PostgresSettings): readonly string[] {
  return Object.keys(wanted).filter((name) => wanted[name] !== actual[name]);
}

export function needsRestart(differing: readonly string[]): boolean {
  return differing.some((name) => RESTART_SETTINGS.has(name));
}

function mebibytes(amount: number): string {
  const whole = Math.floor(amount);
  return whole % 1024 === 0 && whole > 0 ? `${whole / 1024}GB` : `${whole}MB`;
}

function kibibytes(amount: number): string {
  return amount % 1024 === 0 ? mebibytes(amount / 1024) : `${amount}kB`;
}
