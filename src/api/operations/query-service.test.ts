/** Queries by HTTP, on a real PostgreSQL in the place of a service's primary. */
import { once } from "node:events";
import http from "node:http";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { BASE, openTestApi } from "../../../test/support/api.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { cloneDatabase } from "../../../test/support/postgres.ts";
import { QUERY_BOUNDS, readQueryFailure } from "../../contract/query.ts";
import type { DatabaseAddress } from "../../lib/database-address.ts";
import { createQueryRunner, type QueriedService } from "../../query/query-runner.ts";

const PASSWORD = "of this test alone";
const USER = "query_tester";

const database = await cloneDatabase(inject("postgresUrl"), inject("templateDatabase"));
const { hostname, port, pathname, searchParams } = new URL(database.url);
const owner = new Client({ connectionString: database.url });

/** What is asked for, and where it leads. */
let asked: QueriedService | null = null;
let locate: () => Promise<DatabaseAddress | null>;
const here = async (): Promise<DatabaseAddress> => ({
  host: searchParams.get("host") ?? hostname,
  port: Number(port),
  authorityPem: null,
});

const api = await openTestApi({
  runQuery: createQueryRunner((service) => {
    asked = service;
    return locate();
  }),
});
const { service_id: id } = await api.create();
const readOnly = await api.newKey("read_only");

beforeAll(async () => {
  await owner.connect();
  await owner.query(`drop role if exists ${USER}`);
  await owner.query(`create role ${USER} login password '${PASSWORD}'`);
  await owner.query(`create table public.t (a int, b text); insert into t values (1, 'one'), (2, null)`);
  await owner.query(`grant all on public.t to ${USER}; grant create on schema public to ${USER}`);
  locate = here;
});

afterAll(async () => {
  await owner.query(`drop owned by ${USER}; drop role ${USER}`);
  await owner.end();
  await database.drop();
});

const PATH = `${api.services}/${id}/query`;

function query(sql: string, more: Record<string, unknown> = {}, apiKey?: string) {
  const login = { password: PASSWORD, user: USER, database: pathname.slice(1) };
  return api.ask("POST", PATH, { sql, ...login, ...more }, apiKey);
}

const rowsOf = async (sql: string) => (await owner.query(sql)).rows;

describe("an answer", () => {
  test("has the values as PostgreSQL writes them, with names and types of columns", async () => {
    const { statusCode, body } = await query(
      "select a, b, 1.50::numeric(10,2) as price, '{1,2}'::int[] from t order by a",
    );
    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toEqual({
      results: [
        {
          command: "SELECT",
          columns: [
            { name: "a", type: "integer" },
            { name: "b", type: "text" },
            { name: "price", type: "numeric(10,2)" },
            { name: "int4", type: "integer[]" },
          ],
          rows: [
            ["1", "one", "1.50", "{1,2}"],
            ["2", null, "1.50", "{1,2}"],
          ],
          row_count: 2,
          truncated: false,
        },
      ],
      notices: [],
      duration_ms: expect.any(Number),
    });
    expect(asked).toEqual({ regionCode: api.regionCode, serviceId: id, readsFrom: null });
  });

  test("has a result for each statement, and what PostgreSQL said beside them", async () => {
    const sql =
      "select 1; create table mine (); do $$begin raise notice 'hello'; end$$; drop table mine; -- nothing";
    const { results, notices } = (await query(sql, { read_only: false })).json();
    expect(results.map(({ command }: { command: string }) => command)).toEqual([
      "SELECT",
      "CREATE TABLE",
      "DO",
      "DROP TABLE",
    ]);
    expect(notices).toEqual([{ severity: "NOTICE", message: "hello" }]);
  });

  test("tells how many rows a statement changed, and it has changed them", async () => {
    const { results } = (await query("insert into t values (3, 'x'), (4, 'y')", { read_only: false })).json();
    expect(results).toMatchObject([{ command: "INSERT", columns: [], rows: [], row_count: 2 }]);
    expect(await rowsOf("delete from t where a > 2 returning a")).toEqual([{ a: 3 }, { a: 4 }]);
  });

  test("has at most twenty results", async () => {
    const { results, notices } = (await query("select 1;".repeat(25))).json();
    expect(results).toHaveLength(QUERY_BOUNDS.results);
    expect(notices).toMatchObject([{ message: "5 more results came; 20 are shown" }]);
  });

  test("tells that a transaction which was left open has been rolled back", async () => {
    const { notices } = (await query("begin; delete from t", { read_only: false })).json();
    expect(notices).toMatchObject([{ severity: "WARNING", message: expect.stringContaining("rolled back") }]);
    expect(await rowsOf("select count(*)::int as n from t")).toEqual([{ n: 2 }]);
  });

  test("COPY in either direction fails or ends, and never hangs", async () => {
    expect((await query("copy t from stdin", { read_only: false })).json()).toMatchObject({
      code: "QUERY_FAILED",
      message: expect.stringContaining("nothing to read"),
    });
    expect((await query("copy t to stdout")).json().results).toMatchObject([
      { command: "COPY", row_count: 2 },
    ]);
  });
});

describe("the bounds", () => {
  test("a read-only query is stopped at its rows, without waiting for the rest", async () => {
    const sql = "select i, pg_sleep(case when i > 20000 then 60 end) from generate_series(1, 20001) i";
    const { results, notices } = (await query(sql, { max_rows: 5 })).json();
    expect(results).toMatchObject([{ command: "SELECT", truncated: true }]);
    expect(results[0].rows.map(([i]: [string]) => i)).toEqual(["1", "2", "3", "4", "5"]);
    expect(notices).toEqual([]);
    const several = (await query(`${sql}; select 2`, { max_rows: 5 })).json();
    expect(several.results).toHaveLength(1);
    expect(several.notices).toMatchObject([{ message: expect.stringContaining("were not run") }]);
  });

  test("one that may write runs to its end, and what is more than its rows is dropped", async () => {
    const sql =
      "insert into t select i from generate_series(100, 119) i returning a; delete from t where a >= 100";
    const { results } = (await query(sql, { read_only: false, max_rows: 5 })).json();
    expect(results).toMatchObject([
      { command: "INSERT", row_count: 20, truncated: true },
      { command: "DELETE", row_count: 20, truncated: false },
    ]);
    expect(results[0].rows).toHaveLength(5);
  });

  test("an answer is never longer than its bound of bytes", async () => {
    const { results } = (await query("select repeat('x', 1000000) from generate_series(1, 100)")).json();
    expect(results[0].truncated).toBe(true);
    expect(results[0].rows).toHaveLength(Math.floor(QUERY_BOUNDS.bytes / 1_000_010));
  });

  test("a row that is larger than any answer ends the query, before all of it has come", async () => {
    const answer = await query("select repeat('x', 200000000)");
    expect(answer.json()).toMatchObject({
      code: "QUERY_FAILED",
      message: "a single row is larger than 16 MB",
    });
  });

  test("a query ends at its time, also where it has lifted PostgreSQL's own limit", async () => {
    for (const sql of ["select pg_sleep(60)", "set statement_timeout = 0; select pg_sleep(60)"]) {
      const answer = await query(sql, { timeout_seconds: 1 });
      expect([answer.statusCode, answer.json().code]).toEqual([422, "QUERY_TIMEOUT"]);
    }
    await eventually(async () => expect(await backends()).toBe(0));
  });

  test("no more than eight of a service run at a time", async () => {
    // They run until they are ended, however long it takes until the last of them has begun.
    const running = Promise.all(Array.from({ length: 8 }, () => query("select pg_sleep(60)")));
    await eventually(async () => expect(await backends()).toBe(8));
    const ninth = await query("select 1");
    expect([ninth.statusCode, ninth.json().code]).toEqual([429, "TOO_MANY_REQUESTS"]);
    expect(ninth.json().message).toContain("8 queries of this service");
    await owner.query("select pg_cancel_backend(pid) from pg_stat_activity where usename = $1", [USER]);
    expect((await running).map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(422));
    expect((await query("select 1")).statusCode).toBe(200);
  });

  test.each([
    [{ sql: "" }, "sql"],
    [{ sql: "x".repeat(QUERY_BOUNDS.sql + 1) }, "sql"],
    [{ sql: "select 1\u0000; drop table t" }, "sql"],
    [{ password: undefined }, "password"],
    [{ max_rows: 10_001 }, "max_rows"],
    [{ timeout_seconds: 0 }, "timeout_seconds"],
    [{ explain: "verbose" }, "explain"],
    [{ readonly: false }, "readonly"],
  ])("refuses %o, naming the field", async (fields, name) => {
    const answer = await query("select 1", fields);
    expect([answer.statusCode, answer.json().code]).toEqual([400, "INVALID_REQUEST"]);
    expect(answer.json().message).toContain(name);
  });
});

const backends = async () =>
  Number((await rowsOf(`select count(*) as n from pg_stat_activity where usename = '${USER}'`))[0].n);

describe("a read-only query", () => {
  test.each([
    "delete from t",
    "commit; delete from t",
    "begin; commit; delete from t",
    "rollback; begin; delete from t; commit",
    "do $$begin delete from t; end$$",
    "explain analyze delete from t",
  ])("cannot write: %s", async (sql) => {
    const answer = await query(sql);
    expect(answer.json()).toMatchObject({ code: "QUERY_FAILED", details: expect.stringContaining("25006") });
    expect(await rowsOf("select count(*)::int as n from t")).toEqual([{ n: 2 }]);
  });

  test("asks the server for a connection that only reads, which its guard then holds to", async () => {
    const { results } = (await query("show tsdb_admin.read_only_connection")).json();
    expect(results[0].rows).toEqual([["true"]]);
  });
});

describe("explain", () => {
  test("gives the plan without running the statement", async () => {
    const { results, plan } = (await query("delete from t", { explain: "plan", read_only: false })).json();
    expect(results).toEqual([]);
    expect(plan).toMatchObject([{ Plan: { "Node Type": "ModifyTable" } }]);
    expect(await rowsOf("select count(*)::int as n from t")).toEqual([{ n: 2 }]);
  });

  test("analyze runs it, and keeps nothing of what it changed", async () => {
    const { plan } = (await query("delete from t", { explain: "analyze", read_only: false })).json();
    expect(plan).toMatchObject([{ Plan: { "Actual Rows": 0 }, "Execution Time": expect.any(Number) }]);
    expect(await rowsOf("select count(*)::int as n from t")).toEqual([{ n: 2 }]);
  });

  test.each(["plan", "analyze"])(
    "takes one statement, so that nothing runs behind it (%s)",
    async (explain) => {
      const answer = await query("select 1; delete from t; commit", { explain, read_only: false });
      expect(answer.json()).toMatchObject({
        code: "QUERY_FAILED",
        details: expect.stringContaining("42601"),
      });
      expect(await rowsOf("select count(*)::int as n from t")).toEqual([{ n: 2 }]);
    },
  );

  test("counts the position of a mistake in the SQL that was sent", async () => {
    for (const explain of ["none", "plan", "analyze"]) {
      const { details } = (await query("select nothing from t", { explain })).json();
      expect(readQueryFailure(details)).toMatchObject({ sqlState: "42703", position: 8 });
    }
  });
});

describe("a failure", () => {
  test("has PostgreSQL's message, and in the details its state, position, hint and detail", async () => {
    const wrong = (await query("selec 1")).json();
    expect(wrong).toEqual({
      code: "QUERY_FAILED",
      message: 'syntax error at or near "selec"',
      details: "SQLSTATE 42601, at character 1",
    });
    const raised =
      "do $$begin raise 'no' using hint = 'try more', detail = 'too few', errcode = 'P0042'; end$$";
    const { details } = (await query(raised)).json();
    expect(details).toMatch(/^SQLSTATE P0042\nDETAIL: too few\nHINT: try more\nCONTEXT: PL\/pgSQL/);
  });

  test.each([
    [{ user: "nobody_at_all" }, 'role "nobody_at_all" does not exist'],
    [{ database: "not_there" }, 'database "not_there" does not exist'],
  ])("of the login is told apart: %o", async (fields, message) => {
    const answer = await query("select 1", fields);
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toEqual({ code: "DATABASE_LOGIN_REFUSED", message });
  });

  test("to reach the service, or to find its primary, says that it takes no connections", async () => {
    for (const nowhere of [
      async () => ({ host: "127.0.0.1", port: 1, authorityPem: null }),
      () => Promise.reject(new Error("the gateway leads to no member")),
    ]) {
      locate = nowhere;
      const answer = await query("select 1");
      locate = here;
      expect(answer.statusCode).toBe(503);
      expect(answer.json().message).toBe("the service takes no connections now");
    }
  });

  test("says where there are no databases at all", async () => {
    locate = async () => null;
    const answer = await query("select 1");
    locate = here;
    expect([answer.statusCode, answer.json().code]).toEqual([400, "NOT_AVAILABLE"]);
  });
});

describe("who may", () => {
  test("a read-only key may read, and not ask for more", async () => {
    expect((await query("select 1", {}, readOnly.apiKey)).statusCode).toBe(200);
    expect((await query("select 1", { read_only: true }, readOnly.apiKey)).statusCode).toBe(200);
    const refused = await query("select 1", { read_only: false }, readOnly.apiKey);
    expect(refused.json()).toEqual({ code: "FORBIDDEN", message: "this API key may only read" });
  });

  test("who is not in the allow-list may not, and who is may, whatever else it has", async () => {
    const { service_id: guarded } = await api.create({ name: "guarded" });
    await setAllowList(guarded, ["192.0.2.0/24"]);
    const from = (remoteAddress: string) =>
      api.app.inject({
        method: "POST",
        url: `${api.services}/${guarded}/query`,
        headers: { authorization: `Bearer ${api.key.apiKey}` },
        payload: { sql: "select 1", password: PASSWORD, user: USER, database: pathname.slice(1) },
        remoteAddress,
      });
    expect((await from("192.0.2.7")).statusCode).toBe(200);
    expect((await from("::ffff:192.0.2.7")).statusCode).toBe(200);
    for (const address of ["127.0.0.1", "198.51.100.1", "::1"]) {
      const refused = await from(address);
      expect([refused.statusCode, refused.json().code]).toEqual([403, "ADDRESS_NOT_ALLOWED"]);
      expect(refused.json().message).toContain(address);
    }
    await setAllowList(guarded, ["127.0.0.1/32"]);
    expect((await from("::1")).statusCode).toBe(200);
  });

  const setAllowList = (serviceId: string, cidrs: readonly string[]) =>
    api.store.db
      .updateTable("services")
      .set({ allow_list: [...cidrs] })
      .where("id", "=", serviceId)
      .execute();

  test("a stopped service is not asked", async () => {
    const { service_id: stopped } = await api.create({ name: "stopped" });
    await api.store.db.updateTable("services").set({ power: "stopped" }).where("id", "=", stopped).execute();
    const answer = await api.ask("POST", `${api.services}/${stopped}/query`, {
      sql: "select 1",
      password: "x",
    });
    expect([answer.statusCode, answer.json().code]).toEqual([409, "CONFLICT"]);
  });

  test("every query is in the audit, and neither the SQL nor the password is", async () => {
    await query("select 'not to be told'");
    const records = await eventually(async () => {
      const page = (await api.ask("GET", `${BASE}/projects/${api.projectId}/audit`)).json();
      expect(page.records[0]).toMatchObject({ operation: "queryService", service_id: id, status: 200 });
      return page.records;
    });
    expect(JSON.stringify(records)).not.toContain(PASSWORD);
    expect(JSON.stringify(records)).not.toContain("not to be told");
  });
});

describe("whoever hangs up", () => {
  test("cancels the statement, and its backend is gone", async () => {
    const listening = await openTestApi({ runQuery: createQueryRunner(here) });
    const { service_id: another } = await listening.create();
    const address = new URL(await listening.app.listen({ host: "127.0.0.1", port: 0 }));
    const request = http.request(`${address.origin}${listening.services}/${another}/query`, {
      method: "POST",
      headers: { authorization: `Bearer ${listening.key.apiKey}`, "content-type": "application/json" },
    });
    const failed = once(request, "error");
    request.end(
      JSON.stringify({
        sql: "select pg_sleep(60)",
        password: PASSWORD,
        user: USER,
        database: pathname.slice(1),
      }),
    );
    await eventually(async () => expect(await backends()).toBe(1));
    request.destroy();
    await failed;
    await eventually(async () => expect(await backends()).toBe(0));
  });

  test("is not waited for when the control plane ends", async () => {
    const ending = await openTestApi({ runQuery: createQueryRunner(here) });
    const { service_id: another } = await ending.create();
    const answer = ending.ask("POST", `${ending.services}/${another}/query`, {
      sql: "select pg_sleep(60)",
      password: PASSWORD,
      user: USER,
      database: pathname.slice(1),
    });
    await eventually(async () => expect(await backends()).toBe(1));
    await ending.app.close();
    expect((await answer).statusCode).toBe(503);
    await eventually(async () => expect(await backends()).toBe(0));
  });
});
