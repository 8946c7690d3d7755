/** Read-only roles and read-only connections: straight to the server, and through the pooler beside ordinary clients. */
import { type Client, DatabaseError } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Login, startTenantServer, type TenantServer } from "../support/tenant-server.ts";

const READER: Login = { user: "reader", password: "only reads" };
const WRITER: Login = { user: "writer", password: "writes and reads" };
const ON = "-c tsdb_admin.read_only_connection=true";
const READ_ONLY_TRANSACTION = "25006";
const NOT_PERMITTED = "42501";

let server: TenantServer;
let admin: Client;

beforeAll(async () => {
  server = await startTenantServer(["time-series"]);
  admin = await server.connect(server.admin);
  await admin.query(FIXTURE);
});

afterAll(async () => {
  await admin?.end();
  await server?.dispose();
});

/** Whoever writes may write to all of it; the reader has every right but that of not being read-only. */
const FIXTURE = `
  create role reader login password '${READER.password}';
  create role writer login password '${WRITER.password}';
  alter role reader set tsdb_admin.read_only_role = true;
  create table t (a int);
  create table hyper (at timestamptz not null, v int);
  select create_hypertable('hyper', 'at');
  insert into t values (1);
  insert into hyper values (now(), 1);
  create sequence s;
  create view v as select * from t;
  create materialized view m as select * from t;
  create function sneaky() returns void language sql security definer as 'insert into t values (666)';
  create function advance() returns bigint language plpgsql as $$begin return nextval('s'); end$$;
  -- Called an immutable one so that PL/pgSQL takes no snapshot for it.
  create function lift() returns text language plpgsql immutable as
    $$begin return set_config('transaction_read_only', 'off', false); end$$;
  create function as_writable() returns bigint language plpgsql set default_transaction_read_only = off as
    $$begin return nextval('s'); end$$;
  create procedure by_commits() language plpgsql as
    $$begin commit; insert into t values (666); end$$;
  create procedure by_defaults() language plpgsql as $$
    declare x text; y bigint;
    begin
      x := set_config('default_transaction_read_only', 'off', false);
      x := set_config('default_transaction_read_only', 'on', true);
      commit;
      y := nextval('s');
    end$$;
  create procedure by_lifting() language plpgsql as $$
    declare x text; y bigint;
    begin commit; x := lift(); y := nextval('s'); end$$;
  create procedure by_transaction() language plpgsql as $$
    declare y bigint;
    begin rollback; set transaction read write; y := nextval('s'); end$$;
  grant create on schema public to reader, writer;
  grant all on all tables in schema public to reader, writer;
  grant all on all sequences in schema public to reader, writer;`;

/** Of several statements, one after the other on a connection, the last one is refused. */
const WRITES: readonly string[] = [
  "insert into t values (2)",
  "update t set a = 2",
  "delete from t",
  "merge into t using (select 3 as b) as n on a = b when not matched then insert values (b)",
  "with written as (insert into t values (2) returning a) select * from written",
  "insert into v values (2)",
  "insert into hyper values (now(), 2)",
  "copy t from stdin",
  "copy hyper from stdin",
  "copy (insert into t values (2) returning a) to stdout",
  "truncate t",
  "truncate hyper",
  "drop table t",
  "create table mine (a int)",
  "create table mine as select * from t",
  "select * into mine from t",
  "create temporary table mine (a int)",
  "alter table t add column b int",
  "create index on t (a)",
  "comment on table t is 'mine'",
  "create function mine() returns int language sql as 'select 1'",
  "refresh materialized view m",
  "analyze t",
  "vacuum t",
  "reindex table t",
  "select create_hypertable('t', 'a', chunk_time_interval => 10)",
  "select drop_chunks('hyper', older_than => interval '0')",
  "select nextval('s')",
  "select setval('s', 7)",
  "select advance()",
  "select as_writable()",
  "select lo_create(0)",
  "select lo_from_bytea(0, 'x')",
  "select sneaky()",
  "select * from t for update",
  "select * from t for share",
  "select pg_logical_emit_message(true, 'a', 'b')",
  "explain analyze insert into t values (2)",
  "do $$begin insert into t values (2); end$$",
  "do $$begin perform nextval('s'); end$$",
  "do $$declare x bigint; begin x := nextval('s'); end$$",
  "do $$declare x oid; begin x := lo_create(0); end$$",
  "do $$begin execute 'insert into t values (2)'; end$$",
  "call by_commits()",
  "call by_defaults()",
  "call by_lifting()",
  "call by_transaction()",
  "prepare p as insert into t values (2) | execute p",
  "begin | savepoint a | insert into t values (2)",
  "begin | declare c cursor for select * from t | update t set a = 2 where current of c",
  "begin | lock table t in access exclusive mode | commit",
  "begin | insert into t values (2)",
  "begin isolation level serializable | insert into t values (2)",
];

const ESCAPES: readonly string[] = [
  "begin read write",
  "start transaction read write",
  "begin | set transaction read write",
  "begin | set local transaction_read_only = off",
  "set transaction_read_only = off",
  "select set_config('transaction_read_only', 'off', false)",
  "do $$begin commit; set transaction read write; end$$",
  "set session characteristics as transaction read write | insert into t values (2)",
  "set default_transaction_read_only = off | insert into t values (2)",
  "set default_transaction_read_only = off | begin | insert into t values (2)",
  "set default_transaction_read_only = off | select nextval('s')",
  "reset default_transaction_read_only | insert into t values (2)",
  "reset all | insert into t values (2)",
  "discard all | insert into t values (2)",
  "reset session authorization | insert into t values (2)",
  "reset role | insert into t values (2)",
  "begin; set local default_transaction_read_only = off; commit | insert into t values (2)",
];

const OF_CONNECTIONS: readonly string[] = [
  "set tsdb_admin.read_only_connection = off",
  "set session tsdb_admin.read_only_connection to false",
  "set local tsdb_admin.read_only_connection = off",
  "begin | set local tsdb_admin.read_only_connection = off",
  "reset tsdb_admin.read_only_connection",
  "set tsdb_admin.read_only_connection to default",
  "select set_config('tsdb_admin.read_only_connection', 'off', false)",
  "select set_config('tsdb_admin.read_only_connection', 'off', true)",
  "update pg_settings set setting = 'off' where name = 'tsdb_admin.read_only_connection'",
  "set howdah.pooler_pass = 'guessed'",
  "show howdah.pooler_pass",
  "select current_setting('howdah.pooler_pass')",
  "set howdah.pooler_pass = 'none' | set tsdb_admin.read_only_connection = off",
  "begin | savepoint a | rollback to a | set tsdb_admin.read_only_connection = off",
  "begin; set tsdb_admin.read_only_connection = on; rollback | insert into t values (2)",
];

const OF_ROLES: readonly string[] = [
  "set tsdb_admin.read_only_role = off",
  "select set_config('tsdb_admin.read_only_role', 'off', false)",
  "update pg_settings set setting = 'off' where name = 'tsdb_admin.read_only_role'",
  "reset tsdb_admin.read_only_role",
  "alter role reader reset tsdb_admin.read_only_role",
  "alter role reader reset all",
  "set tsdb_admin.read_only_connection = off | insert into t values (2)",
];

const STRAIGHT = (login: Login) => server.connect(login);
const BY_SESSION = (login: Login) => server.connectPooled(login);
const BY_TRANSACTION = (login: Login) => server.connectPooled({ ...login, database: "tsdb_transaction" });

describe.each([
  ["a read-only role", "straight to the server", STRAIGHT, READER, OF_ROLES],
  ["a read-only role", "through the pooler, by session", BY_SESSION, READER, OF_ROLES],
  ["a read-only role", "through the pooler, by transaction", BY_TRANSACTION, READER, OF_ROLES],
  ["a read-only connection", "straight to the server", STRAIGHT, { ...WRITER, options: ON }, OF_CONNECTIONS],
  [
    "a read-only connection",
    "through the pooler, by session",
    BY_SESSION,
    { ...WRITER, options: ON },
    OF_CONNECTIONS,
  ],
  [
    "a read-only connection",
    "through the pooler, by transaction",
    BY_TRANSACTION,
    { ...WRITER, options: ON },
    OF_CONNECTIONS,
  ],
] as const)("%s %s", (_kind, _way, connect, login, ownEscapes) => {
  let reader: Client;
  let before: unknown;

  beforeAll(async () => {
    before = await everything();
    reader = await connect(login);
  });

  afterAll(async () => {
    await reader.end();
  });

  it("reads", async () => {
    expect((await reader.query("select a from t")).rows).toEqual([{ a: 1 }]);
    expect((await reader.query("select v from hyper")).rows).toEqual([{ v: 1 }]);
  });

  it.each(WRITES)("is refused to write: %s", async (statements) => {
    expect(await lastOutcome(reader, statements)).toBe(READ_ONLY_TRANSACTION);
    expect(await everything()).toEqual(before);
  });

  it.each([...ESCAPES, ...ownEscapes])("does not get out by: %s", async (statements) => {
    await lastOutcome(reader, statements);
    expect(await lastOutcome(reader, "insert into t values (3)")).toBe(READ_ONLY_TRANSACTION);
    expect(await everything()).toEqual(before);
  });

  it("is refused by PostgreSQL's own words", async () => {
    await expect(reader.query("insert into t values (2)")).rejects.toThrow(
      "cannot execute INSERT in a read-only transaction",
    );
  });
});

describe("a read-only role", () => {
  it("cannot ask for anything else when it connects", async () => {
    for (const value of ["off", "on"]) {
      const options = `-c tsdb_admin.read_only_role=${value}`;
      await expect(server.connect({ ...READER, options })).rejects.toThrow("permission denied");
      await expect(server.connectPooled({ ...READER, options })).rejects.toThrow(
        "unsupported startup parameter",
      );
    }
  });

  it("is made one for sessions that begin later, and for the pooler's at once", async () => {
    await admin.query("create role changing login password 'pw' in role writer");
    const login = { user: "changing", password: "pw" };
    const pooled = await Promise.all([BY_SESSION(login), BY_TRANSACTION(login)]);
    const insert = (client: Client) =>
      lastOutcome(client, "insert into t values (9) | delete from t where a = 9");
    for (const client of pooled) expect(await insert(client)).toBe(1);

    await admin.query("alter role changing set tsdb_admin.read_only_role = on");
    for (const client of pooled) expect(await insert(client)).toBe(READ_ONLY_TRANSACTION);
    const straight = await server.connect(login);
    expect(await insert(straight)).toBe(READ_ONLY_TRANSACTION);

    await admin.query("alter role changing reset tsdb_admin.read_only_role");
    for (const client of pooled) expect(await insert(client)).toBe(1);
    expect(await insert(straight)).toBe(READ_ONLY_TRANSACTION);
    for (const client of [...pooled, straight]) await client.end();
  });

  it("can be made of a whole database, by its owner", async () => {
    await admin.query("create database archive");
    await admin.query("alter database archive set tsdb_admin.read_only_role = on");
    const login = { ...server.admin, database: "archive" };
    const client = await server.connect(login);
    await expect(client.query("create table mine ()")).rejects.toThrow("read-only transaction");
    await client.end();
    const owner = await server.connect({ ...login, options: "-c tsdb_admin.read_only_role=off" });
    await owner.query("create table mine ()");
    await owner.end();
  });
});

describe("a read-only connection", () => {
  it("begins with SET as well, and then lasts", async () => {
    const client = await server.connect(WRITER);
    await client.query("begin");
    await client.query("set local tsdb_admin.read_only_connection = on");
    await client.query("rollback");
    expect(await lastOutcome(client, "insert into t values (2)")).toBe(READ_ONLY_TRANSACTION);
    await client.end();
  });

  it("does not commit what was written before it began", async () => {
    const client = await server.connect(WRITER);
    const statements = "begin | insert into t values (5) | set tsdb_admin.read_only_connection = on | commit";
    expect(await lastOutcome(client, statements)).toBe(READ_ONLY_TRANSACTION);
    await client.end();
    expect((await admin.query("select from t where a = 5")).rowCount).toBe(0);
  });

  it("takes its temporary tables with it when it ends", async () => {
    const client = await server.connect(WRITER);
    await client.query("create temporary table passing (a int)");
    await client.query("set tsdb_admin.read_only_connection = on");
    expect(await lastOutcome(client, "insert into passing values (1)")).toBe(READ_ONLY_TRANSACTION);
    await client.end();
    await expect
      .poll(async () => (await admin.query("select from pg_class where relname = 'passing'")).rowCount)
      .toBe(0);
  });

  it("reads in parallel", async () => {
    const options = `${ON} -c debug_parallel_query=regress`;
    const client = await server.connect({ ...WRITER, options });
    expect((await client.query("select count(*)::int from t")).rows).toEqual([{ count: 1 }]);
    await client.end();
  });
});

describe("the pooler", () => {
  const kinds = {
    ordinary: WRITER,
    "explicitly writable": { ...WRITER, options: "-c tsdb_admin.read_only_connection=false" },
    "read-only": { ...WRITER, options: ON },
    "read-only in other words": { ...WRITER, options: "-c tsdb_admin.read_only_connection=on" },
  };
  const isReadOnly = (kind: string) => kind.startsWith("read-only");

  it("gives each client what it asked for while all share the same few connections", async () => {
    const clients = await openAll(BY_TRANSACTION);
    const outcomes = await Promise.all(
      clients.map(async ([kind, client]) => {
        const seen = new Set<unknown>();
        const pids = new Set<number>();
        for (let round = 0; round < 60; round += 1) {
          seen.add(await lastOutcome(client, "insert into counted default values"));
          const { rows } = await client.query("select pg_backend_pid() as pid");
          pids.add(rows[0].pid);
        }
        return { kind, seen: [...seen], pids };
      }),
    );
    for (const { kind, seen } of outcomes) {
      expect([kind, seen]).toEqual([kind, isReadOnly(kind) ? [READ_ONLY_TRANSACTION] : [1]]);
    }
    const used = (readOnly: boolean) =>
      outcomes.filter(({ kind }) => isReadOnly(kind) === readOnly).flatMap(({ pids }) => [...pids]);
    const writable = new Set(used(false));
    expect(used(true).some((pid) => writable.has(pid))).toBe(true);

    // Other connections to the server, for the same clients. It waits until the old ones are gone.
    await server.asSuperuser(
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = 'writer'",
    );
    for (const [kind, client] of clients) {
      const outcome = await lastOutcome(client, "insert into counted default values");
      expect([kind, outcome]).toEqual([kind, isReadOnly(kind) ? READ_ONLY_TRANSACTION : 1]);
    }
    for (const [, client] of clients) await client.end();
  });

  it("gives a connection to whoever comes next as that one asked for it", async () => {
    const order = [
      "read-only",
      "ordinary",
      "read-only",
      "explicitly writable",
      "read-only in other words",
      "ordinary",
    ];
    for (const connect of [BY_SESSION, BY_TRANSACTION]) {
      const pids = new Set<unknown>();
      for (const kind of order) {
        const login = Object.entries(kinds).find(([name]) => name === kind)?.[1] ?? WRITER;
        const client = await connect(login);
        const outcome = await lastOutcome(client, "insert into counted default values");
        expect([kind, outcome]).toEqual([kind, isReadOnly(kind) ? READ_ONLY_TRANSACTION : 1]);
        pids.add((await client.query("select pg_backend_pid() as pid")).rows[0].pid);
        await client.end();
      }
      expect(pids.size).toBeLessThan(order.length);
    }
  });

  it("shows nobody the pass, however closely they look", async () => {
    const [readOnly, ordinary] = await Promise.all([
      BY_TRANSACTION(kinds["read-only"]),
      BY_TRANSACTION(WRITER),
    ]);
    const watcher = await server.connect({ ...WRITER, options: ON });
    const work = { goesOn: true };
    const watch = (async () => {
      const seen = new Set<string>();
      while (work.goesOn) {
        const { rows } = await watcher.query(
          "select query from pg_stat_activity where usename = current_user",
        );
        for (const { query } of rows) seen.add(query);
      }
      return [...seen];
    })();
    for (let round = 0; round < 100; round += 1) {
      await readOnly.query("select 'reads', pg_sleep(0.01)");
      await ordinary.query("select 'writes'");
    }
    work.goesOn = false;
    const seen = await watch;
    for (const client of [readOnly, ordinary, watcher]) await client.end();
    expect(seen).toContain("select 'reads', pg_sleep(0.01)");
    expect(seen).toContain("select 'writes'");
    expect(seen.filter((query) => /[0-9a-f]{32}/.test(query))).toEqual([]);
  });

  it("refuses a client that misspells what it asks for", async () => {
    const options = "-c tsdb_admin.read-only-connection=true";
    await expect(server.connectPooled({ ...WRITER, options })).rejects.toThrow(
      "unsupported startup parameter",
    );
    await expect(
      server.connect({ ...WRITER, options: "-c tsdb_admin.read_only_conection=true" }),
    ).rejects.toThrow("invalid configuration parameter name");
  });

  it("keeps a shared session from becoming a read-only role's for everybody", async () => {
    const client = await server.connectPooled({ ...server.admin, database: "tsdb_transaction" });
    expect(await lastOutcome(client, "set tsdb_admin.read_only_role = on")).toBe("22023");
    await client.query("create table still_writes ()");
    await client.query("drop table still_writes");
    await client.end();
  });

  async function openAll(connect: (login: Login) => Promise<Client>): Promise<[string, Client][]> {
    await admin.query(
      "create table if not exists counted (n serial); grant all on counted, counted_n_seq to writer",
    );
    return Promise.all(
      [...Object.entries(kinds), ...Object.entries(kinds)].map(
        async ([kind, login]): Promise<[string, Client]> => [kind, await connect(login)],
      ),
    );
  }
});

it("knows no pooler but by its certificate", async () => {
  const client = await server.connect({ ...WRITER, options: ON });
  expect(await lastOutcome(client, "set howdah.pooler_pass = ''")).toBe(NOT_PERMITTED);
  await client.end();
});

/** The row count of the last statement, or the SQLSTATE of what was refused; nothing stays open. */
async function lastOutcome(client: Client, statements: string): Promise<unknown> {
  let outcome: unknown;
  for (const sql of statements.split(" | ")) {
    try {
      const result: unknown = await client.query(sql);
      const [last] = [result].flat().slice(-1);
      outcome = typeof last === "object" && last !== null && "rowCount" in last ? last.rowCount : null;
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      outcome = error.code;
    }
  }
  await client.query("rollback");
  return outcome;
}

/** What a write would have changed. */
async function everything(): Promise<unknown> {
  const { rows } = await admin.query(`
    select (select array_agg(a) from t) as t, (select count(*) from hyper) as hyper, (select last_value from s) as s,
           (select is_called from s) as called, (select count(*) from pg_largeobject_metadata) as large_objects,
           (select count(*) from pg_class where relpersistence <> 't') as relations`);
  return rows;
}
