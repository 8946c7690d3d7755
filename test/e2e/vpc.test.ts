/**
 * A service in a VPC, of a whole installation: who reaches it from where, what an attachment means for everybody else, and
 * what comes back by itself. One service lives through it in order.
 */
import { randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type Docker from "dockerode";
import type { Client } from "pg";
import { Value } from "typebox/value";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../../src/contract/service.ts";
import { Peering, Vpc } from "../../src/contract/vpcs.ts";
import { placeFiles } from "../../src/platforms/docker/container.ts";
import { namesFor } from "../../src/platforms/docker/names.ts";
import { type Ran, runIn } from "../../src/platforms/docker/run-in.ts";
import { purgeLabelled } from "../../src/setup/down.ts";
import { ensureServiceImage } from "../../src/setup/service-image.ts";
import type { Installation } from "../support/installation.ts";
import { connectTo } from "../support/tenant.ts";
import { openTrial, type Trial } from "../support/trial.ts";

/** Another one in every run, since others may run on the same engine. */
const BLOCK = randomInt(0, 32) * 8;
const range = (place: number, more: string) => `10.235.${BLOCK + place}.${more}`;
const CIDR = range(0, "0/24");
const PEER_CIDR = range(1, "0/28");
const SOON = { timeout: 120_000, interval: 200 };
const RUN_TIMEOUT_MS = 200_000;
/** A statement that goes on until its session is ended. */
const ENDLESS = "select pg_sleep(300)";

let trial: Trial;
let installation: Installation;
let docker: Docker;
let image: string;
let authority: string;
let orders: Service;
let vpc: Vpc;
/** Carried by what this test makes beside the installation. */
let label: string;

beforeAll(async () => {
  trial = await openTrial();
  ({ installation, docker } = trial);
  label = `${installation.label}-beside`;
  const home = { logFolder: installation.home };
  image = (await ensureServiceImage(docker, home, () => undefined)).reference;
  authority = await readFile(path.join(installation.home, "authority.crt"), "utf8");
  orders = (await installation.ask("POST", "", { name: "orders" })).service;
  await installation.until(orders.service_id, "READY");
});

afterAll(async () => {
  try {
    if (docker) await purgeLabelled(docker, `howdah.test=${label}`);
  } finally {
    await trial?.dispose();
  }
});

test("a VPC is a network of the engine, in which containers run as soon as it is made", async () => {
  vpc = Value.Parse(Vpc, await (await vpcs("POST", "", { name: "backend", cidr: CIDR })).json());
  expect(vpc.cidr).toBe(CIDR);
  const app = await runContainer("app", networkOf(vpc));
  const { NetworkSettings } = await app.inspect();
  expect(NetworkSettings.Networks[networkOf(vpc)]?.IPAddress).toMatch(new RegExp(`^${range(0, "")}`));
  expect((await vpcs("POST", "", { name: "again", cidr: range(0, "128/25") })).status).toBe(409);
  // Of what has come since the last look at the engine, the engine itself tells.
  const IPAM = { Driver: "default", Config: [{ Subnet: range(4, "0/24") }] };
  await docker.createNetwork({ Name: `b-${label}`, IPAM, Labels: { "howdah.test": label } });
  expect((await vpcs("POST", "", { name: "late", cidr: range(4, "0/25") })).status).toBe(409);
  expect((await vpcs("POST", "", { name: "engine's", cidr: await defaultBridge() })).status).toBe(409);
});

describe("while a client is connected by the service's own endpoint", () => {
  let direct: Client;
  const over = new AbortController();
  let served = 0;
  let serving: Promise<void>;

  beforeAll(async () => {
    direct = await connectTo(installation, orders, { password: orders.initial_password });
    serving = (async () => {
      while (!over.signal.aborted) {
        await direct.query("select 1");
        served += 1;
      }
    })();
  });

  afterAll(async () => {
    over.abort();
    await serving;
    await direct.end();
  });

  /** Everything that was asked meanwhile has been answered, and answers go on. */
  const goesOn = async () => {
    const before = served;
    await expect.poll(() => served, SOON).toBeGreaterThan(before);
  };

  test("the service is attached, and reached from the VPC alone, by a name that its certificate has", async () => {
    const attached = await change("attachToVPC");
    expect(attached).toContain(`${orders.service_id}.howdah.internal:5432`);
    await installation.settled(orders.service_id);
    const { service } = await installation.ask("GET", `/${orders.service_id}`);
    expect(service.vpc_endpoint).toEqual({
      host: `${orders.service_id}.howdah.internal`,
      port: 5432,
      vpc_id: vpc.id,
    });
    expect(service.vpcEndpoint).toEqual(service.vpc_endpoint);
    expect(await asked("app", "select 'inside'")).toMatchObject({ exitCode: 0, output: "inside" });
    await runContainer("outside", "bridge");
    expect(await asked("outside", "select 1")).toMatchObject({
      output: expect.stringMatching(/translate host name/),
    });
    const address = await addressIn(networkOf(vpc));
    const byAddress = await asked("outside", "select 1", `hostaddr=${address} connect_timeout=3`);
    expect(byAddress.output).toMatch(/timeout|unreachable|closed/);
    await goesOn();
  });

  test("clients in the VPC are let in whatever the allow-list says", async () => {
    const list = { cidrs: ["192.0.2.7/32", "127.0.0.1/32"] };
    await done(installation.request("PUT", `/${orders.service_id}/allowList`, list));
    expect(await asked("app", "select 'inside'")).toMatchObject({ exitCode: 0, output: "inside" });
    await goesOn();
  });

  test("the pooler is reached there as well", async () => {
    await done(installation.request("POST", `/${orders.service_id}/enablePooler`));
    expect(await asked("app", "select 'pooled'", "port=6432")).toMatchObject({
      exitCode: 0,
      output: "pooled",
    });
    await done(installation.request("POST", `/${orders.service_id}/disablePooler`));
  });

  test("a peered network reaches it by the same name, whatever that network is called", async () => {
    const network = `a-network-${installation.label}`;
    const Labels = { "howdah.test": label };
    const made = await peer(network);
    expect(made.status).toBe("PENDING");
    await expect
      .poll(() => peering(made.id), SOON)
      .toMatchObject({
        status: "FAILED",
        error_message: `the engine has no network ${network}`,
      });
    const IPAM = { Driver: "default", Config: [{ Subnet: PEER_CIDR }] };
    const { id } = await docker.createNetwork({ Name: network, IPAM, Labels });
    await expect.poll(() => peering(made.id), SOON).toMatchObject({ status: "ACTIVE", provisioned_id: id });
    await runContainer("peer", network);
    expect(await asked("peer", "select 'peered'")).toMatchObject({ exitCode: 0, output: "peered" });
    await goesOn();
    expect((await vpcs("DELETE", `/${vpc.id}/peerings/${made.id}`)).status).toBe(204);
    await expect
      .poll(async () => (await asked("peer", "select 1")).output, SOON)
      .toMatch(/translate host name/);
    expect(await asked("app", "select 'inside'")).toMatchObject({ exitCode: 0, output: "inside" });
    await goesOn();
  });

  test("a peering with what has no names fails, and says why", async () => {
    const own = namesFor(trial.installationId).network(orders.service_id);
    for (const [network, why] of [
      ["host", "the host's own network"],
      ["bridge", "no names"],
      [own, "Howdah itself"],
    ] as const) {
      const { id } = await peer(network);
      await expect
        .poll(() => peering(id), SOON)
        .toMatchObject({
          status: "FAILED",
          error_message: expect.stringContaining(why),
        });
      expect((await vpcs("DELETE", `/${vpc.id}/peerings/${id}`)).status).toBe(204);
    }
  });

  test("a gateway that somebody takes out of the VPC comes back", async () => {
    const gateway = namesFor(trial.installationId).gateway(orders.service_id);
    await docker.getNetwork(networkOf(vpc)).disconnect({ Container: gateway, Force: true });
    await expect.poll(async () => (await asked("app", "select 'back'")).output, SOON).toBe("back");
    await goesOn();
  });

  test("the service is detached: sessions from the VPC end, all others go on", async () => {
    const refused = await vpcs("DELETE", `/${vpc.id}`);
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining(orders.service_id)]);
    const session = asked("app", ENDLESS);
    await expect.poll(sleeping, SOON).toBe(1);
    expect(await change("detachFromVPC")).toMatch(/is (about to be )?detached/);
    await installation.settled(orders.service_id);
    expect((await session).exitCode).not.toBe(0);
    expect((await asked("app", "select 1")).output).toMatch(/translate host name/);
    const { service } = await installation.ask("GET", `/${orders.service_id}`);
    expect(service).not.toHaveProperty("vpc_endpoint");
    await goesOn();
  });

  const sleeping = async () => {
    const sql = `select count(*)::int as count from pg_stat_activity where query = '${ENDLESS}'`;
    const { rows } = await direct.query(sql);
    return Number(rows[0]?.count);
  };
});

test("a gateway that is made again is attached again, also where it was stopped", async () => {
  await change("attachToVPC");
  const gateway = docker.getContainer(namesFor(trial.installationId).gateway(orders.service_id));
  for (const end of [() => gateway.remove({ force: true }), () => gateway.kill()]) {
    await end();
    await expect.poll(async () => (await asked("app", "select 'again'")).output, SOON).toBe("again");
  }
  await change("detachFromVPC");
  await installation.settled(orders.service_id);
});

test("a VPC that is deleted goes once nobody is in it any more, and throws nobody out", async () => {
  expect((await vpcs("DELETE", `/${vpc.id}`)).status).toBe(204);
  expect((await vpcs("GET", `/${vpc.id}`)).status).toBe(404);
  const names = async () => (await docker.listNetworks()).map(({ Name }) => Name);
  // Another one is made by the same look that would have removed it.
  const other = Value.Parse(
    Vpc,
    await (await vpcs("POST", "", { name: "b", cidr: range(2, "0/24") })).json(),
  );
  await expect.poll(names, SOON).toContain(networkOf(other));
  expect(await names()).toContain(networkOf(vpc));
  await containers.get("app")?.remove({ force: true });
  await expect.poll(names, SOON).not.toContain(networkOf(vpc));
});

test("a purge leaves a network to those who are in it, and says who", async () => {
  const own = `${label}-purged`;
  const IPAM = { Driver: "default", Config: [{ Subnet: range(5, "0/28") }] };
  await docker.createNetwork({ Name: own, IPAM, Labels: { "howdah.test": own } });
  const user = await runContainer("user", own);
  const name = (await user.inspect()).Name.slice(1);
  await expect(purgeLabelled(docker, `howdah.test=${own}`)).rejects.toThrow(`${own} (${name})`);
  await user.remove({ force: true });
  expect((await purgeLabelled(docker, `howdah.test=${own}`)).networks).toEqual([own]);
});

const containers = new Map<string, Docker.Container>();

/** One that idles until something is run in it. */
async function runContainer(name: string, network: string): Promise<Docker.Container> {
  const container = await docker.createContainer({
    Image: image,
    Cmd: ["sleep", "infinity"],
    Labels: { "howdah.test": label },
    HostConfig: { Init: true, NetworkMode: network },
  });
  containers.set(name, container);
  await placeFiles(container, "/tmp", "etc", [{ name: "ca.crt", content: authority }]);
  await container.start();
  return container;
}

/** What psql says to it, verifying the certificate in full against the name of the VPC. */
async function asked(from: string, sql: string, more = ""): Promise<Ran> {
  const container = containers.get(from);
  if (!container) throw new Error(`${from} does not run`);
  const target = `host=${orders.service_id}.howdah.internal ${more} user=tsdbadmin dbname=tsdb`;
  const tls = "sslmode=verify-full sslrootcert=/tmp/etc/ca.crt";
  const login = `password=${orders.initial_password ?? ""}`;
  return runIn(container, ["psql", `${target} ${tls} ${login}`, "-XqAt", "-c", sql], RUN_TIMEOUT_MS);
}

async function change(operation: string): Promise<string> {
  const body = { vpc_id: vpc.id };
  const answer = await installation.request("POST", `/${orders.service_id}/${operation}`, body);
  expect(answer.status).toBe(202);
  return answer.text();
}

/** Accepted, and in force, however long that takes. */
async function done(answer: Promise<Response>): Promise<void> {
  expect((await answer).status).toBeOneOf([200, 202]);
  await installation.settled(orders.service_id);
}

/** Beside the services of the project. */
function vpcs(method: string, below: string, body?: unknown): Promise<Response> {
  return installation.request(method, `/../vpcs${below}`, body);
}

async function peer(network: string): Promise<Peering> {
  const body = { peer_account_id: "self", peer_region_code: vpc.region_code, peer_vpc_id: network };
  const answer = await vpcs("POST", `/${vpc.id}/peerings`, body);
  expect(answer.status).toBe(201);
  return Value.Parse(Peering, await answer.json());
}

async function peering(id: string): Promise<Peering> {
  return Value.Parse(Peering, await (await vpcs("GET", `/${vpc.id}/peerings/${id}`)).json());
}

function networkOf({ id }: Vpc): string {
  return namesFor(trial.installationId).vpc(id);
}

/** Of the gateway. */
async function addressIn(network: string): Promise<string> {
  const gateway = docker.getContainer(namesFor(trial.installationId).gateway(orders.service_id));
  return (await gateway.inspect()).NetworkSettings.Networks[network]?.IPAddress ?? "";
}

async function defaultBridge(): Promise<string> {
  const { IPAM } = await docker.getNetwork("bridge").inspect();
  return IPAM?.Config?.[0]?.Subnet ?? "";
}
