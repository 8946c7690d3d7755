import { createServer } from "node:http";
import { type ControlPlane, startControlPlane } from "../lib/control-plane.ts";
import { type HttpRequest, loadHttp } from "../lib/http-load.ts";
import type { Bench, Measurement, Samples } from "../lib/measurement.ts";
import { CHANGE_DEADLINE_MS } from "../lib/service.ts";

const READERS = 100;
const SERVICES = 4;
const CLIENTS = 20;
/** 200 requests a second, each of which is one event. */
const EVERY_MS = 100;
/** Of one reader in so many the delay is kept; all of them are counted. */
const SAMPLED = 10;
const LAST_EVENTS_MS = 10_000;
const MS = 1_000;

const QUIET = { title: "the same without readers and webhook", series: "alone" };

/** On simulated databases: an event is written and passed on whatever it tells of. */
export const events: Measurement = {
  name: "events",
  title: `200 events a second to ${READERS} streams, beside a webhook whose receiver hangs`,
  rows: [
    { title: "request sent → its event at a reader", series: "delay", unit: "ms" },
    { title: "request → 200", series: "answer", unit: "ms", baseline: QUIET },
    { title: "events missing, twice or out of order, all readers", series: "wrong", unit: "count" },
    {
      title: "CPU of the control plane in a second",
      series: "cpu",
      unit: "ms",
      baseline: { ...QUIET, series: "cpu alone" },
    },
  ],
  run: async (bench, samples) => {
    const controlPlane = await startControlPlane(bench.runId, bench.signal, "simulated");
    const receiver = createServer(() => undefined);
    const readers: Reader[] = [];
    try {
      const urls = await createServices(controlPlane);
      bench.report("without readers");
      await measure(bench, samples, controlPlane, urls, { answer: "alone", cpu: "cpu alone" });
      bench.report(`with ${READERS} readers`);
      await new Promise<void>((resolve) => {
        receiver.listen(0, "127.0.0.1", resolve);
      });
      await createWebhook(controlPlane, receiver.address());
      for (let index = 0; index < READERS; index += 1)
        readers.push(await openReader(controlPlane, bench.signal, index % SAMPLED === 0 ? samples : null));
      const sent = await measure(bench, samples, controlPlane, urls, { answer: "answer", cpu: "cpu" });
      samples.add("wrong", await countWrong(readers, sent));
    } finally {
      for (const reader of readers) reader.close();
      receiver.closeAllConnections();
      receiver.close();
      await controlPlane.stop();
    }
  },
};

async function createServices({ api }: ControlPlane): Promise<readonly string[]> {
  const created = Array.from({ length: SERVICES }, (_, index) =>
    api.createService({ name: `told ${index}`, cpu_millis: "shared" }),
  );
  const ids = (await Promise.all(created)).map(({ service }) => service.service_id);
  await Promise.all(ids.map((id) => api.untilReady(id, CHANGE_DEADLINE_MS)));
  return ids.map((id) => `${api.serviceUrl(id)}/rename`);
}

/** Returns how many events it has caused. */
async function measure(
  bench: Bench,
  samples: Samples,
  controlPlane: ControlPlane,
  urls: readonly string[],
  series: { readonly answer: string; readonly cpu: string },
): Promise<number> {
  const next = (count: number): HttpRequest => ({
    method: "POST",
    url: new URL(urls[count % urls.length] ?? ""),
    headers: { ...controlPlane.api.authorization, "content-type": "application/json" },
    body: JSON.stringify({ name: `${count} ${performance.now()}` }),
    expected: 200,
  });
  const cpuBefore = await cpuSeconds(controlPlane);
  const durationMs = bench.loadSeconds * MS;
  const load = { clients: CLIENTS, durationMs, everyMs: EVERY_MS, signal: bench.signal };
  const result = await loadHttp(next, load);
  for (const ms of result.latenciesMs) samples.add(series.answer, ms);
  samples.add(series.cpu, ((await cpuSeconds(controlPlane)) - cpuBefore) * (MS / (result.elapsedMs / MS)));
  if (result.errors > 0) throw new Error(`${result.errors} requests were not answered`);
  return result.latenciesMs.length;
}

async function cpuSeconds({ origin }: ControlPlane): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^process_cpu_seconds_total ([\d.]+)/m.exec(text)?.[1] ?? Number.NaN);
}

async function createWebhook(
  { api }: ControlPlane,
  address: ReturnType<ReturnType<typeof createServer>["address"]>,
) {
  if (address === null || typeof address === "string") throw new Error("the receiver listens nowhere");
  const response = await fetch(api.servicesUrl.replace(/services$/, "webhooks"), {
    method: "POST",
    headers: { ...api.authorization, "content-type": "application/json" },
    body: JSON.stringify({ url: `http://127.0.0.1:${address.port}/` }),
  });
  if (!response.ok) throw new Error(`the webhook was refused: ${await response.text()}`);
}

interface Reader {
  /** Numbers of the requests whose events came, in the order in which they came. */
  readonly ids: readonly number[];
  close(): void;
}

/** @param samples null: how late its events are is not kept */
async function openReader(
  { api }: ControlPlane,
  signal: AbortSignal,
  samples: Samples | null,
): Promise<Reader> {
  const controller = new AbortController();
  const response = await fetch(api.servicesUrl.replace(/services$/, "events?type=service.renamed"), {
    headers: { ...api.authorization, accept: "text/event-stream" },
    signal: AbortSignal.any([signal, controller.signal]),
  });
  const ids: number[] = [];
  const decoder = new TextDecoder();
  let rest = "";
  const reading = async () => {
    for await (const chunk of response.body ?? []) {
      const now = performance.now();
      // As little as tells what came: a hundred readers in this process must not be what is measured.
      const text = rest + decoder.decode(chunk, { stream: true });
      const whole = text.lastIndexOf("\n\n") + 2;
      rest = text.slice(whole);
      for (const [, id] of text.slice(0, whole).matchAll(/^id: (\d+)\nevent:/gm)) ids.push(Number(id));
      if (!samples) continue;
      for (const [, sentAt] of text.slice(0, whole).matchAll(/"name":"\d+ ([\d.]+)"/g))
        samples.add("delay", now - Number(sentAt));
    }
  };
  reading().catch(() => undefined);
  return { ids, close: () => controller.abort() };
}

/** What the first reader has got is what all others should have. */
async function countWrong(readers: readonly Reader[], sent: number): Promise<number> {
  const deadline = performance.now() + LAST_EVENTS_MS;
  while (readers.some(({ ids }) => ids.length < sent) && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const [first] = readers;
  const expected = first ? first.ids : [];
  return readers.reduce((wrong, { ids }) => {
    const missing = Math.abs(sent - new Set(ids).size);
    const twice = ids.length - new Set(ids).size;
    const disordered = ids.filter((id, index) => id !== expected[index]).length;
    return wrong + missing + twice + disordered;
  }, 0);
}
