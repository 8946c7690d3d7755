import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startServer } from "../../../test/support/postgres.ts";
import { scramVerifier } from "../../lib/scram.ts";
import { renderSystemSql, SYSTEM_VERSION } from "./system-sql.ts";

const secrets = {
  adminVerifier: await scramVerifier("first"),
  replicationPassword: "replication secret",
  rewindPassword: "rewind secret",
  monitorPassword: "it's quoted",
  patroniPassword: "patroni secret",
  poolerPassword: "pooler secret",
  poolerKey: "pooler key",
  parent: null,
};
const OWN = ["howdah_monitor", "howdah_pooler", "howdah_replication", "howdah_rewind"];

// Roles belong to a whole server, so this one is not shared.
let server: Awaited<ReturnType<typeof startServer>>;
let superuser: Client;

beforeAll(async () => {
  server = await startServer();
  superuser = await login(new URL(server.url).username);
  await superuser.query(renderSystemSql({ secrets, passwordVersion: 1 }));
  await superuser.query("create database tsdb owner tsdbadmin");
});

afterAll(async () => {
  await superuser.end();
  await server.stop();
});

it("makes tsdbadmin a maker of roles and databases, and nothing more", async () => {
  const { rows } = await superuser.query("select * from pg_roles where rolname = 'tsdbadmin'");
  expect(rows).toMatchObject([
    {
      rolcanlogin: true,
      rolcreatedb: true,
      rolcreaterole: true,
      rolsuper: false,
      rolreplication: false,
      rolbypassrls: false,
    },
  ]);
});

it("tells which version of it and of the password has been applied, and only the monitor besides the superuser", async () => {
  const monitor = await login("howdah_monitor");
  const { rows } = await monitor.query("select system_version, password_version from howdah.applied");
  expect(rows).toEqual([{ system_version: SYSTEM_VERSION, password_version: 1 }]);
  await monitor.end();

  const pooler = await login("howdah_pooler");
  await expect(pooler.query("select * from howdah.applied")).rejects.toThrow("permission denied");
  await pooler.end();
});

it("leaves a password alone that the tenant has changed, until another version is wanted", async () => {
  const changed = await scramVerifier("the tenant's own");
  await superuser.query(`alter role tsdbadmin password '${changed}'`);
  await superuser.query(renderSystemSql({ secrets, passwordVersion: 1 }));
  expect(await adminVerifier()).toBe(changed);

  await superuser.query(renderSystemSql({ secrets, passwordVersion: 2 }));
  expect(await adminVerifier()).toBe(secrets.adminVerifier);
});

it("replaces a password of another service whatever its version was", async () => {
  const parents = await scramVerifier("of the parent");
  await superuser.query(`alter role tsdbadmin password '${parents}'`);
  await superuser.query(renderSystemSql({ secrets, passwordVersion: 2, fresh: true }));
  expect(await adminVerifier()).toBe(secrets.adminVerifier);
});

it("takes a role of our name that a tenant has made before out of the tenant's hands", async () => {
  await superuser.query("drop owned by howdah_pooler; drop role howdah_pooler");
  const tenant = await login("tsdbadmin", "tsdb");
  await tenant.query("create role howdah_pooler createdb login password 'known'; create role accomplice");
  await tenant.query("grant howdah_pooler to accomplice with admin option");
  await superuser.query(renderSystemSql({ secrets, passwordVersion: 2 }));

  await expect(tenant.query("alter role howdah_pooler password 'known'")).rejects.toThrow(
    "permission denied",
  );
  await expect(tenant.query("set role howdah_pooler")).rejects.toThrow("permission denied");
  await tenant.end();
  const { rows } = await superuser.query("select rolcreatedb from pg_roles where rolname = 'howdah_pooler'");
  expect(rows).toEqual([{ rolcreatedb: false }]);
});

it("tells the pooler the verifiers of those who may log in, and of no role of ours", async () => {
  const verifier = await scramVerifier("secret");
  await superuser.query(`
    create role person login password '${verifier}';
    create role expired login password '${verifier}' valid until 'yesterday';
    create role group_only password '${verifier}';
    create role without_password login;
    create role root_like superuser login password '${verifier}';`);
  const pooler = await login("howdah_pooler");
  const lookUp = async (name: string) =>
    (await pooler.query("select * from howdah.pooler_login($1)", [name])).rows;
  expect(await lookUp("person")).toEqual([{ name: "person", verifier }]);
  expect(await lookUp("tsdbadmin")).toHaveLength(1);
  const unknown = [...OWN, "expired", "group_only", "without_password", "root_like", "nobody"];
  expect((await Promise.all(unknown.map(lookUp))).flat()).toEqual([]);
  await pooler.end();
});

it("lets nobody but the pooler look up", async () => {
  for (const role of ["howdah_monitor", "howdah_rewind"]) {
    const client = await login(role);
    await expect(client.query("select * from howdah.pooler_login('tsdbadmin')")).rejects.toThrow(
      "permission denied",
    );
    await client.end();
  }
  const { rows } = await superuser.query(
    "select has_database_privilege('tsdbadmin', 'postgres', 'connect') as postgres, " +
      "has_database_privilege('tsdbadmin', 'template1', 'connect') as template1",
  );
  expect(rows).toEqual([{ postgres: false, template1: false }]);
});

it("changes nothing where anything of it fails", async () => {
  await superuser.query("alter table howdah.applied add constraint never check (password_version < 9)");
  const before = await adminVerifier();
  const other = { ...secrets, adminVerifier: await scramVerifier("other") };
  await expect(superuser.query(renderSystemSql({ secrets: other, passwordVersion: 9 }))).rejects.toThrow(
    "never",
  );
  await superuser.query("rollback");
  expect(await adminVerifier()).toBe(before);
});

async function login(user: string, database = "postgres"): Promise<Client> {
  const url = new URL(server.url);
  url.pathname = `/${database}`;
  url.username = user;
  const client = new Client({ connectionString: url.toString(), connectionTimeoutMillis: 5_000 });
  await client.connect();
  return client;
}

async function adminVerifier(): Promise<unknown> {
  const { rows } = await superuser.query("select rolpassword from pg_authid where rolname = 'tsdbadmin'");
  return rows[0]?.["rolpassword"];
}
