/**
 * Connections through the pooler, of a whole installation: what pooling does to sessions and transactions, who gets in,
 * and what clients notice when the primary changes. One service lives through it in order.
 */
import type Docker from "dockerode";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../../src/contract/service.ts";
import { LABEL } from "../../src/platforms/docker/names.ts";
import { whatCarries } from "../support/docker-engine.ts";
import type { Installation } from "../support/installation.ts";
import { connectTo, type Login, queryOnce } from "../support/tenant.ts";
import { openTrial, type Trial } from "../support/trial.ts";

const SESSION = "tsdb";
const TRANSACTION = "tsdb_transaction";
/** Which of the two depends on whether PgBouncer has seen the role before. */
const UNKNOWN = /no such user|SASL authentication failed/;
const CUT_OFF = /terminated|ECONNRESET|EPIPE|connection error/;
const SOON = { timeout: 120_000, interval: 200 };

let trial: Trial;
let installation: Installation;
let orders: Service;
let direct: Client;
const open: Client[] = [];

beforeAll(async () => {
  trial = await openTrial();
  ({ installation } = trial);
  orders = (await installation.ask("POST", "", { name: "orders", replica_count: 1 })).service;
  const { initial_password: password } = orders;
  await installation.until(orders.service_id, "READY");
  direct = await connectTo(installation, orders, { password });
  const enabled = await change("enablePooler");
  if (enabled !== 200) throw new Error(`the pooler was not enabled: ${enabled}`);
  const { service } = await installation.ask("GET", `/${orders.service_id}`);
  orders = { ...service, ...(password === undefined ? {} : { initial_password: password }) };
});

afterAll(async () => {
  await Promise.all([...open, ...(direct ? [direct] : [])].map((client) => client.end()));
  await trial?.dispose();
});

describe("a client", () => {
  test("comes in only by TLS", async () => {
    const { host, port } = orders.connection_pooler?.endpoint ?? {};
    const plain = new Client({
      host,
      port,
      user: "tsdbadmin",
      password: orders.initial_password,
      database: SESSION,
    });
    await expect(plain.connect()).rejects.toThrow("SSL required");
  });

  test("finds a certificate of the installation's authority, and of nobody else", async () => {
    const { host, port } = orders.connection_pooler?.endpoint ?? {};
    const stranger = new Client({ host, port, database: SESSION, ssl: { rejectUnauthorized: true } });
    await expect(stranger.connect()).rejects.toThrow(/certificate/);
    // This one checks it against the authority, with the name of the host.
    await pooled();
  });

  test("has to know the password, which is asked for by SCRAM", async () => {
    await expect(pooled({ password: "not this one" })).rejects.toThrow("SASL authentication failed");
  });

  test("reaches no other database than the two, not even the console by its own user", async () => {
    for (const [database, user] of [
      ["postgres", "tsdbadmin"],
      ["howdah_lookup", "tsdbadmin"],
      ["pgbouncer", "tsdbadmin"],
      ["pgbouncer", "pgbouncer"],
    ] as const) {
      await expect(pooled({ database, user })).rejects.toThrow(/no authentication method|not allowed/);
    }
  });
});

describe("a role that the tenant makes", () => {
  const clerk = (password: string) => ({ user: "clerk", password });

  test("logs in without anybody editing a list, in both databases", async () => {
    await direct.query("create role clerk login password 'the first password'");
    for (const database of [SESSION, TRANSACTION]) {
      expect(await once({ ...clerk("the first password"), database }, "select current_user as name")).toEqual(
        [{ name: "clerk" }],
      );
    }
  });

  test("logs in with its new password at once, and no longer with the old one", async () => {
    await direct.query("alter role clerk password 'the second password'");
    await expect(pooled(clerk("the first password"))).rejects.toThrow("SASL authentication failed");
    expect(await once(clerk("the second password"), "select current_user as name")).toEqual([
      { name: "clerk" },
    ]);
  });

  test("stays out once it may no longer log in, or is gone", async () => {
    await direct.query("alter role clerk nologin");
    await expect(pooled(clerk("the second password"))).rejects.toThrow(UNKNOWN);
    await direct.query("alter role clerk login; drop role clerk");
    await expect(pooled(clerk("the second password"))).rejects.toThrow(UNKNOWN);
  });
});

describe("session pooling", () => {
  test("keeps one server session for as long as the client stays", async () => {
    const client = await pooled();
    await client.query("begin; create temporary table kept (id int); commit");
    const first = await pid(client);
    await client.query("set work_mem = '5MB'");
    expect(await pid(client)).toBe(first);
    expect((await client.query("select count(*)::int from kept")).rows).toEqual([{ count: 0 }]);
    await client.end();
  });

  test("gives it to the next client with nothing left in it", async () => {
    const before = await pooled();
    const first = await pid(before);
    await before.query("set work_mem = '5MB'; create temporary table left_behind (id int)");
    await before.end();
    const next = await nextOn(first);
    const [row] = (
      await next.query(
        "select current_setting('work_mem') <> '5MB' as fresh, to_regclass('left_behind') as table",
      )
    ).rows;
    expect(row).toEqual({ fresh: true, table: null });
    await next.end();
  });
});

describe("transaction pooling", () => {
  test("shares one server session among clients, except while a transaction is open", async () => {
    const [one, other] = [await pooled({ database: TRANSACTION }), await pooled({ database: TRANSACTION })];
    const shared = await pid(one);
    expect(await pid(other)).toBe(shared);
    await one.query("begin");
    const held = await pid(one);
    expect(await pid(other)).not.toBe(held);
    expect(await pid(one)).toBe(held);
    await one.query("rollback");
    await Promise.all([one.end(), other.end()]);
  });

  test("takes prepared statements along to whichever server session it is", async () => {
    const [one, other] = [await pooled({ database: TRANSACTION }), await pooled({ database: TRANSACTION })];
    const statement = { name: "square", text: "select $1::int * $1::int as square, pg_backend_pid() as pid" };
    const first = (await one.query(statement, [3])).rows[0];
    expect(first?.square).toBe(9);
    await other.query("begin");
    expect(await pid(other)).toBe(first?.pid);
    const elsewhere = (await one.query(statement, [4])).rows[0];
    expect(elsewhere?.square).toBe(16);
    expect(elsewhere?.pid).not.toBe(first?.pid);
    await other.query("rollback");
    await Promise.all([one.end(), other.end()]);
  });

  test("keeps what the client set for itself, and from everybody else", async () => {
    const [one, other] = [await pooled({ database: TRANSACTION }), await pooled({ database: TRANSACTION })];
    await one.query("set timezone = 'Asia/Tokyo'");
    expect((await other.query("show timezone")).rows).not.toEqual([{ TimeZone: "Asia/Tokyo" }]);
    expect((await one.query("show timezone")).rows).toEqual([{ TimeZone: "Asia/Tokyo" }]);
    await Promise.all([one.end(), other.end()]);
  });

  test("holds more clients than there are server sessions", async () => {
    const clients = await Promise.all(Array.from({ length: 80 }, () => pooled({ database: TRANSACTION })));
    const pids = await Promise.all(clients.map(pid));
    expect(new Set(pids).size).toBeLessThanOrEqual(30);
    await Promise.all(clients.map((client) => client.end()));
  });
});

test("a read-only connection cannot be made writable, and the next client of its server session can write", async () => {
  const options = "-c tsdb_admin.read_only_connection=true";
  for (const database of [SESSION, TRANSACTION]) {
    const reader = await pooled({ database, options });
    await expect(reader.query("create table forbidden (id int)")).rejects.toThrow("read-only");
    await expect(reader.query("set tsdb_admin.read_only_connection = off")).rejects.toThrow("read-only");
    await expect(reader.query("begin read write; create table forbidden (id int)")).rejects.toThrow(
      "read-only",
    );
    await reader.query("rollback");
    const shared = await pid(reader);
    await reader.end();
    const writer = await nextOn(shared, { database });
    await writer.query("create table allowed (id int); drop table allowed");
    await writer.end();
  }
});

test("a pooler that is lost comes back by itself", async () => {
  const pooler = await container("pooler");
  await pooler.remove({ force: true });
  await expect.poll(() => once({}, "select 1 as one").catch(() => null), SOON).toEqual([{ one: 1 }]);
  expect((await container("pooler")).id).not.toBe(pooler.id);
  // A check of the gateway that was under way meanwhile may still count against it, for a quarter of a second.
  await installation.until(orders.service_id, "READY");
  await expect.poll(async () => (await inARow(STEADY)) === STEADY, SOON).toBe(true);
});

/** So many connections take longer than the gateway takes to look again. */
const STEADY = 20;

/** How many connections, one after the other, come through before one does not. */
async function inARow(count: number): Promise<number> {
  for (let done = 0; done < count; done += 1) {
    if ((await once({}, "select 1 as one").catch(() => null)) === null) return done;
  }
  return count;
}

describe("clients between two transactions", () => {
  test("go on once a primary that was killed is back, or another is in its place", async () => {
    const client = await pooled({ database: TRANSACTION });
    await client.query("create table written (id int)");
    await (await memberAt(await server(client))).kill();
    // Nobody is led to a server that only reads, neither by the pooler nor directly.
    const refused: unknown[] = [];
    const write = (login: Partial<Login>) =>
      once(login, "insert into written values (1) returning id").catch((error: unknown) => {
        refused.push(error instanceof Error ? error.message : error);
        return null;
      });
    await expect.poll(() => write({ endpoint: orders.endpoint }), SOON).toEqual([{ id: 1 }]);
    await expect.poll(() => write({ database: TRANSACTION }), SOON).toEqual([{ id: 1 }]);
    expect(refused.filter((message) => /read-only/.test(String(message)))).toEqual([]);
    await client.query("insert into written values (2)");
    await client.end();
    await installation.until(orders.service_id, "READY");
  });

  test("go on with the new primary where a resize hands over the lead", async () => {
    const client = await pooled({ database: TRANSACTION });
    const before = await server(client);
    await installation.ask("POST", `/${orders.service_id}/resize`, { cpu_millis: "1000", memory_gbs: "4" });
    await installation.until(orders.service_id, "READY");
    expect((await client.query("show shared_buffers")).rows).toEqual([{ shared_buffers: "1GB" }]);
    expect(await server(client)).not.toBe(before);
    await client.query("create table after_the_resize (id int)");
    await client.end();
  });
});

test("once it is disabled its port leads nowhere, and direct connections have noticed nothing", async () => {
  await direct.end().catch(() => undefined);
  direct = await connectTo(installation, orders, { password: orders.initial_password });
  const before = await pid(direct);
  const session = await pooled();
  expect(await change("disablePooler")).toBe(200);
  await expect(session.query("select 1")).rejects.toThrow(CUT_OFF);
  await expect(pooled()).rejects.toThrow(CUT_OFF);
  expect(await pid(direct)).toBe(before);
  expect((await installation.ask("GET", `/${orders.service_id}`)).service).not.toHaveProperty(
    "connection_pooler",
  );
  const left = await whatCarries(trial.docker, `${LABEL.service}=${orders.service_id}`);
  expect(left.filter((each) => each.endsWith("-pooler"))).toEqual([]);

  expect(await change("enablePooler")).toBe(200);
  expect(await once({}, "select 1 as one")).toEqual([{ one: 1 }]);
  expect(await pid(direct)).toBe(before);
});

async function pooled(login: Partial<Login> = {}): Promise<Client> {
  const client = await connectTo(installation, orders, {
    password: orders.initial_password,
    endpoint: orders.connection_pooler?.endpoint,
    ...login,
  });
  open.push(client);
  return client;
}

function once(login: Partial<Login>, sql: string): Promise<Record<string, unknown>[]> {
  const { initial_password: password, connection_pooler: pooler } = orders;
  return queryOnce(installation, orders, { password, endpoint: pooler?.endpoint, ...login }, sql);
}

async function server(client: Client): Promise<unknown> {
  return (await client.query("select host(inet_server_addr()) as address")).rows[0]?.address;
}

async function pid(client: Client): Promise<unknown> {
  return (await client.query("select pg_backend_pid() as pid")).rows[0]?.pid;
}

/**
 * The next client of a server session. It is cleaned first, and whoever comes before that is lent another one, and keeps
 * it until the one in question is lent.
 */
async function nextOn(session: unknown, login: Partial<Login> = {}): Promise<Client> {
  const others: Client[] = [];
  while (others.length < 20) {
    const client = await pooled(login);
    if ((await pid(client)) === session) {
      await Promise.all(others.map((other) => other.end()));
      return client;
    }
    others.push(client);
  }
  throw new Error("nobody is lent that session any more");
}

async function change(what: "enablePooler" | "disablePooler"): Promise<number> {
  const response = await installation.request("POST", `/${orders.service_id}/${what}`);
  await response.body?.cancel();
  await installation.settled(orders.service_id);
  return response.status;
}

async function containers(role: string): Promise<Docker.ContainerInfo[]> {
  const label = [
    `${LABEL.installation}=${trial.installationId}`,
    `${LABEL.service}=${orders.service_id}`,
    `${LABEL.role}=${role}`,
  ];
  return trial.docker.listContainers({ filters: { label } });
}

async function container(role: string): Promise<Docker.Container> {
  const [found] = await containers(role);
  if (!found) throw new Error(`there is no ${role}`);
  return trial.docker.getContainer(found.Id);
}

async function memberAt(address: unknown): Promise<Docker.Container> {
  const found = (await containers("member")).find(({ NetworkSettings }) =>
    Object.values(NetworkSettings.Networks).some(({ IPAddress }) => IPAddress === address),
  );
  if (!found) throw new Error(`no member has the address ${String(address)}`);
  return trial.docker.getContainer(found.Id);
}
