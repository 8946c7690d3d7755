import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Store } from "../store/db.ts";
import { countByStatus } from "../store/services.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export interface Metrics {
  readonly contentType: string;
  observeRequest(request: { method: string; route: string; status: number; seconds: number }): void;
  /** In Prometheus' text format. */
  render(): Promise<string>;
}

export function createMetrics({ db }: Store): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "howdah_http_request_duration_seconds",
    help: "Time to answer, by method, route and status.",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers: [registry],
  });
  const services = new Gauge({
    name: "howdah_services",
    help: "Services by status; absent while the state database does not answer.",
    labelNames: ["status"],
    registers: [],
    async collect() {
      this.reset();
      const counts = await countByStatus(db).catch(() => []);
      for (const { status, count } of counts) this.set({ status }, count);
    },
  });
  registry.registerMetric(services);
  return {
    contentType: registry.contentType,
    observeRequest: ({ method, route, status, seconds }) =>
      requests.observe({ method, route, status }, seconds),
    render: () => registry.metrics(),
  };
}
