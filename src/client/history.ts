/** The API's operations on what has happened, events and audit, as functions. */
import { AuditPage, type EventRecord, EventRecords, ServiceStory } from "./answers.ts";
import { type CallOptions, type EventQuery, queryOf, READ, servicePath } from "./calls.ts";
import { type StreamOptions, streamEvents } from "./event-stream.ts";
import type { HttpOptions, Send } from "./http.ts";
import { readAsItComes } from "./streamed-answer.ts";

/** Which events of the project. */
export interface ProjectEventQuery extends EventQuery {
  readonly serviceId?: string;
  /** Such as service.status, or service.resize for all that begin with it. */
  readonly types?: readonly string[];
}

export interface AuditQuery {
  /** RFC 3339. */
  readonly since?: string;
  readonly until?: string;
}

/** Every function throws ClientError, or the reason of its signal. */
export interface HistoryClient {
  getServiceEvents(serviceId: string, query?: EventQuery, options?: CallOptions): Promise<ServiceStory>;
  listEvents(query?: ProjectEventQuery, options?: CallOptions): Promise<readonly EventRecord[]>;
  /** Every event once, in order, without a gap, over as many connections as that takes. */
  streamEvents(
    query?: Omit<ProjectEventQuery, keyof EventQuery>,
    options?: StreamOptions,
  ): AsyncGenerator<EventRecord, void, undefined>;
  listAuditRecords(
    query?: AuditQuery & { readonly cursor?: string },
    options?: CallOptions,
  ): Promise<AuditPage>;
  /** All of the audit as JSON lines, oldest first, piece by piece as it comes. */
  exportAudit(query?: AuditQuery, options?: CallOptions): AsyncGenerator<string, void, undefined>;
}

/** @param project its path, encoded */
export function historyClient(send: Send, http: HttpOptions, project: string): HistoryClient {
  const events = `${project}/events`;
  const audit = `${project}/audit`;
  return {
    getServiceEvents: (id, { limit, before } = {}, call) =>
      send({
        ...READ,
        path: `${servicePath(project, id, "events")}${queryOf({ limit, before })}`,
        answer: ServiceStory,
        ...call,
      }),
    listEvents: async (query = {}, call) => {
      const { limit, before, serviceId, types } = query;
      const path = `${events}${queryOf({ limit, before, service_id: serviceId, type: types?.join() })}`;
      return (await send({ ...READ, path, answer: EventRecords, ...call })).events;
    },
    streamEvents: ({ serviceId, types } = {}, call) =>
      streamEvents(http, `${events}${queryOf({ service_id: serviceId, type: types?.join() })}`, call),
    listAuditRecords: (query = {}, call) =>
      send({ ...READ, path: `${audit}${queryOf({ ...query })}`, answer: AuditPage, ...call }),
    exportAudit: (query = {}, { signal = new AbortController().signal } = {}) =>
      readAsItComes(http, {
        path: `${audit}${queryOf({ ...query, format: "jsonl" })}`,
        headers: { accept: "application/x-ndjson" },
        signal,
      }),
  };
}
