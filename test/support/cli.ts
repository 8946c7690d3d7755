/** The command line without a machine around it: what it writes, asks and runs is kept for the test to look at. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Command } from "commander";
import { afterAll } from "vitest";
import { openPasswordFile, type PasswordFile } from "../../src/cli/passwords/password-file.ts";
import { buildProgram, type Commands } from "../../src/cli/program.ts";
import type { PsqlSession } from "../../src/cli/psql/session.ts";
import { runProgram } from "../../src/cli/run.ts";
import type { Person } from "../../src/cli/service/service-cli.ts";
import { type Client, createClient } from "../../src/client/index.ts";
import { BASE, type TestApi } from "./api.ts";
import { injectFetch } from "./inject-fetch.ts";

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Of `connect`. */
  readonly psql: readonly { readonly session: PsqlSession; readonly args: readonly string[] }[];
}

export interface RunOptions {
  readonly client?: Client;
  /** What the person answers, in this order. Left out: nobody is there. */
  readonly answers?: readonly string[];
  /** What comes on standard input. */
  readonly input?: string;
  readonly psqlExitCode?: number;
  readonly authorityFile?: string;
  /** Presses Ctrl-C once the command waits. */
  readonly interrupted?: boolean;
  /** Presses Ctrl-C later. */
  readonly signal?: AbortSignal;
  readonly terminal?: boolean;
}

export interface TestCli {
  readonly passwords: PasswordFile;
  readonly client: Client;
  /** One with another key. */
  clientOf(apiKey: string): Client;
  /** Runs `howdah service …`, or another group of commands. */
  run(words: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Runs `howdah …`. */
  runAny(words: readonly string[], options?: RunOptions): Promise<Ran>;
}

/** To be called where a test file begins. */
export async function openTestCli(api: TestApi): Promise<TestCli> {
  const home = await mkdtemp(path.join(tmpdir(), "howdah-cli-"));
  afterAll(() => rm(home, { recursive: true }));
  const passwords = openPasswordFile(home);
  const fetch = injectFetch(api.app);
  const clientOf = (apiKey: string) =>
    createClient({ baseUrl: `http://api.test${BASE}`, apiKey, projectId: api.projectId, fetch });
  const client = clientOf(api.key.apiKey);
  const cli: TestCli = {
    passwords,
    client,
    clientOf,
    run: (words, options) => cli.runAny(["service", ...words], options),
    async runAny(words, options = {}) {
      const stdout = collector(options.terminal === true);
      const stderr = collector(options.terminal === true);
      const psql: { session: PsqlSession; args: readonly string[] }[] = [];
      const program = testProgram({
        openServiceCli: async () => ({
          client: options.client ?? client,
          apiUrl: `http://api.test${BASE}`,
          stdout,
          stderr,
          color: true,
          passwords,
          vpcNetwork: (vpcId) => `vpc-network-${vpcId}`,
          authorityFile: options.authorityFile ?? null,
          person: scriptedPerson(options),
          interruptible: (work) =>
            work(
              options.interrupted === true
                ? AbortSignal.abort()
                : (options.signal ?? new AbortController().signal),
            ),
          async runPsql(session, args) {
            psql.push({ session, args });
            return options.psqlExitCode ?? 0;
          },
        }),
      });
      quieten(program, stdout, stderr);
      const exitCode = await runProgram(program, words, stderr);
      return { exitCode, stdout: stdout.text(), stderr: stderr.text(), psql };
    },
  };
  return cli;
}

/** The program with commands that must not be run, but for those that are given. */
export function testProgram(commands: Partial<Commands> = {}): Command {
  const unexpected = async () => {
    throw new Error("this command is not part of the test");
  };
  return buildProgram({
    start: unexpected,
    down: unexpected,
    createKey: unexpected,
    listKeys: unexpected,
    revokeKey: unexpected,
    createProject: unexpected,
    listProjects: unexpected,
    openServiceCli: unexpected,
    completion: { stdout: collector(false), program: "/bin/howdah", listServices: unexpected },
    ...commands,
  });
}

function collector(terminal: boolean) {
  const written: string[] = [];
  return {
    isTTY: terminal,
    columns: 100,
    write: (text: string) => written.push(text),
    text: () => written.join(""),
  };
}

/** Commander writes where the program says, and each command has its own idea of that. */
function quieten(
  command: Command,
  stdout: { write(text: string): unknown },
  stderr: { write(text: string): unknown },
): void {
  command.configureOutput({
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
  });
  for (const one of command.commands) quieten(one, stdout, stderr);
}

function scriptedPerson({ answers, input = "" }: RunOptions): Person {
  const left = [...(answers ?? [])];
  const answer = async () => left.shift() ?? "";
  return { present: answers !== undefined, ask: answer, askSecret: answer, readAll: async () => input };
}
