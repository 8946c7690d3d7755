/** The API's operations on logs and metrics as functions. */
import { Type } from "typebox";
import type { MetricSeriesBody, ProjectMetricSeriesBody } from "../contract/metrics.ts";
import { LogRecords, SeriesRecords } from "./answers.ts";
import { type CallOptions, READ, servicePath } from "./calls.ts";
import type { Send } from "./http.ts";

export interface LogQuery {
  /** Its number or its name. */
  readonly node?: string;
  /** The last_cursor of the page before. */
  readonly cursor?: string;
  /** The first moment and the one after the last, as RFC 3339 writes them. */
  readonly since?: string;
  readonly until?: string;
  /** Texts that all have to be in an entry. */
  readonly search?: readonly string[];
  readonly severities?: readonly string[];
}

/** Every function throws ClientError, or the reason of its signal. */
export interface TelemetryClient {
  getServiceLogs(serviceId: string, query?: LogQuery, options?: CallOptions): Promise<LogRecords>;
  /** What is measured of a service. */
  listMetricSeries(serviceId: string, options?: CallOptions): Promise<readonly string[]>;
  getMetricSeries(serviceId: string, body: MetricSeriesBody, options?: CallOptions): Promise<SeriesRecords>;
  /** Of many services at once, told by the label service_id; of primaries alone where no role is asked for. */
  getProjectMetricSeries(body: ProjectMetricSeriesBody, options?: CallOptions): Promise<SeriesRecords>;
}

/** @param project its path, encoded */
export function telemetryClient(send: Send, project: string): TelemetryClient {
  const at = (serviceId: string, operation: string) => servicePath(project, serviceId, operation);
  return {
    getServiceLogs: (id, query = {}, call) =>
      send({ ...READ, path: `${at(id, "logs")}${logQueryText(query)}`, answer: LogRecords, ...call }),
    listMetricSeries: (id, call) =>
      send({ ...READ, path: at(id, "metrics/available-series"), answer: SeriesNames, ...call }),
    getMetricSeries: (id, body, call) =>
      send({ ...READ, method: "POST", path: at(id, "metrics/series"), body, answer: SeriesRecords, ...call }),
    getProjectMetricSeries: (body, call) =>
      send({
        ...READ,
        method: "POST",
        path: `${project}/metrics/series`,
        body,
        answer: SeriesRecords,
        ...call,
      }),
  };
}

const SeriesNames = Type.Array(Type.String());

function logQueryText({ search = [], severities = [], ...single }: LogQuery): string {
  const query = new URLSearchParams({ ...single });
  for (const text of search) query.append("search", text);
  for (const severity of severities) query.append("severities", severity);
  return query.size === 0 ? "" : `?${query.toString()}`;
}
