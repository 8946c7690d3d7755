/**
 * Settings of the database as a person changes them: over HTTP, and seen by SHOW through the service's endpoint. One
 * service of the smallest size lives through all of it in order. The last tests take every parameter to its ends.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type Docker from "dockerode";
import { Client } from "pg";
import { Value } from "typebox/value";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Parameter, Parameters } from "../../src/contract/parameters.ts";
import type { Service } from "../../src/contract/service.ts";
import { memberContainer, runSql } from "../support/docker-engine.ts";
import type { Installation } from "../support/installation.ts";
import { openTrial, type Trial } from "../support/trial.ts";

type Choice = Readonly<Record<string, string | number | boolean | null>>;

let trial: Trial;
let installation: Installation;
let tuned: Service;
/** As it was before anything was changed. */
let first: readonly Parameter[];

beforeAll(async () => {
  trial = await openTrial();
  ({ installation } = trial);
  const { service } = await installation.ask("POST", "", { name: "tuned", cpu_millis: "shared" });
  tuned = service;
  await installation.until(tuned.service_id, "READY");
  first = await list();
});

afterAll(async () => {
  await trial?.dispose();
});

test("everything in the list is in force inside PostgreSQL, as it is written there", async () => {
  expect(await shown()).toEqual(wanted(first));
  for (const { value, wanted_value, size_value, restart_due } of first)
    expect({ value, size_value, restart_due }).toEqual({
      value: wanted_value,
      size_value: wanted_value,
      restart_due: false,
    });
});

test("a change that needs no restart reaches sessions that are open, and ends none", async () => {
  const client = await connect();
  const before = await client.query("select pg_backend_pid(), pg_postmaster_start_time()");
  await change({ work_mem: "12MB", jit: false, autovacuum_naptime: "30s", log_min_duration_statement: 250 });
  await ready();
  expect((await client.query("select pg_backend_pid(), pg_postmaster_start_time()")).rows).toEqual(
    before.rows,
  );
  const { rows } = await client.query(
    "select name, current_setting(name) as value from unnest(array['work_mem', 'jit', 'autovacuum_naptime', " +
      "'log_min_duration_statement']) as name",
  );
  await client.end();
  expect(rows).toEqual([
    { name: "work_mem", value: "12MB" },
    { name: "jit", value: "off" },
    { name: "autovacuum_naptime", value: "30s" },
    { name: "log_min_duration_statement", value: "250ms" },
  ]);
});

test("a change that needs a restart is in force once the service is READY, and the data is still there", async () => {
  await sql("create table kept as select 42 as answer");
  const answer = await change({ max_connections: 80, shared_buffers: "192MB" });
  expect(answer).toMatchObject({
    max_connections: { wanted_value: "80", value: "100", restart_due: true },
    shared_buffers: { wanted_value: "192MB", value: "256MB", restart_due: true },
  });
  await ready();
  expect(await shown()).toMatchObject({ max_connections: "80", shared_buffers: "192MB", work_mem: "12MB" });
  expect(await sql("select answer from kept")).toEqual([{ answer: 42 }]);
  expect(byName(await list())["max_connections"]).toMatchObject({ value: "80", restart_due: false });
});

test("what PostgreSQL could not start with is refused, and changes nothing", async () => {
  const before = await list();
  for (const parameters of [
    { shared_buffers: "8GB" },
    { max_connections: 100_000 },
    { wal_level: "minimal" },
  ]) {
    const response = await installation.request("PATCH", `/${tuned.service_id}/parameters`, { parameters });
    expect(response.status).toBe(400);
    await response.body?.cancel();
  }
  expect(await list()).toEqual(before);
});

test("what is cleared is again as the size has it", async () => {
  await clear();
  await ready();
  expect(await list()).toEqual(first);
  expect(await shown()).toEqual(wanted(first));
});

test("a change on a paused service is kept, and in force when it runs again", async () => {
  await installation.ask("POST", `/${tuned.service_id}/stop`);
  await installation.until(tuned.service_id, "PAUSED");
  await change({ max_connections: 90, work_mem: "9MB" });
  await installation.until(tuned.service_id, "PAUSED");
  expect(byName(await list())).toMatchObject({
    max_connections: { value: null, wanted_value: "90" },
    work_mem: { value: null, wanted_value: "9MB" },
  });
  await installation.ask("POST", `/${tuned.service_id}/start`);
  await ready();
  expect(await shown()).toMatchObject({ max_connections: "90", work_mem: "9MB" });
});

describe("PostgreSQL starts, takes a write and has it all in force", () => {
  const lowest = ({ min, options }: Parameter) => min ?? options?.at(0) ?? "off";
  const highest = ({ max, options }: Parameter) => max ?? options?.at(-1) ?? "on";
  const numbers = (choose: (parameter: Parameter) => string | undefined): Choice =>
    Object.fromEntries(
      first.flatMap((parameter) => {
        const value = choose(parameter);
        return value === undefined ? [] : [[parameter.name, value]];
      }),
    );

  test.each<[string, () => Choice]>([
    ["with every parameter at its lowest", () => numbers(lowest)],
    ["with every parameter at its highest", () => numbers(highest)],
    [
      "with the least memory for the most sessions",
      () => ({
        ...numbers(lowest),
        max_connections: byName(first)["max_connections"]?.max ?? "",
        autovacuum_max_workers: 10,
        track_activity_query_size: "64kB",
      }),
    ],
    [
      "with the most memory for the fewest sessions",
      () => ({ ...numbers(highest), max_connections: 75, autovacuum_max_workers: 1 }),
    ],
    ["with every value that stands outside of its range", () => numbers(({ special }) => special)],
    ["with the second option of each", () => numbers(({ options }) => options?.at(1))],
    ["with the third option of each", () => numbers(({ options }) => options?.at(2))],
  ])("%s", async (_, choose) => {
    const chosen = choose();
    const asked = await change(chosen);
    for (const name of Object.keys(chosen)) expect(asked[name]).toMatchObject({ source: "custom" });
    await ready();
    await sql("create table if not exists written (at timestamptz)");
    await sql("insert into written values (now())");
    expect(await shown()).toEqual(wanted(Object.values(asked)));
  });

  test("and with nothing chosen any more", async () => {
    await clear();
    await ready();
    expect(await list()).toEqual(first);
  });
});

test("with a replica, more and fewer sessions come into force on both members, and no write is lost", async () => {
  await installation.ask("POST", `/${tuned.service_id}/setHA`, { replica_count: 1, sync_replica_count: 1 });
  await ready();
  await sql("create table counted (value int)");
  for (const sessions of [90, 75, 100]) {
    await sql(`insert into counted values (${sessions})`);
    await change({ max_connections: sessions });
    await ready();
    const members = await Promise.all([0, 1].map(member));
    const inForce = await Promise.all(members.map((container) => runSql(container, "show max_connections")));
    expect(inForce).toEqual([String(sessions), String(sessions)]);
  }
  expect(await sql("select value from counted")).toEqual([{ value: 90 }, { value: 75 }, { value: 100 }]);
});

async function list(): Promise<readonly Parameter[]> {
  const response = await installation.request("GET", `/${tuned.service_id}/parameters`);
  return Value.Parse(Parameters, await response.json()).parameters;
}

/** What is told of the parameters once the change is accepted. */
async function change(parameters: Choice): Promise<Record<string, Parameter>> {
  const response = await installation.request("PATCH", `/${tuned.service_id}/parameters`, { parameters });
  const body: unknown = await response.json();
  expect([response.status, body]).toEqual([202, expect.anything()]);
  return byName(Value.Parse(Parameters, body).parameters);
}

async function clear(): Promise<void> {
  await change(Object.fromEntries(first.map(({ name }) => [name, null])));
}

async function ready(): Promise<void> {
  await installation.until(tuned.service_id, "READY");
}

function byName(parameters: readonly Parameter[]): Record<string, Parameter> {
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter]));
}

function wanted(parameters: readonly Parameter[]): Record<string, string> {
  return Object.fromEntries(parameters.map(({ name, wanted_value }) => [name, wanted_value]));
}

/** Every parameter as a new session of the tenant's sees it. */
async function shown(): Promise<Record<string, string>> {
  const rows = await sql("select name, current_setting(name) as value from unnest($1::text[]) as name", [
    first.map(({ name }) => name),
  ]);
  return Object.fromEntries(rows.map(({ name, value }) => [String(name), String(value)]));
}

async function sql(text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = await connect();
  try {
    return (await client.query<Record<string, unknown>>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

async function connect(): Promise<Client> {
  const client = new Client({
    host: tuned.endpoint?.host,
    port: tuned.endpoint?.port,
    user: "tsdbadmin",
    password: tuned.initial_password,
    database: "tsdb",
    ssl: { ca: await readFile(path.join(installation.home, "authority.crt"), "utf8") },
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  return client;
}

async function member(ordinal: number): Promise<Docker.Container> {
  return memberContainer(trial.docker, trial.installationId, tuned.service_id, ordinal);
}
