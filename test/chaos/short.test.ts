/** A short seeded run against real containers; `npm run chaos` makes long ones. See docs/chaos.md. */
import { openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { readShapes } from "../../chaos/arguments.ts";
import { describeScheduled } from "../../chaos/fault.ts";
import { run } from "../../chaos/run.ts";
import { scheduleFor } from "../../chaos/schedule.ts";
import { KEPT_RUNS, type KeptRun } from "../../chaos/seeds.ts";
import { randomId } from "../../src/lib/ids.ts";
import { ensureEngine } from "../../src/setup/engine.ts";

const TIMEOUT_MS = 600_000;

const SERVICES = readShapes("0,1s");
const ONE_OF_EACH: KeptRun = {
  name: "seed 1815",
  found: "nothing yet; it shows that all parts of a run work",
  services: SERVICES,
  schedule: scheduleFor({ seed: 1815, durationMs: 15_000, services: SERVICES }),
  short: true,
};

const RUNS = [ONE_OF_EACH, ...KEPT_RUNS.filter(({ short }) => short)];

test.each(RUNS)(
  "no law is broken by $name, which has found: $found",
  {
    timeout: TIMEOUT_MS,
  },
  async ({ name, services, schedule }) => {
    const folder = await mkdtemp(path.join(tmpdir(), "howdah-chaos-"));
    const happened: string[] = [name, ...schedule.map(describeScheduled)];
    const result = await run({
      engine: await ensureEngine({ logFolder: folder }, () => undefined),
      services,
      schedule,
      clients: 2,
      everyMs: 50,
      label: `chaos-${randomId()}`,
      log: openSync(path.join(folder, "control-plane.log"), "a"),
      signal: new AbortController().signal,
      happened: (text) => happened.push(text),
    });
    const broken = result.services.flatMap(({ name: service, verdicts }) =>
      verdicts.filter(({ kept }) => !kept).map(({ law, numbers }) => `${service}: ${law}: ${numbers}`),
    );
    if (broken.length > 0) throw new Error([...broken, "after:", ...happened].join("\n"));
    expect(result.left).toEqual([]);
    expect(result.services).toHaveLength(services.length);
    for (const { evidence } of result.services) expect(evidence.rows?.length).toBeGreaterThan(0);
    await rm(folder, { recursive: true, force: true });
  },
);
