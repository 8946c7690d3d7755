/**
 * `npm test`: makes the engine and the image ready, runs every test, and leaves nothing behind.
 * Further arguments go to vitest. The last line is `N passed, N failed`.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type Docker from "dockerode";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { loadConfig } from "../src/lib/config.ts";
import { randomId } from "../src/lib/ids.ts";
import { ensureConsole } from "../src/setup/console.ts";
import { purgeLabelled } from "../src/setup/down.ts";
import { ensureEngine } from "../src/setup/engine.ts";
import { createProgress } from "../src/setup/progress.ts";
import { ensureServiceImage } from "../src/setup/service-image.ts";
import { ensureChromium } from "../test/support/chromium.ts";
import { runTool } from "./run.ts";

/** The part of vitest's JSON report that is counted. */
const Report = Type.Object({
  numPassedTests: Type.Integer(),
  numFailedTests: Type.Integer(),
  /** A file that cannot even be loaded has no tests that could fail. */
  testResults: Type.Array(
    Type.Object({ status: Type.String(), assertionResults: Type.Array(Type.Unknown()) }),
  ),
});

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

const label = `run-${randomId()}`;
const folder = await mkdtemp(path.join(tmpdir(), "howdah-tests-"));
let docker: Docker | null = null;
let counts: Counts = { passed: 0, failed: 1 };
try {
  docker = await setUp();
  counts = await runTests();
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
} finally {
  if (docker) await purgeLabelled(docker, `howdah.test=${label}`);
  await rm(folder, { recursive: true, force: true });
}
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`);
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);

async function setUp(): Promise<Docker> {
  const config = loadConfig();
  const progress = createProgress({ output: process.stdout, color: config.color });
  const engine = await progress.step("Container engine", (report) =>
    ensureEngine({ ...config.engine, logFolder: folder }, report),
  );
  await progress.step("Service image", (report) => ensureServiceImage(engine, { logFolder: folder }, report));
  await progress.step("Console", (report) => ensureConsole(path.join(folder, "console.log"), report));
  await progress.step("Browser", (report) => ensureChromium(folder, report));
  return engine;
}

async function runTests(): Promise<Counts> {
  const reportFile = path.join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
  const { exitCode } = await runTool("vitest", ["run", ...reporters, ...process.argv.slice(2)], {
    env: { HOWDAH_TEST_LABEL: label },
    stdio: "inherit",
  });
  return countTests(await readFile(reportFile, "utf8").catch(() => "null"), exitCode);
}

/** What went wrong outside of every test, such as an error that nobody caught, counts as one that failed. */
function countTests(text: string, exitCode: number): Counts {
  const report: unknown = JSON.parse(text);
  if (!Value.Check(Report, report)) return { passed: 0, failed: 1 };
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  const failed = report.numFailedTests + broken.length;
  return { passed: report.numPassedTests, failed: exitCode === 0 ? failed : Math.max(1, failed) };
}
