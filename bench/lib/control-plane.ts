/** The control plane under test: a process of its own, with a home and a port of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { Value } from "typebox/value";
import { HOME_FILES } from "../../src/lib/home.ts";
import { freePort } from "../../test/support/free-port.ts";
import { type Api, Credentials, createApi } from "./api.ts";
import { Fatal, messageOf, until, within } from "./deadline.ts";

/** Two pairs that differ in CPU alone, and two in memory. */
export const BENCH_SIZES = "500/2,1000/2,1000/4,2000/8";

const PROJECT = path.join(import.meta.dirname, "../..");
const START_DEADLINE_MS = 120_000;
const POLL_MS = 50;
const PROBE_TIMEOUT_MS = 2_000;
const STOP_DEADLINE_MS = 20_000;
const LINES_KEPT = 10;

export interface ControlPlane {
  readonly api: Api;
  /** Of the process, without a path. */
  readonly origin: string;
  /** What the process wrote last, where it has ended by itself; else null. */
  readonly ended: () => string | null;
  /** Ends the process and removes its home; services go on. */
  readonly stop: () => Promise<void>;
}

/**
 * Returns once it answers that it is ready. Throws with the process's last words where it ends or takes too long;
 * nothing of it is left then but what is in the engine.
 */
export async function startControlPlane(
  runId: string,
  signal: AbortSignal,
  platform: "docker" | "simulated" = "docker",
): Promise<ControlPlane> {
  const home = await mkdtemp(path.join(tmpdir(), "howdah-bench-"));
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [path.join(PROJECT, "src/main.ts"), "start", "--platform", platform],
    {
      cwd: PROJECT,
      env: environment({ home, port, runId }),
      stdio: ["ignore", "pipe", "pipe"],
      // A terminal's Ctrl-C is for the bench alone, which still needs the API to delete what it measures.
      detached: true,
    },
  );
  const lines = lastLines(child);
  const ended = () =>
    hasEnded(child)
      ? [`the control plane has ended (${child.signalCode ?? child.exitCode})`, ...lines].join("\n")
      : null;
  const stop = async () => {
    await end(child);
    await rm(home, { recursive: true, force: true });
  };
  const origin = `http://127.0.0.1:${port}`;
  try {
    const credentials = await until(
      { what: "the control plane's start", deadlineMs: START_DEADLINE_MS, everyMs: POLL_MS, signal },
      async () => {
        if (hasEnded(child)) throw new Fatal(new Error("the control plane did not start"));
        const ready = await fetch(`${origin}/readyz`, { signal: within(PROBE_TIMEOUT_MS, signal) });
        await ready.arrayBuffer();
        return ready.status === 200 ? await readCredentials(home) : undefined;
      },
    );
    return { api: createApi(credentials, signal), origin, ended, stop };
  } catch (error) {
    await stop();
    throw lines.length === 0 || signal.aborted
      ? error
      : new Error(`${messageOf(error)}\n${lines.join("\n")}`, { cause: error });
  }
}

/** The person's environment, except for their own installation's settings. */
function environment({
  home,
  port,
  runId,
}: {
  home: string;
  port: number;
  runId: string;
}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("HOWDAH_") && name !== "DATABASE_URL",
  );
  return {
    ...Object.fromEntries(inherited),
    NO_COLOR: "1",
    HOWDAH_HOME: home,
    HOWDAH_HOST: "127.0.0.1",
    HOWDAH_PORT: String(port),
    HOWDAH_SIZES: BENCH_SIZES,
    HOWDAH_TEST_LABEL: runId,
    // The bench asks faster than any client is meant to.
    HOWDAH_RATE_LIMIT: "1000000",
    // The bench receives what it makes the control plane send.
    HOWDAH_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
  };
}

async function readCredentials(home: string): Promise<Credentials> {
  const file = path.join(home, HOME_FILES.credentials);
  return Value.Parse(Credentials, JSON.parse(await readFile(file, "utf8")));
}

/** What it wrote last, without the requests and steps that went well. */
function lastLines(child: ChildProcess): readonly string[] {
  const kept: string[] = [];
  for (const output of [child.stdout, child.stderr]) {
    if (!output) continue;
    createInterface({ input: output }).on("line", (line) => {
      if (line.includes('"level":"info"')) return;
      kept.push(line);
      if (kept.length > LINES_KEPT) kept.shift();
    });
  }
  child.on("error", (error) => kept.push(error.message));
  return kept;
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const killer = setTimeout(() => child.kill("SIGKILL"), STOP_DEADLINE_MS);
  await exited;
  clearTimeout(killer);
}
