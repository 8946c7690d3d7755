/** `npm run bench`: what Howdah takes, beside what the same thing takes without it. See bench/README.md. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type Docker from "dockerode";
import { loadConfig } from "../src/lib/config.ts";
import { randomId } from "../src/lib/ids.ts";
import { ensureEngine } from "../src/setup/engine.ts";
import { createProgress, type Progress } from "../src/setup/progress.ts";
import { ensureServiceImage } from "../src/setup/service-image.ts";
import { type Arguments, readArguments, USAGE } from "./lib/arguments.ts";
import { type ControlPlane, startControlPlane } from "./lib/control-plane.ts";
import { abortable, messageOf } from "./lib/deadline.ts";
import { removeAllOfRun } from "./lib/engine-objects.ts";
import { EXIT_INTERRUPTED, interruption } from "./lib/interruption.ts";
import { machineFacts } from "./lib/machine.ts";
import { type Bench, type Measurement, Samples } from "./lib/measurement.ts";
import { type Measured, type Report, renderText, reportMeasurement } from "./lib/report.ts";
import { writeResults } from "./lib/results.ts";
import { consoleList } from "./measurements/console.ts";
import { create } from "./measurements/create.ts";
import { events } from "./measurements/events.ts";
import { failover } from "./measurements/failover.ts";
import { fork } from "./measurements/fork.ts";
import { ha } from "./measurements/ha.ts";
import { latencyPaced, latencySaturated } from "./measurements/latency.ts";
import { list } from "./measurements/list.ts";
import { losses } from "./measurements/losses.ts";
import { metrics } from "./measurements/metrics.ts";
import { overhead } from "./measurements/overhead.ts";
import { planned } from "./measurements/planned.ts";
import { pooler } from "./measurements/pooler.ts";
import { power } from "./measurements/power.ts";
import { resizeCpu } from "./measurements/resize-cpu.ts";
import { resizeMemory } from "./measurements/resize-memory.ts";

const MEASUREMENTS: readonly Measurement[] = [
  create,
  ha,
  latencyPaced,
  latencySaturated,
  resizeCpu,
  resizeMemory,
  power,
  fork,
  pooler,
  list,
  consoleList,
  events,
  failover,
  planned,
  losses,
  metrics,
  overhead,
];

// Ended here and now: what a person has interrupted (an image being built, say) would keep the process alive.
process.exit(await main());

async function main(): Promise<number> {
  const chosen = chooseArguments();
  if (typeof chosen === "number") return chosen;
  const signal = interruption();
  try {
    return await bench(chosen, signal);
  } catch (error) {
    console.error(`bench: ${messageOf(error)}`);
    return signal.aborted ? EXIT_INTERRUPTED : 1;
  }
}

function chooseArguments(): Arguments | number {
  try {
    const chosen = readArguments(process.argv.slice(2));
    if (!chosen.help) return chosen;
    console.log(USAGE);
    return 0;
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${USAGE}`);
    return 2;
  }
}

async function bench(chosen: Arguments, signal: AbortSignal): Promise<number> {
  const config = loadConfig();
  const progress = createProgress({ output: process.stdout, color: config.color });
  const logFolder = await mkdtemp(path.join(tmpdir(), "howdah-bench-log-"));
  const engine = await progress.step("Container engine", (report) =>
    abortable(ensureEngine({ ...config.engine, logFolder }, report), signal),
  );
  const image = await progress.step("Service image", (report) =>
    abortable(ensureServiceImage(engine, { logFolder }, report), signal),
  );
  await rm(logFolder, { recursive: true, force: true });

  const startedAt = new Date().toISOString();
  const machine = await machineFacts(engine);
  const runId = `bench-${randomId(6)}`;
  let measured: readonly Measured[];
  let clean = false;
  try {
    measured = await measureAll(chosen, { engine, image: image.reference, runId, signal }, progress);
  } finally {
    clean = await cleanUp(engine, runId, progress);
  }
  const report: Report = {
    startedAt,
    machine,
    runs: chosen.runs,
    loadSeconds: chosen.loadSeconds,
    measurements: measured.map(reportMeasurement),
  };
  console.log(`\n${renderText(report)}`);
  if (signal.aborted) return EXIT_INTERRUPTED;
  if (!chosen.quick) {
    console.log(`Written to ${path.relative(process.cwd(), await writeResults(report))}`);
  }
  return clean && measured.every(({ failure }) => failure === null) ? 0 : 1;
}

/** Never throws: what was measured is worth more than a tidy end. */
async function cleanUp(engine: Docker, runId: string, progress: Progress): Promise<boolean> {
  try {
    await progress.step("Cleaning up", () => removeAllOfRun(engine, runId));
    return true;
  } catch (error) {
    console.error(`${messageOf(error)}\nWhat is left carries the label howdah.test=${runId}.`);
    return false;
  }
}

interface Surroundings {
  readonly engine: Docker;
  readonly image: string;
  readonly runId: string;
  readonly signal: AbortSignal;
}

async function measureAll(
  { only, runs, loadSeconds }: Arguments,
  surroundings: Surroundings,
  progress: Progress,
): Promise<readonly Measured[]> {
  const { runId, signal } = surroundings;
  const controlPlane = await progress.step("Control plane", () => startControlPlane(runId, signal));
  const measured: Measured[] = [];
  try {
    for (const measurement of MEASUREMENTS.filter(({ name }) => only.includes(name))) {
      if (signal.aborted) break;
      const bench = { ...surroundings, controlPlane, runs, loadSeconds };
      measured.push(await measure(measurement, bench, progress));
    }
    return measured;
  } finally {
    await controlPlane.stop();
  }
}

/** A measurement that fails is a result too; the next ones go on. */
async function measure(
  measurement: Measurement,
  bench: Omit<Bench, "report">,
  progress: Progress,
): Promise<Measured> {
  const samples = new Samples();
  try {
    await progress.step(measurement.title, (report) => measurement.run({ ...bench, report }, samples));
    return { measurement, samples, failure: null };
  } catch (error) {
    const failure = reasonOf(bench.signal.aborted ? bench.signal.reason : error, bench.controlPlane);
    return { measurement, samples, failure };
  }
}

function reasonOf(error: unknown, controlPlane: ControlPlane): string {
  const words = controlPlane.ended();
  return words === null ? messageOf(error) : `${messageOf(error)}; ${words}`;
}
