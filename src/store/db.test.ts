import { sql } from "kysely";
import { expect, inject, test } from "vitest";
import { cloneDatabase } from "../../test/support/postgres.ts";
import { openTestStore } from "../../test/support/store.ts";
import { connect, isReady, migrate } from "./db.ts";
import { isUnavailable } from "./unavailable.ts";

const { store, databaseUrl } = await openTestStore();

test("the schema can be brought up to date by several processes at once, and again", async () => {
  const empty = await cloneDatabase(inject("postgresUrl"), "template0");
  try {
    await Promise.all([migrate(empty.url), migrate(empty.url), migrate(empty.url)]);
    await migrate(empty.url);
    const fresh = connect({ databaseUrl: empty.url });
    expect(await fresh.db.selectFrom("projects").selectAll().execute()).toEqual([]);
    await fresh.close();
  } finally {
    await empty.drop();
  }
});

test("counts are numbers", async () => {
  const { rows } = await sql<{ count: unknown }>`select count(*) from projects`.execute(store.db);
  expect(rows).toEqual([{ count: 1 }]);
});

test("a statement ends after five seconds at most", async () => {
  const { rows } = await store.pool.query("show statement_timeout");
  expect(rows).toEqual([{ statement_timeout: "5s" }]);
});

test("a statement of the query builder is prepared once a connection, one without parameters not at all", async () => {
  const own = connect({ databaseUrl, poolSize: 1 });
  const prepared = async () => {
    const { rows } = await own.pool.query<{ statement: string }>(
      "select statement from pg_prepared_statements",
    );
    return rows.map(({ statement }) => statement);
  };
  const find = (id: string) => own.db.selectFrom("projects").select("name").where("id", "=", id).execute();
  await find("one");
  await own.db.transaction().execute((trx) => trx.selectFrom("projects").select("name").execute());
  expect(await find("two")).toEqual([]);
  expect(await prepared()).toEqual(['select "name" from "projects" where "id" = $1']);
  await own.close();
});

test("a connection that the server ends takes nothing down, and the next query has another", async () => {
  const { rows } = await store.pool.query<{ pid: number }>("select pg_backend_pid() as pid");
  const trx = await store.db.startTransaction().execute();
  const { rows: mine } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
  for (const { pid } of [...rows, ...mine]) await terminate(pid);
  await expect(sql`select 1`.execute(trx)).rejects.toSatisfy(isUnavailable);
  await trx
    .rollback()
    .execute()
    .catch(() => {});
  expect(await isReady(store)).toBe(true);
});

test("a database that is not there is unavailable", async () => {
  const url = new URL(databaseUrl);
  url.pathname = "/nowhere";
  const elsewhere = connect({ databaseUrl: url.toString() });
  await expect(elsewhere.pool.query("select 1")).rejects.toSatisfy(isUnavailable);
  expect(await isReady(elsewhere)).toBe(false);
  await elsewhere.close();
});

test("a server that is not there is unavailable", async () => {
  const elsewhere = connect({ databaseUrl: "postgresql://nobody@127.0.0.1:1/nowhere" });
  await expect(elsewhere.pool.query("select 1")).rejects.toSatisfy(isUnavailable);
  await elsewhere.close();
});

test("a mistake of ours is not unavailable", async () => {
  await expect(store.pool.query("select nonsense")).rejects.not.toSatisfy(isUnavailable);
  expect(isUnavailable(Object.assign(new Error("no such file"), { code: "ENOENT", syscall: "open" }))).toBe(
    false,
  );
  expect(isUnavailable("timeout")).toBe(false);
});

async function terminate(pid: number) {
  const other = connect({ databaseUrl });
  await other.pool.query("select pg_terminate_backend($1, 5000)", [pid]);
  await other.close();
}
