import { pino } from "pino";
import { expect, test } from "vitest";
import { serviceIdentity } from "../../test/support/services.ts";
import { systemClock } from "../lib/clock.ts";
import type { NodeUsage } from "../platforms/platform.ts";
import { createSimulatedPlatform } from "../platforms/simulated/simulated-platform.ts";
import type { NodeSample } from "../store/metric-samples.ts";
import { startSampler } from "./sampler.ts";

const EVERY_MS = 50;
const USAGE: NodeUsage = {
  ordinal: 0,
  role: "primary",
  epoch: "1",
  readAtMs: 1,
  gauges: { connections: 3 },
  counters: {},
};
const IDENTITIES = ["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc"].map((id) => serviceIdentity(id, 20_000));

interface Trial {
  readonly usage: (serviceId: string) => Promise<readonly NodeUsage[]>;
  /** Of each write, in turn; left out: it succeeds. */
  readonly failures?: readonly Error[];
}

/** Samples until there are so many batches. */
async function sample(
  { usage, failures = [] }: Trial,
  batches: number,
): Promise<readonly (readonly NodeSample[])[]> {
  const written: (readonly NodeSample[])[] = [];
  const failing = [...failures];
  const sampler = startSampler({
    book: {
      services: async () => IDENTITIES.map((identity) => ({ regionCode: "here", identity })),
      write: async (samples) => {
        const failure = failing.shift();
        if (failure) throw failure;
        written.push(samples);
      },
      keep: async () => undefined,
    },
    platforms: new Map([
      ["here", { ...createSimulatedPlatform(), usage: ({ serviceId }) => usage(serviceId) }],
    ]),
    clock: systemClock,
    log: pino({ level: "silent" }),
    everyMs: EVERY_MS,
  });
  await expect.poll(() => written.length).toBeGreaterThanOrEqual(batches);
  await sampler.stop();
  return written;
}

test("every service is sampled in every round, at the same moment, and written in one batch", async () => {
  const [first, second] = await sample({ usage: async () => [USAGE] }, 2);
  expect(first?.map(({ serviceId }) => serviceId)).toEqual(IDENTITIES.map(({ serviceId }) => serviceId));
  const moments = new Set(first?.map(({ at }) => at.getTime()));
  expect(moments.size).toBe(1);
  for (const at of moments) expect(at % EVERY_MS).toBe(0);
  expect(second?.[0]?.at).not.toEqual(first?.[0]?.at);
});

test("a service that does not answer has no sample, and holds up no other", async () => {
  const [batch] = await sample(
    { usage: async (id) => (id === "bbbbbbbbbb" ? Promise.reject(new Error("gone")) : [USAGE]) },
    1,
  );
  expect(batch?.map(({ serviceId }) => serviceId)).toEqual(["aaaaaaaaaa", "cccccccccc"]);
});

test("it goes on after the store did not answer", async () => {
  const batches = await sample({ usage: async () => [USAGE], failures: [new Error("no store")] }, 1);
  expect(batches[0]).toHaveLength(IDENTITIES.length);
});
