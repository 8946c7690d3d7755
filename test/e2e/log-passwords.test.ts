/** Passwords in statements never get into the log, whatever is logged and however it fails. Everything else does. */

import type { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTenantServer, type TenantServer } from "../support/tenant-server.ts";

const SECRET = "hushhush";
const START_TIMEOUT_MS = 300_000;
const WRITTEN_WITHIN_MS = 60_000;

let server: TenantServer;
let client: Client;

beforeAll(async () => {
  server = await startTenantServer([]);
  await server.asSuperuser("create extension dblink");
  for (const setting of [
    "log_statement = 'all'",
    "log_min_duration_statement = 0",
    "log_parameter_max_length_on_error = -1",
  ])
    await server.asSuperuser(`alter database tsdb set ${setting}`);
  client = await server.connect(server.admin);
}, START_TIMEOUT_MS);

afterAll(async () => {
  await client?.end();
  await server?.dispose();
});

/** Everything that the server has written, as it lies on the disk. */
const log = () => server.run("sh", "-c", "cat /data/log/*.json");

let marks = 0;
/** What was written since the last mark. */
async function written(work: () => Promise<unknown>): Promise<string> {
  const begin = (await log()).length;
  await work();
  marks += 1;
  const mark = `mark ${marks} is reached`;
  await client.query(`select '${mark}'`);
  await expect.poll(log, { timeout: WRITTEN_WITHIN_MS }).toContain(mark);
  return (await log()).slice(begin);
}

const STATEMENTS: readonly (readonly [string, string, string])[] = [
  ["a role with a password", `create role app login password '${SECRET}'`, "create role app login password"],
  ["a password that is changed", `alter role app password '${SECRET}'`, "alter role app password"],
  ["a role that is not there", `alter role nobody password '${SECRET}'`, 'role \\"nobody\\" does not exist'],
  [
    "a syntax error beside the password",
    `alter role app password 'x' '${SECRET}'`,
    "syntax error at or near",
  ],
  ["a syntax error in the password", `alter role app password 'x'${SECRET}'`, "unrecognized role option"],
  ["a password in double quotes", `alter role app password "${SECRET}"`, "syntax error at or near"],
  ["words in other cases", `ALTER Role app PaSsWoRd '${SECRET}'`, "ALTER Role app PaSsWoRd"],
  ["the password ahead of its name", `select '${SECRET}' as password, 1 / 0`, "division by zero"],
  [
    "a block that fails",
    `do $$ begin execute 'alter role app password ''${SECRET}'''; raise exception 'it failed'; end $$`,
    "it failed",
  ],
  [
    "a block that fails inside",
    `do $$ begin execute 'alter role nobody password ''${SECRET}'''; end $$`,
    "does not exist",
  ],
  [
    "a connection by dblink",
    `select dblink_connect('host=192.0.2.1 password=${SECRET} nonsense=1')`,
    "select dblink_connect(",
  ],
  [
    "an address with a password",
    `select 'postgresql://app:${SECRET}@db.example/tsdb'::int`,
    "invalid input syntax",
  ],
  [
    "a row of a table with passwords",
    `insert into accounts values ('${SECRET}'); -- password`,
    "new row for relation",
  ],
  [
    "several statements at once",
    `select 1; alter role app password '${SECRET}'; select 2`,
    "statement: select 1; alter role app password",
  ],
];

test.each(STATEMENTS)("%s is logged without it", async (_, statement, kept) => {
  await server.asSuperuser(
    "create table if not exists accounts (password text check (length(password) > 99))",
  );
  await server.asSuperuser("grant insert on accounts to tsdbadmin");
  const text = await written(() => client.query(statement).catch(() => undefined));
  expect(text).not.toContain(SECRET);
  // The double quotes of a message are escaped where it lies.
  expect(text).toContain(kept);
});

test("values of parameters are logged without passwords", async () => {
  const text = await written(async () => {
    await client.query("select 1 / $1::int, $2::text as password", [0, SECRET]).catch(() => undefined);
    await client
      .query("select 1 / $1::int, $2::text", [0, `host=a password=${SECRET}`])
      .catch(() => undefined);
    await client.query("select $1::text", [`password=${SECRET}`]);
  });
  expect(text).not.toContain(SECRET);
  expect(text).toContain("division by zero");
});

test("the client is told all of the error, as ever", async () => {
  await expect(client.query(`alter role app password 'x' '${SECRET}'`)).rejects.toThrow(SECRET);
});

test("what mentions no password is logged whole", async () => {
  const statement = "select 'a value'::int, 1 as one";
  const text = await written(() => client.query(statement).catch(() => undefined));
  expect(text).toContain(`"statement":${JSON.stringify(statement)}`);
  expect(text).toContain(JSON.stringify('invalid input syntax for type integer: "a value"').slice(1, -1));
});

test("a login that fails is logged with its role, and without its password", async () => {
  const text = await written(() =>
    server.connect({ user: "tsdbadmin", password: SECRET }).catch(() => undefined),
  );
  expect(text).toContain(JSON.stringify('password authentication failed for user "tsdbadmin"').slice(1, -1));
  expect(text).not.toContain(SECRET);
});

test("after all of this, no file of the log has a password in it", async () => {
  expect(await server.run("sh", "-c", "cat /data/log/*")).not.toContain(SECRET);
});

test("queries of clients are counted once, also where triggers and functions run others", async () => {
  await server.asSuperuser(
    `create table counted (n int); create function more() returns trigger language plpgsql as
       $$ begin perform 1; perform 2; return null; end $$;
     create trigger more after insert on counted for each row execute function more();
     grant insert on counted to tsdbadmin`,
  );
  const count = async () => JSON.parse(await server.asSuperuser("show howdah.usage", "postgres")).queries;
  const before = await count();
  await client.query("insert into counted values (1), (2)");
  await client.query("do $$ begin perform 1; perform 2; end $$");
  await client.query("select $1::int", [1]);
  await client.query("begin; select 1; commit");
  expect((await count()) - before).toBe(6);
  await expect(client.query("show howdah.usage")).rejects.toThrow("permission denied");
});
