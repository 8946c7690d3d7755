/** What calls of the API have in common. */

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface CreateOptions extends CallOptions {
  /** Left out: a new one. The same key with the same body never creates a second service. */
  readonly idempotencyKey?: string;
}

export interface EventQuery {
  /** How many at most, 1 to 500. */
  readonly limit?: number;
  /** The id of an event; only older ones are listed. */
  readonly before?: string;
}

/** Asks and changes nothing. */
export const READ = { method: "GET", repeatable: true } as const;

/** A creation, which may be sent again since its key tells that it is the same. */
export function keyed({ idempotencyKey = newIdempotencyKey(), signal }: CreateOptions = {}) {
  return { headers: { "idempotency-key": idempotencyKey }, repeatable: true, signal };
}

/** @param project its path, encoded */
export function servicePath(project: string, serviceId: string, operation = ""): string {
  return `${project}/services/${encodeURIComponent(serviceId)}${operation && `/${operation}`}`;
}

/** With its question mark; empty where nothing is asked for. */
export function queryOf(fields: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return text && `?${text}`;
}

/** 128 random bits. Not randomUUID: browsers have that on https and localhost alone. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
