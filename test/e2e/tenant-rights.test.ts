/** What a tenant may do inside a service's server, and above all what not: the known ways out, tried one by one. */
import { type Client, DatabaseError } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Login, startTenantServer, type TenantServer } from "../support/tenant-server.ts";

const NOT_PERMITTED = "42501";
const NOT_AVAILABLE = "0A000";
const INVALID_NAME = "42602";
const INVALID_VALUE = "22023";
const NOT_WHILE_RUNNING = "55P02";
const NO_SUCH_THING = "42704";

const HELPER: Login = { user: "helper", password: "a maker of roles" };

let server: TenantServer;
let admin: Client;

beforeAll(async () => {
  server = await startTenantServer(["time-series", "ai"]);
  admin = await server.connect(server.admin);
  await admin.query(`
    create role helper login createrole createdb password '${HELPER.password}';
    grant create on schema public to helper;
    create table metrics (at timestamptz not null, value text);
    select create_hypertable('metrics', 'at');`);
});

afterAll(async () => {
  await admin?.end();
  await server?.dispose();
});

/** A statement each; with another refusal than a missing privilege where it says so. */
const ATTEMPTS: Readonly<Record<string, readonly (string | readonly [sql: string, code: string])[]>> = {
  "becoming the superuser": [
    "alter role current_user superuser",
    "create role x superuser",
    "create role x replication",
    "create role x bypassrls",
    "create role x in role postgres",
    "grant postgres to current_user",
    "set role postgres",
    "set session authorization postgres",
    "update pg_authid set rolsuper = true",
    "create function f() returns text language sql security definer as 'select ''x'''; alter function f() owner to postgres",
    "create table owned (); alter table owned owner to postgres",
    "create schema authorization postgres",
    "reassign owned by postgres to current_user",
    "alter default privileges for role postgres grant all on tables to current_user",
  ],
  "becoming a role of the system, or changing one": [
    "set role howdah_monitor",
    "grant howdah_pooler to current_user",
    "grant howdah_replication to current_user",
    "alter role howdah_monitor password 'known'",
    "alter role howdah_monitor rename to mine",
    "alter role howdah_monitor set search_path = mine",
    "alter role postgres password 'known'",
    "alter role postgres set search_path = public",
    "alter role all set work_mem = '1MB'",
    "drop role howdah_pooler",
    "drop owned by howdah_monitor",
  ],
  "taking a role of PostgreSQL's": [
    "grant pg_read_server_files to current_user",
    "grant pg_write_server_files to current_user",
    "grant pg_execute_server_program to current_user",
    "grant pg_read_all_data to current_user",
    "grant pg_write_all_data to current_user",
    "grant pg_read_all_settings to current_user",
    "grant pg_read_all_stats to current_user",
    "grant pg_monitor to current_user",
    "grant pg_signal_backend to current_user",
    "grant pg_create_subscription to current_user",
    "grant pg_use_reserved_connections to current_user",
    "grant pg_checkpoint to current_user",
    "grant pg_maintain to current_user",
    "create role x in role pg_execute_server_program",
  ],
  "reading secrets": [
    "select rolpassword from pg_authid",
    "select passwd from pg_shadow",
    "select * from pg_user_mapping",
    "select * from pg_subscription",
    "show primary_conninfo",
    "show howdah.pooler_key",
    "show howdah.pooler_pass",
    "select current_setting('howdah.pooler_key')",
    "show data_directory",
    "show config_file",
    "show hba_file",
    "select * from pg_hba_file_rules",
    "select * from pg_file_settings",
    "select * from pg_ident_file_mappings",
    "select * from pg_config",
  ],
  "reading and writing files": [
    "copy (select 1) to '/tmp/x'",
    "create table copied (line text); copy copied from '/etc/passwd'",
    "copy metrics from '/etc/passwd'",
    "select pg_read_file('/etc/passwd')",
    "select pg_read_file('postgresql.conf')",
    "select pg_read_binary_file('/data/etc/server.key')",
    "select pg_ls_dir('.')",
    "select pg_stat_file('PG_VERSION')",
    "select pg_ls_logdir()",
    "select pg_ls_waldir()",
    "select pg_ls_tmpdir()",
    "select lo_import('/etc/passwd')",
    "select lo_export(lo_create(0), '/tmp/x')",
    "create extension file_fdw",
    ["create extension adminpack", NOT_AVAILABLE],
    [
      "create text search dictionary x (template = synonym, synonyms = '../../../../../etc/passwd')",
      INVALID_VALUE,
    ],
    [
      "create text search dictionary x (template = ispell, dictfile = '../../../etc/passwd', afffile = 'x')",
      INVALID_VALUE,
    ],
    ["create collation x (provider = libc, locale = '../../../tmp/x')", INVALID_VALUE],
  ],
  "running programs": [
    "copy (select 1) to program 'id'",
    "create table copied (line text); copy copied from program 'id'",
    "copy metrics from program 'id'",
    "copy metrics to program 'id'",
    "create function f() returns int language c as 'libc.so.6', 'system'",
    "create function f() returns int language c as '$libdir/howdah_guard', '_PG_init'",
    "create function f() returns int language internal as 'pg_read_file'",
    ["create extension plpython3u", NOT_AVAILABLE],
    ["create extension plperlu", NOT_AVAILABLE],
    "create language mine handler plpgsql_call_handler",
    "load '/tmp/x.so'",
    "load '$libdir/dblink'",
    "set dynamic_library_path = '/tmp'",
    "set session_preload_libraries = 'dblink'",
    "alter role current_user set session_preload_libraries = 'dblink'",
    "create type t (input = int4in, output = int4out)",
    "create access method x type table handler heap_tableam_handler",
    "create text search template x (lexize = dsimple_lexize)",
    "create operator class x for type int4 using btree as function 1 btint4cmp(int4, int4)",
  ],
  "reaching other servers, or this one from its inside": [
    "create extension dblink",
    "create extension postgres_fdw",
    "create foreign data wrapper mine",
    ["create server mine foreign data wrapper postgres_fdw", NO_SUCH_THING],
    "create publication everything for all tables",
    "select pg_create_logical_replication_slot('x', 'pgoutput')",
    "select pg_create_physical_replication_slot('x')",
    "select pg_drop_replication_slot('x')",
  ],
  "running as somebody else, later": [
    "create function f() returns event_trigger language plpgsql as 'begin end'; create event trigger e on ddl_command_start execute function f()",
    "create cast (int as text) without function",
    "create table pg_catalog.mine ()",
    "create function _timescaledb_functions.mine() returns int language sql as 'select 1'",
    "insert into _timescaledb_config.bgw_job select from _timescaledb_config.bgw_job",
    "update _timescaledb_catalog.hypertable set table_name = 'pg_authid'",
    ["select add_job('now', '1h')", NOT_AVAILABLE],
    "select _timescaledb_functions.stop_background_workers()",
    "drop extension timescaledb",
    "alter extension vector update",
    "alter extension vector add table metrics",
  ],
  "governing the server": [
    "alter database postgres set search_path = public",
    "alter database postgres owner to current_user",
    "alter database template1 allow_connections false",
    "grant connect on database postgres to current_user",
    "set session_replication_role = replica",
    "set allow_system_table_mods = on",
    "set zero_damaged_pages = on",
    "set log_statement = 'none'",
    "alter role current_user set log_min_messages = panic",
    ["alter role current_user set archive_command = 'id'", NOT_WHILE_RUNNING],
    "grant alter system on parameter work_mem to current_user",
    "grant set on parameter session_preload_libraries to current_user",
    "set timescaledb.restoring = on",
    "set timescaledb.license = 'timescale'",
    "select pg_reload_conf()",
    "select pg_rotate_logfile()",
    "select pg_switch_wal()",
    "select pg_promote()",
    "select pg_create_restore_point('x')",
    "select pg_backup_start('x')",
    "select pg_terminate_backend(pid) from pg_stat_activity where usename is distinct from current_user and pid <> pg_backend_pid()",
    "select pg_log_backend_memory_contexts(1)",
    "select pg_stat_reset()",
    "checkpoint",
  ],
  "setting what is the guard's": [
    ["set tsdb_admin.unheard_of = 1", INVALID_NAME],
    ["set howdah.unheard_of = 1", INVALID_NAME],
    ["set howdah.pooler_key = 'mine'", NOT_WHILE_RUNNING],
    "set howdah.pooler_pass = 'mine'",
    "alter role current_user set howdah.pooler_pass = 'mine'",
    "select set_config('howdah.pooler_pass', 'mine', false)",
    ["alter role current_user set tsdb_admin.read_only_connection = on", INVALID_VALUE],
  ],
};

/** These cannot be tried inside a transaction. */
const ATTEMPTS_ALONE: readonly string[] = [
  "alter system set work_mem = '1MB'",
  "alter system set archive_command = 'id'",
  "alter system set shared_preload_libraries = ''",
  "create database mine template postgres",
  "drop database postgres",
  "create tablespace mine location '/tmp'",
  "create subscription mine connection 'host=/run user=postgres dbname=postgres' publication x",
];

describe.each([
  ["tsdbadmin", () => server.admin],
  ["a role that tsdbadmin made", () => HELPER],
])("%s", (_, login) => {
  let tenant: Client;

  beforeAll(async () => {
    tenant = await server.connect(login());
  });
  afterAll(() => tenant.end());

  for (const [purpose, attempts] of Object.entries(ATTEMPTS)) {
    it.each(attempts.map((attempt) => (typeof attempt === "string" ? [attempt, NOT_PERMITTED] : attempt)))(
      `is refused ${purpose}: %s`,
      async (sql, code) => {
        await tenant.query("begin");
        const outcome = await attempt(tenant, sql);
        await tenant.query("rollback");
        expect(outcome).toBe(code);
      },
    );
  }

  it.each(ATTEMPTS_ALONE)("is refused: %s", async (sql) => {
    expect(await attempt(tenant, sql)).toBe(NOT_PERMITTED);
  });

  it.each(["postgres", "template1"])("does not get into the database %s", async (database) => {
    await expect(server.connect({ ...login(), database })).rejects.toThrow(/pg_hba.conf rejects/);
    await expect(server.connectPooled({ ...login(), database })).rejects.toThrow("no authentication method");
  });

  it("does not replicate", async () => {
    const { user, password } = login();
    const parameters = { host: "127.0.0.1", dbname: "tsdb", replication: "database", user, password };
    const conninfo = Object.entries(parameters).map(([name, value]) => `${name}='${value}'`);
    await expect(server.run("psql", conninfo.join(" "), "-c", "IDENTIFY_SYSTEM")).rejects.toThrow(
      "permission denied to start WAL sender",
    );
  });

  it("is not made somebody else by a setting of its own", async () => {
    await tenant.query(`alter role ${login().user} set role = postgres`);
    const later = await server.connect(login());
    const { rows } = await later.query("select current_user as name");
    await later.end();
    await tenant.query(`alter role ${login().user} reset role`);
    expect(rows).toEqual([{ name: login().user }]);
  });

  it("does not read a file by way of an external entity", async () => {
    const document = `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>`;
    const { rows } = await tenant.query("select xpath('/a/text()', $1::xml)::text as found", [document]);
    expect(JSON.stringify(rows)).not.toContain("root:");
  });
});

it("does not let roles of the system in from where they do not belong", async () => {
  const roles = ["postgres", "howdah_monitor", "howdah_pooler", "howdah_rewind", "howdah_replication"];
  for (const user of roles) {
    await expect(server.connect({ user, password: "guessed" })).rejects.toThrow("pg_hba.conf rejects");
    await expect(server.connectPooled({ user, password: "guessed" })).rejects.toThrow(
      /no such user|authentication failed/,
    );
  }
  const pooler = { user: "howdah_pooler", password: server.secrets.poolerPassword, database: "postgres" };
  await expect(server.connect(pooler)).rejects.toThrow("valid client certificate");
});

it("keeps connections for those who watch the server, however many a tenant takes", async () => {
  const taken: Client[] = [];
  const takeAll = async () => {
    for (;;) taken.push(await server.connect(HELPER));
  };
  await expect(takeAll()).rejects.toThrow("remaining connection slots are reserved");
  const monitor = { user: "howdah_monitor", password: server.secrets.monitorPassword, database: "postgres" };
  const client = await server.connect(monitor);
  expect((await client.query("select password_version from howdah.applied")).rowCount).toBe(1);
  await Promise.all([client, ...taken].map((open) => open.end()));
});

it("has no language in which a tenant could leave the database", async () => {
  const { rows } = await admin.query("select lanname from pg_language where lanpltrusted order by 1");
  expect(rows).toEqual([{ lanname: "plpgsql" }, { lanname: "sql" }]);
});

it("pins the search path of every function that runs with its owner's rights", async () => {
  const loose = `select oid::regprocedure from pg_proc
    where prosecdef and not exists (select from unnest(proconfig) as setting where setting like 'search_path=pg_catalog%')`;
  for (const database of ["tsdb", "postgres"]) expect(await server.asSuperuser(loose, database)).toBe("");
});

describe("an extension that a tenant may create", () => {
  it("calls nothing of the tenant's while it is made as the superuser", async () => {
    await admin.query("create database trapped");
    const tenant = await server.connect({ ...server.admin, database: "trapped" });
    await tenant.query(TRAPS);
    await tenant.query("select format('a'::text, 'b'::text)");
    const { rows } = await tenant.query(
      "select distinct name from pg_available_extension_versions where trusted and not installed order by 1",
    );
    expect(rows.length).toBeGreaterThan(10);
    for (const { name } of rows) await tenant.query(`create extension if not exists "${name}" cascade`);
    const { rows: caught } = await tenant.query("select distinct running_as from caught");
    await tenant.end();
    expect(caught).toEqual([{ running_as: "tsdbadmin" }]);
  });

  it("takes over no object that the tenant has made before", async () => {
    await admin.query("create database squatted");
    const tenant = await server.connect({ ...server.admin, database: "squatted" });
    await tenant.query(`
      create schema _timescaledb_functions;
      create type citext as (mine text);
      create function unaccent(text) returns text language sql as 'select $1';
      create function crosstab(text) returns setof record language sql as 'select 1';`);
    for (const name of ["timescaledb", "citext", "unaccent", "tablefunc"]) {
      await expect(tenant.query(`create extension ${name}`)).rejects.toThrow(/already exists|not a member/);
    }
    await tenant.end();
  });
});

it("leaves nobody a superuser who was none", async () => {
  const privileged =
    "select rolname from pg_roles where rolsuper or rolreplication or rolbypassrls order by 1";
  expect(await server.asSuperuser(privileged)).toBe("howdah_replication\npostgres");
});

/** The SQLSTATE of the refusal; what came back, where there was none. */
async function attempt(client: Client, sql: string): Promise<unknown> {
  try {
    return await client.query(sql);
  } catch (error) {
    if (error instanceof DatabaseError) return error.code;
    throw error;
  }
}

/** Better matches for what scripts call without a schema than what they mean; each tells who called it. */
const TRAPS = `
  create table caught (running_as name, trap text);
  grant insert on caught to public;
  create function tell(trap text) returns void language sql as
    'insert into public.caught values (current_user, trap)';
  ${[
    ["format(text, text)", "text"],
    ["format(text, name)", "text"],
    ["format(text, text, text)", "text"],
    ["concat(text, text)", "text"],
    ["concat(text, name)", "text"],
    ["quote_ident(name)", "text"],
    ["quote_literal(name)", "text"],
    ["array_length(text[], integer)", "integer"],
    ["max(name)", "name"],
    ["to_regclass(name)", "regclass"],
    ["string_agg(name, text)", "text"],
    ["has_table_privilege(regclass, text)", "boolean"],
  ]
    .map(
      ([signature, type]) =>
        `create function public.${signature} returns ${type} language plpgsql as
          $$begin perform public.tell('${signature}'); return null; end$$;`,
    )
    .join("\n")}
  create function public.joined(text, name) returns text language plpgsql as
    $$begin perform public.tell('||'); return $1 || $2::text; end$$;
  create operator public.|| (leftarg = text, rightarg = name, function = public.joined);
  create function public.same(name, text) returns boolean language plpgsql as
    $$begin perform public.tell('='); return $1::text = $2; end$$;
  create operator public.= (leftarg = name, rightarg = text, function = public.same);
`;
