import { startControlPlane } from "../lib/control-plane.ts";
import { type HttpRequest, loadHttp } from "../lib/http-load.ts";
import { createManyServices } from "../lib/many-services.ts";
import type { Measurement } from "../lib/measurement.ts";

const SERVICES = 1_000;
const RAW = { title: "GET /healthz", series: "healthz" };

/** On simulated databases: a list is read from the state database, whatever it tells of. */
export const list: Measurement = {
  name: "list",
  title: `Listing ${SERVICES} services, one client`,
  rows: [{ title: "GET of the list → all of it", series: "list", unit: "ms", baseline: RAW }],
  run: async (bench, samples) => {
    const { signal } = bench;
    const controlPlane = await startControlPlane(bench.runId, signal, "simulated");
    const { api, origin } = controlPlane;
    try {
      await createManyServices(bench, controlPlane, SERVICES);
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
      await controlPlane.stop();
    }
  },
};
