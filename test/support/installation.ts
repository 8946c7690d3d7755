/** A whole installation, as a person runs it: the program as a process of its own, with a home that outlives it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Value } from "typebox/value";
import { Plan } from "../../src/contract/plan.ts";
import { Service } from "../../src/contract/service.ts";
import { type Credentials, readCredentialsFile } from "../../src/setup/credentials-file.ts";
import { freePort } from "./free-port.ts";

const PROJECT = path.join(import.meta.dirname, "../..");
const START_DEADLINE_MS = 180_000;
const STATUS_DEADLINE_MS = 150_000;
const COMMAND_TIMEOUT_MS = 120_000;
const REQUEST_TIMEOUT_MS = 30_000;
const END_WITHIN_MS = 60_000;
const POLL_MS = 50;
const UNAVAILABLE = 503;

export interface Answer {
  readonly status: number;
  readonly service: Service;
}

export interface Installation {
  readonly home: string;
  /** The value of the label howdah.test that everything of it carries. */
  readonly label: string;
  start(): Promise<void>;
  /** Ends the control plane as a crash would. */
  kill(): Promise<void>;
  request(method: string, path: string, body?: unknown): Promise<Response>;
  /** A request below the project's services; throws where the answer is no Service. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Waits for a status and returns all that were seen on the way, the last being it. */
  until(serviceId: string, status: string): Promise<readonly string[]>;
  /** Waits until nothing is left to do for a service, also where its status tells nothing of it. */
  settled(serviceId: string): Promise<void>;
  /** Runs the program to its end, as `npm run howdah -- …` does. Throws where it fails. */
  run(...args: string[]): Promise<void>;
  /** Stops and purges, whatever state it is in. */
  dispose(): Promise<void>;
}

export interface InstallationOptions {
  /** The descriptor of a file for what the program writes; left out: this process's standard error. */
  readonly log?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

export async function makeInstallation(
  label: string,
  { log, environment = {} }: InstallationOptions = {},
): Promise<Installation> {
  const home = await mkdtemp(path.join(tmpdir(), "howdah-e2e-"));
  const port = await freePort();
  const env = {
    ...process.env,
    HOWDAH_HOME: home,
    HOWDAH_PORT: String(port),
    HOWDAH_TEST_LABEL: label,
    HOWDAH_LOG_LEVEL: "warn",
    ...environment,
  };
  let child: ChildProcess | null = null;
  let credentials: Credentials | null = null;

  const program = (args: readonly string[]) =>
    spawn(process.execPath, ["src/main.ts", ...args], {
      cwd: PROJECT,
      env,
      stdio: ["ignore", log ?? "ignore", log ?? "inherit"],
    });

  const planOf = async (serviceId: string) =>
    Value.Parse(Plan, await (await installation.request("GET", `/${serviceId}/plan`)).json());

  const installation: Installation = {
    home,
    label,

    async start() {
      child = program(["start"]);
      const deadline = Date.now() + START_DEADLINE_MS;
      while (!(await isReady(port))) {
        if (child.exitCode !== null) throw new Error(`the control plane ended with ${child.exitCode}`);
        if (Date.now() > deadline) throw new Error("the control plane did not become ready");
        await delay(POLL_MS);
      }
      credentials = await readCredentialsFile(home);
    },

    kill: () => end(child, "SIGKILL"),

    async request(method, below, body) {
      if (!credentials) throw new Error("the installation has not been started");
      const { api_url, api_key, project_id } = credentials;
      const url = `${api_url}/projects/${project_id}/services${below}`;
      const ask = () =>
        fetch(url, {
          method,
          headers: {
            authorization: `Bearer ${api_key}`,
            ...(body === undefined ? {} : { "content-type": "application/json" }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        });
      const deadline = Date.now() + REQUEST_TIMEOUT_MS;
      for (;;) {
        const answer = await ask();
        // Nothing was changed then, and whoever asked is to try again.
        if (answer.status !== UNAVAILABLE || Date.now() > deadline) return answer;
        await answer.body?.cancel();
        await delay(POLL_MS);
      }
    },

    async ask(method, below, body) {
      const response = await installation.request(method, below, body);
      return { status: response.status, service: Value.Parse(Service, await response.json()) };
    },

    async until(serviceId, status) {
      const seen: string[] = [];
      const deadline = Date.now() + STATUS_DEADLINE_MS;
      while (seen.at(-1) !== status) {
        if (Date.now() > deadline) {
          const { waiting_for, message } = await planOf(serviceId);
          throw new Error(`never ${status}, but ${seen.join(", ")}: ${waiting_for?.message ?? message}`);
        }
        const now = (await installation.ask("GET", `/${serviceId}`)).service.status;
        if (now !== seen.at(-1)) seen.push(now);
        await delay(POLL_MS);
      }
      return seen;
    },

    async settled(serviceId) {
      const deadline = Date.now() + STATUS_DEADLINE_MS;
      for (;;) {
        const plan = await planOf(serviceId);
        if (plan.outlook === "settled") return;
        if (Date.now() > deadline)
          throw new Error(`still to do: ${plan.steps.map(({ kind }) => kind).join()}`);
        await delay(POLL_MS);
      }
    },

    async run(...args) {
      const process = program(args);
      const timer = setTimeout(() => process.kill("SIGKILL"), COMMAND_TIMEOUT_MS);
      const code: unknown = (await once(process, "exit"))[0];
      clearTimeout(timer);
      if (code !== 0) throw new Error(`${args.join(" ")} ended with ${String(code)}`);
    },

    async dispose() {
      await end(child, "SIGTERM");
      await installation.run("down", "--purge");
      await rm(home, { recursive: true, force: true });
    },
  };
  return installation;
}

async function isReady(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, {
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

async function end(child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  const impatience = setTimeout(() => child.kill("SIGKILL"), END_WITHIN_MS);
  await exited;
  clearTimeout(impatience);
}
