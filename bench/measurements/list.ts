import { startControlPlane } from "../lib/control-plane.ts";
import { type HttpRequest, loadHttp } from "../lib/http-load.ts";
import type { Measurement } from "../lib/measurement.ts";

const SERVICES = 1_000;
/** Creates under way at a time; their room is accounted for one after the other anyway. */
const CREATORS = 8;
const CREATE_TRIES = 200;
const RETRY_MS = 100;
const RAW = { title: "GET /healthz", series: "healthz" };

/** On simulated databases: a list is read from the state database, whatever it tells of. */
export const list: Measurement = {
  name: "list",
  title: `Listing ${SERVICES} services, one client`,
  rows: [{ title: "GET of the list → all of it", series: "list", unit: "ms", baseline: RAW }],
  run: async (bench, samples) => {
    const { signal } = bench;
    const { api, origin, stop } = await startControlPlane(bench.runId, signal, "simulated");
    try {
      let created = 0;
      const creator = async () => {
        for (let tries = 0; created < SERVICES && tries < SERVICES + CREATE_TRIES; tries += 1) {
          signal.throwIfAborted();
          created += 1;
          if (created % 100 === 0) bench.report(`${created} of ${SERVICES} services`);
          try {
            await api.createService({ name: `listed ${created}`, cpu_millis: "shared" });
          } catch (error) {
            // Ports come in batches; a burst of creates waits for the next.
            if (!(error instanceof Error && error.message.includes("port"))) throw error;
            created -= 1;
            await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
          }
        }
      };
      await Promise.all(Array.from({ length: CREATORS }, creator));
      const get = (url: string): HttpRequest => ({
        method: "GET",
        url: new URL(url),
        headers: api.authorization,
        body: null,
        expected: 200,
      });
      const requests = { healthz: get(`${origin}/healthz`), list: get(api.servicesUrl) };
      for (const [series, request] of Object.entries(requests)) {
        const load = { clients: 1, durationMs: bench.loadSeconds * 1_000, everyMs: 0, signal };
        for (const ms of (await loadHttp(() => request, load)).latenciesMs) samples.add(series, ms);
      }
    } finally {
      await stop();
    }
  },
};
