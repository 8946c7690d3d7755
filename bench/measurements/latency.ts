import { type HttpRequest, loadHttp } from "../lib/http-load.ts";
import type { Bench, Measurement, Row, Samples } from "../lib/measurement.ts";
import { CHANGE_DEADLINE_MS, withReadyService } from "../lib/service.ts";

const CLIENTS = 20;
/** So many that the clients do not all wait for the lock on one row. */
const SERVICES = 4;
/** The requests take turns of this length, so that what the machine does meanwhile meets all of them. */
const TURN_MS = 2_000;
const TARGET_P99_MS = 25;
const ERRORS = "errors";
const RAW = { title: "GET /healthz", series: "healthz" };

interface Pace {
  readonly title: string;
  /** From one request of a client to its next. */
  readonly everyMs: number;
}

/** Clients as they are: what an answer takes on a machine that has time for it. */
export const latencyPaced = latency({
  title: `Answers, ${CLIENTS} clients with 5 requests a second each`,
  everyMs: 200,
});

/** Clients that wait for nothing: how an answer is delayed by all the others, and how many there are in a second. */
export const latencySaturated = latency({ title: `Answers, ${CLIENTS} clients without a pause`, everyMs: 0 });

function latency(pace: Pace): Measurement {
  const measured = [
    row("setHA to the same counts → 202", "setHA", TARGET_P99_MS),
    row("resize to the same size → 202", "resize", TARGET_P99_MS),
    row("GET of a service → 200", "get", null),
  ];
  const rates = pace.everyMs === 0 ? measured.map(rateOf) : [];
  return {
    name: "latency",
    title: pace.title,
    rows: [
      ...measured,
      ...rates,
      { title: "errors in a turn of any of them", series: ERRORS, unit: "count" },
    ],
    run: (bench, samples) => withServices(bench, [], (ids) => takeTurns(bench, samples, pace, ids)),
  };
}

function row(title: string, series: string, target: number | null): Row {
  const base = { title, series, unit: "ms", baseline: RAW } as const;
  return target === null ? base : { ...base, target: { statistic: "p99", atMost: target } };
}

function rateOf({ title, series }: Row): Row {
  return {
    title: `${title}: answers`,
    series: rateSeries(series),
    unit: "per second",
    baseline: { ...RAW, series: rateSeries(RAW.series) },
  };
}

function rateSeries(series: string): string {
  return `${series} rate`;
}

/** Uses them once all are READY, and deletes them from the last to the first. */
async function withServices(
  bench: Bench,
  ids: readonly string[],
  use: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  if (ids.length === SERVICES) return use(ids);
  const number = ids.length + 1;
  bench.report(`service ${number} of ${SERVICES} to ask about`);
  const body = { name: `latency ${number}`, cpu_millis: "500", memory_gbs: "2" };
  return withReadyService(bench, body, ({ id }) => withServices(bench, [...ids, id], use));
}

async function takeTurns(
  bench: Bench,
  samples: Samples,
  { everyMs }: Pace,
  ids: readonly string[],
): Promise<void> {
  const { api } = bench.controlPlane;
  const kinds = Object.entries(requests(bench, ids));
  const turns = Math.ceil((bench.loadSeconds * 1_000) / TURN_MS);
  for (let turn = 1; turn <= turns; turn += 1) {
    for (const [series, next] of kinds) {
      bench.report(`turn ${turn} of ${turns}, ${series}`);
      const load = { clients: CLIENTS, durationMs: TURN_MS, everyMs, signal: bench.signal };
      const { latenciesMs, errors, elapsedMs } = await loadHttp(next, load);
      for (const ms of latenciesMs) samples.add(series, ms);
      samples.add(rateSeries(series), (latenciesMs.length * 1_000) / elapsedMs);
      samples.add(ERRORS, errors);
      // What one kind of request has left to do must not weigh on the next.
      await Promise.all(ids.map((id) => api.untilReady(id, CHANGE_DEADLINE_MS)));
    }
  }
}

function requests(
  { controlPlane: { api, origin } }: Bench,
  ids: readonly string[],
): Record<string, (count: number) => HttpRequest> {
  const service = (count: number, operation = ""): URL =>
    new URL(`${api.serviceUrl(ids[count % ids.length] ?? "")}${operation}`);
  const post = (url: URL, body: unknown): HttpRequest => ({
    method: "POST",
    url,
    headers: { ...api.authorization, "content-type": "application/json" },
    body: JSON.stringify(body),
    expected: 202,
  });
  const get = (url: URL): HttpRequest => ({
    method: "GET",
    url,
    headers: api.authorization,
    body: null,
    expected: 200,
  });
  const healthz = new URL("/healthz", origin);
  return {
    healthz: () => get(healthz),
    get: (count) => get(service(count)),
    setHA: (count) => post(service(count, "/setHA"), { replica_count: 0, sync_replica_count: 0 }),
    resize: (count) => post(service(count, "/resize"), { cpu_millis: "500", memory_gbs: "2" }),
  };
}
