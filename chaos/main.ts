/** `npm run chaos`: services that are written to while everything around them breaks. See docs/chaos.md. */
import { closeSync, openSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { EXIT_INTERRUPTED, interruption } from "../bench/lib/interruption.ts";
import { loadConfig } from "../src/lib/config.ts";
import { randomId } from "../src/lib/ids.ts";
import { ensureEngine } from "../src/setup/engine.ts";
import { createProgress } from "../src/setup/progress.ts";
import { ensureServiceImage } from "../src/setup/service-image.ts";
import { type Arguments, type RealArguments, readArguments, USAGE } from "./arguments.ts";
import { describeScheduled, type Scheduled, type Shape } from "./fault.ts";
import { ROUTES } from "./ledger.ts";
import { againInOwnNetwork, startOwnEngine } from "./own-engine.ts";
import { allKept, type Report, renderJson, renderText } from "./report.ts";
import { run } from "./run.ts";
import { scheduleFor } from "./schedule.ts";
import { KEPT_RUNS } from "./seeds.ts";
import type { ServiceUnderTest } from "./service-under-test.ts";
import { createShow } from "./show.ts";
import { chaosSimulated } from "./simulated.ts";

const EXIT_BROKEN = 1;
const EXIT_USAGE = 2;

// Ended here and now: what a person has interrupted (an image being built, say) would keep the process alive.
process.exit(await main());

async function main(): Promise<number> {
  const chosen = chooseArguments();
  if (typeof chosen === "number") return chosen;
  switch (chosen.mode) {
    case "help":
      console.log(USAGE);
      return 0;
    case "simulated":
      return (await chaosSimulated(chosen, console.log)) ? 0 : EXIT_BROKEN;
    case "real":
      return chaos(chosen);
  }
}

function chooseArguments(): Arguments | number {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${USAGE}`);
    return EXIT_USAGE;
  }
}

async function chaos(chosen: RealArguments): Promise<number> {
  const plan = planOf(chosen);
  if (plan === null) {
    console.error(
      `There is no kept run of that name; there are: ${KEPT_RUNS.map(({ name }) => name).join(", ")}`,
    );
    return EXIT_USAGE;
  }
  const { schedule } = plan;
  // With an engine of its own, this program runs again and tells it then.
  if (chosen.dry || !needsOwnEngine(chosen)) tell(chosen, schedule);
  if (chosen.dry) return 0;
  const signal = interruption();
  try {
    return await torment(chosen, plan, signal);
  } catch (error) {
    console.error(`chaos: ${messageOf(error)}`);
    return signal.aborted ? EXIT_INTERRUPTED : EXIT_BROKEN;
  }
}

function tell({ kept, seed }: RealArguments, schedule: readonly Scheduled[]): void {
  console.log(`${kept ?? `Seed ${seed}`}, ${schedule.length} faults:`);
  for (const scheduled of schedule) console.log(`  ${describeScheduled(scheduled)}`);
}

function needsOwnEngine({ extras, engineFolder }: RealArguments): boolean {
  return extras.includes("engine") && engineFolder === null;
}

interface Plan {
  readonly services: readonly Shape[];
  readonly schedule: readonly Scheduled[];
}

/** null: there is no kept run of that name. */
function planOf(chosen: RealArguments): Plan | null {
  if (chosen.kept === null) return { services: chosen.services, schedule: scheduleFor(chosen) };
  return KEPT_RUNS.find(({ name }) => name === chosen.kept) ?? null;
}

async function torment(
  chosen: RealArguments,
  { services: shapes, schedule }: Plan,
  signal: AbortSignal,
): Promise<number> {
  const logFolder = await mkdtemp(path.join(tmpdir(), "howdah-chaos-log-"));
  const logFile = chosen.log ?? path.join(logFolder, "control-plane.log");
  const log = openSync(logFile, "a");
  const config = loadConfig();
  const progress = createProgress({ output: process.stdout, color: config.color });
  const { engineFolder } = chosen;
  const own =
    engineFolder === null
      ? null
      : await progress.step("Engine of its own", () => startOwnEngine(engineFolder));
  const engine = await progress.step("Container engine", (report) =>
    ensureEngine({ ...config.engine, logFolder }, report),
  );
  const image = await progress.step("Service image", (report) =>
    ensureServiceImage(engine, { logFolder }, report),
  );
  if (needsOwnEngine(chosen)) {
    const args = [...process.argv.slice(2), "--seed", String(chosen.seed)];
    return againInOwnNetwork(engine, image.reference, args);
  }

  const startedAt = new Date().toISOString();
  let services: readonly ServiceUnderTest[] = [];
  const show = createShow({ output: process.stdout, status: () => services.map(describeNow) });
  let kept = false;
  try {
    const label = `chaos-${randomId(6)}`;
    show.line(`Everything in the engine carries the label howdah.test=${label}.`);
    const { clients, everyMs } = chosen;
    const result = await run({
      services: shapes,
      clients,
      everyMs,
      engine,
      schedule,
      label,
      log,
      signal,
      ...(own ? { restartEngine: () => own.restart() } : {}),
      happened: (text) => show.line(`${(performance.now() / 1000).toFixed(1).padStart(7)} s  ${text}`),
      began: (tested) => {
        services = tested;
      },
    });
    show.end();
    const report: Report = { ...result, startedAt, chosen, schedule };
    console.log(`\n${renderText(report)}`);
    if (chosen.json !== null) await writeFile(chosen.json, renderJson(report));
    kept = allKept(result);
    return kept ? 0 : EXIT_BROKEN;
  } finally {
    show.end();
    closeSync(log);
    await own?.stop();
    if (kept || chosen.log !== null) await rm(logFolder, { recursive: true, force: true });
    if (!kept || chosen.log !== null) console.log(`What the control plane wrote: ${logFile}`);
  }
}

/** Such as `1s READY       direct 812 ok 3 refused 1 unknown, longest gap 1.2 s; pooled …`. */
function describeNow({ shape, status, ledger }: ServiceUnderTest): string {
  const routes = ROUTES.map((route) => {
    const { acknowledged, refused, unknown, longestGapMs, gapMs } = ledger.tally(route);
    const silent = gapMs > 1_000 ? `, silent for ${seconds(gapMs)}` : "";
    return `${route} ${acknowledged} ok ${refused} refused ${unknown} unknown, longest gap ${seconds(longestGapMs)}${silent}`;
  });
  return `  ${shape.name.padEnd(4)} ${status.padEnd(11)} ${routes.join("; ")}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
