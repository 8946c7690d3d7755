/** Numbers as people read them. */

/** @param millis thousandths of a core */
export function cpu(millis: number): string {
  const cores = millis / 1_000;
  return `${cores} CPU`;
}

/** @param gigabytes as the API counts them */
export function memory(gigabytes: number): string {
  return `${gigabytes} GB`;
}

interface Sized {
  readonly cpu_millis?: number | undefined;
  readonly memory_gbs?: number | undefined;
}

/** "1 CPU, 4 GB"; a shared size has neither. */
export function size({ cpu_millis, memory_gbs }: Sized): string {
  if (cpu_millis === undefined || memory_gbs === undefined) return "Shared";
  return `${cpu(cpu_millis)}, ${memory(memory_gbs)}`;
}

/** "2 replicas, 1 synchronous" */
export function replicas(count: number, synchronous: number): string {
  if (count === 0) return "No replicas";
  const many = `${count} ${count === 1 ? "replica" : "replicas"}`;
  return synchronous === 0 ? many : `${many}, ${synchronous} synchronous`;
}

const BYTE_UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

export function bytes(count: number): string {
  let value = count;
  let unit = 0;
  while (Math.abs(value) >= 1_000 && unit < BYTE_UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${BYTE_UNITS[unit]}`;
}

/** Memory as sizes count it, with 1024 to the next unit: all of a size of 2 GB is "2 GB". */
export function memoryBytes(count: number): string {
  let value = count;
  let unit = 0;
  while (Math.abs(value) >= 1_024 && unit < BYTE_UNITS.length - 1) {
    value /= 1_024;
    unit += 1;
  }
  return `${Number(value.toPrecision(value < 10 ? 2 : 3))} ${BYTE_UNITS[unit]}`;
}

const TYPES: Readonly<Record<string, string>> = {
  TIMESERIESDB: "TimescaleDB",
  POSTGRES: "PostgreSQL",
  VECTOR: "pgvector",
};

/** The name that people know a service type by. */
export function serviceType(type: string): string {
  return TYPES[type] ?? type;
}
