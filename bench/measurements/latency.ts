import { type HttpRequest, loadHttp } from "../lib/http-load.ts";
import type { Bench, Measurement, Row, Samples } from "../lib/measurement.ts";
import { CHANGE_DEADLINE_MS, withReadyService } from "../lib/service.ts";

const CLIENTS = 20;
/** So many that the clients do not all wait for the lock on one row. */
const SERVICES = 4;
/** The requests take turns of this length, so that what the machine does meanwhile meets all of them. */
const TURN_MS = 2_000;

const RAW = { title: "GET /healthz", series: "healthz" };

const rows = (title: string, series: string, target: number | null): Row[] => [
  {
    title,
    series,
    unit: "ms",
    baseline: RAW,
    ...(target === null ? {} : { target: { statistic: "p99", atMost: target } }),
  },
  { title: `${title}: errors in a turn`, series: errorsOf(series), unit: "count" },
  {
    title: `${title}: answers`,
    series: rateOf(series),
    unit: "per second",
    baseline: { ...RAW, series: rateOf(RAW.series) },
  },
];

export const latency: Measurement = {
  name: "latency",
  title: `Answers, ${CLIENTS} clients without a pause`,
  rows: [
    ...rows("setHA to the same counts → 202", "setHA", 25),
    ...rows("resize to the same size → 202", "resize", 25),
    ...rows("GET of a service → 200", "get", null),
  ],
  run: async (bench, samples) => withServices(bench, [], (ids) => load(bench, samples, ids)),
};

/** All of them at once: they are deleted from the last to the first. */
async function withServices(
  bench: Bench,
  ids: readonly string[],
  use: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  if (ids.length === SERVICES) return use(ids);
  bench.report(`service ${ids.length + 1} of ${SERVICES} to ask about`);
  await withReadyService(
    bench,
    { name: `latency ${ids.length + 1}`, cpu_millis: "500", memory_gbs: "2" },
    ({ id }) => withServices(bench, [...ids, id], use),
  );
}

async function load(bench: Bench, samples: Samples, ids: readonly string[]): Promise<void> {
  const { api } = bench.controlPlane;
  const kinds = Object.entries(requests(bench, ids));
  const turns = Math.ceil((bench.loadSeconds * 1_000) / TURN_MS);
  for (let turn = 1; turn <= turns; turn += 1) {
    for (const [series, next] of kinds) {
      bench.report(`turn ${turn} of ${turns}, ${series}`);
      const result = await loadHttp(next, { clients: CLIENTS, durationMs: TURN_MS, signal: bench.signal });
      for (const ms of result.latenciesMs) samples.add(series, ms);
      samples.add(errorsOf(series), result.errors);
      samples.add(rateOf(series), (result.latenciesMs.length * 1_000) / result.elapsedMs);
      // What one kind of request has left to do must not weigh on the next.
      await Promise.all(ids.map((id) => api.untilReady(id, CHANGE_DEADLINE_MS)));
    }
  }
}

function requests(
  { controlPlane: { api, origin } }: Bench,
  ids: readonly string[],
): Record<string, (count: number) => HttpRequest> {
  const services = ids.map((id) => api.serviceUrl(id));
  const service = (count: number, operation = ""): URL => {
    const url = new URL(services[count % services.length] ?? origin);
    url.pathname += operation;
    return url;
  };
  const { "content-type": _, ...withoutBody } = api.headers;
  const post = (url: URL, body: unknown): HttpRequest => ({
    method: "POST",
    url,
    headers: api.headers,
    body: JSON.stringify(body),
    expected: 202,
  });
  const get = (url: URL, headers: Readonly<Record<string, string>>): HttpRequest => ({
    method: "GET",
    url,
    headers,
    body: null,
    expected: 200,
  });
  const healthz = new URL("/healthz", origin);
  return {
    healthz: () => get(healthz, {}),
    get: (count) => get(service(count), withoutBody),
    setHA: (count) => post(service(count, "/setHA"), { replica_count: 0, sync_replica_count: 0 }),
    resize: (count) => post(service(count, "/resize"), { cpu_millis: "500", memory_gbs: "2" }),
  };
}

function errorsOf(series: string): string {
  return `${series} errors`;
}

function rateOf(series: string): string {
  return `${series} rate`;
}
