import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { eventually } from "../../test/support/eventually.ts";
import type { Platform } from "../platforms/platform.ts";
import { createSimulatedPlatform } from "../platforms/simulated/simulated-platform.ts";
import { keepRegion, type RegionBook, startRegionUpkeep } from "./region-upkeep.ts";

function memoryBook() {
  const spare = new Set<number>();
  const used = new Set<number>();
  const reported: string[] = [];
  const book: RegionBook = {
    reportProblem: async (code, message) => void reported.push(`${code} ${message}`),
    report: async (code, { cpuMillis }) => void reported.push(`${code} ${cpuMillis}`),
    spareCount: async () => spare.size,
    taken: async () => new Set([...spare, ...used]),
    add: async (_code, ports) => {
      for (const port of ports) spare.add(port);
    },
  };
  return { book, spare, used, reported };
}

const platform: Platform = createSimulatedPlatform({ capacity: { cpuMillis: 2000, memoryBytes: 8e9 } });

test("a region is reported, and has ports ready for many services", async () => {
  const { book, spare, reported } = memoryBook();
  await keepRegion(book, "local", platform);
  expect(reported).toEqual(["local 2000"]);
  expect(spare.size).toBe(128);
});

test("only what is missing is added, and no port that a service has", async () => {
  const { book, spare, used } = memoryBook();
  await keepRegion(book, "local", platform);
  for (const port of [...spare].slice(0, 5)) {
    spare.delete(port);
    used.add(port);
  }
  await keepRegion(book, "local", platform);
  expect(spare.size).toBe(128);
  expect([...spare].filter((port) => used.has(port))).toEqual([]);
});

test("poked, it fills the stock soon", async () => {
  const { book, spare } = memoryBook();
  const upkeep = startRegionUpkeep(book, new Map([["local", platform]]), pino({ enabled: false }));
  upkeep.poke();
  await eventually(() => expect(spare.size).toBe(128));
  await upkeep.stop();
});

test("a platform that does not answer for a while stops nothing", async () => {
  const { book, spare, reported } = memoryBook();
  const freePorts = vi
    .fn<Platform["freePorts"]>((...asked) => platform.freePorts(...asked))
    .mockRejectedValueOnce(new Error("no engine"));
  const regions = new Map([["local", { ...platform, freePorts }]]);
  const upkeep = startRegionUpkeep(book, regions, pino({ enabled: false }));
  upkeep.poke();
  await eventually(() => expect(spare.size).toBe(128));
  expect(freePorts).toHaveBeenCalledTimes(2);
  expect(reported).toContain("local no engine");
  await upkeep.stop();
});

test("a platform that does not answer at all is not waited for, and the operator is told", async () => {
  const { book, reported } = memoryBook();
  const silent: Platform = { ...platform, capacity: () => new Promise(() => undefined) };
  await expect(keepRegion(book, "local", silent, 10)).rejects.toThrow("no answer in 0.01 s");
  expect(reported).toEqual(["local no answer in 0.01 s"]);
});
