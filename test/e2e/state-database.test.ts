import { tmpdir } from "node:os";
import path from "node:path";
import type Docker from "dockerode";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { randomId } from "../../src/lib/ids.ts";
import { purgeEngine, stopContainers } from "../../src/setup/down.ts";
import { ensureEngine } from "../../src/setup/engine.ts";
import { ensureServiceImage } from "../../src/setup/service-image.ts";
import {
  ensureStateDatabase,
  findStateDatabase,
  type StateDatabaseOptions,
  stateDatabaseName,
} from "../../src/setup/state-database.ts";

const logFolder = path.join(tmpdir(), `howdah-test-${randomId(6)}`);
const installationId = randomId(8);
const quiet = () => undefined;
let docker: Docker;
let options: StateDatabaseOptions;

beforeAll(async () => {
  docker = await ensureEngine({ logFolder }, quiet);
  const { reference } = await ensureServiceImage(docker, { logFolder }, quiet);
  const labels = { "howdah.test": process.env["HOWDAH_TEST_LABEL"] ?? `state-database-${installationId}` };
  options = { docker, image: reference, installationId, password: randomId(24), labels };
});
afterAll(async () => {
  if (docker) await purgeEngine(docker, installationId);
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test("it is made once, found again, and keeps its address and data over a stop", async () => {
  expect(await findStateDatabase(options)).toBeNull();
  const url = await ensureStateDatabase(options, quiet);
  await query(url, "create table kept as select 42 as answer");
  expect(await findStateDatabase(options)).toBe(url);

  const container = docker.getContainer(stateDatabaseName(installationId));
  const before = await container.inspect();
  expect(await ensureStateDatabase(options, quiet)).toBe(url);
  const { Id, State } = await container.inspect();
  expect([Id, State.StartedAt]).toEqual([before.Id, before.State.StartedAt]);

  await stopContainers(docker, installationId);
  expect(await findStateDatabase(options)).toBeNull();
  expect(await ensureStateDatabase(options, quiet)).toBe(url);
  expect(await query(url, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("it is durable, and lets nobody in without the password", async () => {
  const url = await ensureStateDatabase(options, quiet);
  expect(await query(url, "show fsync")).toEqual([{ fsync: "on" }]);
  const wrong = url.replace(options.password, "guessed");
  await expect(query(wrong, "select 1")).rejects.toThrow("password authentication failed");
});

test("it is confined, and its password is in nothing that the engine shows", async () => {
  await ensureStateDatabase(options, quiet);
  const found = await docker.getContainer(stateDatabaseName(installationId)).inspect();
  expect(JSON.stringify(found)).not.toContain(options.password);
  expect(found.HostConfig).toMatchObject({
    ReadonlyRootfs: true,
    CapDrop: ["ALL"],
    SecurityOpt: ["no-new-privileges"],
    Memory: 512 * 1024 ** 2,
  });
  expect(JSON.stringify(found.HostConfig.PortBindings)).toContain('"HostIp":"127.0.0.1"');
});

test("a container that was made but never started, as a cut-off start leaves it, is no obstacle", async () => {
  const url = await ensureStateDatabase(options, quiet);
  const container = docker.getContainer(stateDatabaseName(installationId));
  await container.remove({ force: true });
  await docker.createContainer({
    name: stateDatabaseName(installationId),
    Image: options.image,
    Cmd: ["true"],
    Labels: { ...options.labels, "org.howdah.installation": installationId },
  });
  const again = await ensureStateDatabase(options, quiet);
  expect(await query(again, "select 1 as one")).toEqual([{ one: 1 }]);
  expect(new URL(again).password).toBe(new URL(url).password);
});

test("a home that does not belong to the volume is told at once", async () => {
  await expect(ensureStateDatabase({ ...options, password: "of-another-home" }, quiet)).rejects.toThrow(
    /does not answer: password authentication failed/,
  );
});
