/** The command line as a person uses it: the real program, a real database, and psql from both places it can come from. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findHostPsql } from "../../src/cli/psql/host-psql.ts";
import { LABEL } from "../../src/platforms/docker/names.ts";
import { whatCarries } from "../support/docker-engine.ts";
import type { Installation } from "../support/installation.ts";
import { openTrial, type Trial } from "../support/trial.ts";

const PROJECT = path.join(import.meta.dirname, "../..");
const COMMAND_TIMEOUT_MS = 100_000;
const SOON = { timeout: 60_000 };
const hostPsql = await findHostPsql();

let trial: Trial;
let installation: Installation;
/** A search path without any program, as on a machine that has no psql. */
let nowhere: string;
let orders: string;

beforeAll(async () => {
  nowhere = await mkdtemp(path.join(tmpdir(), "howdah-path-"));
  trial = await openTrial();
  ({ installation } = trial);
});

afterAll(async () => {
  await rm(nowhere, { recursive: true });
  await trial?.dispose();
});

test("create prints a connection string, tells its steps, and returns when the database is there", async () => {
  const { exitCode, stdout, stderr } = await howdah(["create", "orders"]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringMatching(/Creating member 0.*orders is READY\.\n$/s),
  });
  orders = /\((\w{10})\)/.exec(stdout)?.[1] ?? "";
  expect(stdout).toMatch(/^postgresql:\/\/tsdbadmin:\w{32}@127\.0\.0\.1:\d+\/tsdb\?sslmode=require$/m);
});

const SECURE = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";

test("connect runs the psql of the service image where there is no other, and leaves nothing of it", async () => {
  expect(await howdah(["connect", "orders", "--", "-Atc", SECURE], { path: nowhere })).toMatchObject({
    exitCode: 0,
    stdout: "t\n",
  });
  expect(
    await howdah(["connect", "orders"], { path: nowhere, input: "select 6 * 7 as answer;\n" }),
  ).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("42"),
  });
  const label = [`howdah.test=${installation.label}`, `${LABEL.role}=psql`];
  await expect.poll(() => trial.docker.listContainers({ all: true, filters: { label } }), SOON).toEqual([]);
});

test.skipIf(hostPsql === null)("connect runs the machine's own psql, and ends as that does", async () => {
  expect(await howdah(["connect", "orders", "--", "-Atc", SECURE])).toMatchObject({
    exitCode: 0,
    stdout: "t\n",
  });
  const failed = await howdah(["connect", "orders", "--", "-c", "select nonsense"]);
  expect(failed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("nonsense") });
  expect(failed.stderr).not.toContain("howdah:");
});

test("a read-only session writes nothing", async () => {
  const refused = await howdah(["connect", "orders", "--read-only", "--", "-c", "create table t ()"], {
    path: nowhere,
  });
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("read-only") });
});

test("a new password is the one that connect uses from then on", async () => {
  const secret = "it's a: \\ new one";
  const set = await howdah(["password", "orders", "--password-file", "-"], { input: `${secret}\n` });
  expect(set).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining("new one") });
  const places = hostPsql === null ? [{ path: nowhere }] : [{ path: nowhere }, {}];
  for (const place of places)
    expect(await howdah(["connect", "orders", "--", "-Atc", "select 1"], place)).toMatchObject({
      exitCode: 0,
      stdout: "1\n",
    });
});

test("delete leaves nothing of the service in the engine, and nothing of its password here", async () => {
  expect(await howdah(["delete", "orders", "--yes"])).toMatchObject({ exitCode: 0 });
  expect(await whatCarries(trial.docker, `${LABEL.service}=${orders}`)).toEqual([]);
  expect(await readFile(path.join(installation.home, "pgpass"), "utf8")).toBe("");
  expect(await howdah(["get", "orders"])).toMatchObject({ exitCode: 4, stdout: "" });
});

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `howdah service …` to its end. */
function howdah(
  words: readonly string[],
  { input = "", path: searchPath }: { input?: string; path?: string } = {},
): Promise<Ended> {
  const env = {
    ...process.env,
    HOWDAH_HOME: installation.home,
    HOWDAH_TEST_LABEL: installation.label,
    ...(searchPath === undefined ? {} : { PATH: searchPath }),
  };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["src/main.ts", "service", ...words],
      { cwd: PROJECT, env, timeout: COMMAND_TIMEOUT_MS },
      (_error, stdout, stderr) => resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}
