/** The steps that make and remove a pooler, after every way in which an earlier try may have ended. No database runs. */
import type Docker from "dockerode";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { LABEL, namesFor } from "../../src/platforms/docker/names.ts";
import type { ServiceIdentity } from "../../src/platforms/platform.ts";
import { whatCarries } from "../support/docker-engine.ts";
import { openDockerPlatform, type TestPlatform } from "../support/docker-platform.ts";
import { serviceIdentity } from "../support/services.ts";

const SERVICE = "poolers001";
const RUNNING = { state: "running", serving: true };
const SOON = { timeout: 60_000 };
const ABSENT = { state: "absent", serving: false };

let world: TestPlatform;
let identity: ServiceIdentity;
let name: string;
let container: Docker.Container;

beforeAll(async () => {
  world = await openDockerPlatform("pooler");
  const [port = 0, poolerPort = 0] = await world.platform.freePorts(2, new Set());
  identity = serviceIdentity(SERVICE, port, poolerPort);
  name = namesFor(world.runId).pooler(SERVICE);
  container = world.docker.getContainer(name);
  await world.platform.execute({ kind: "ensureFoundation" }, identity);
  await world.platform.execute({ kind: "ensureGateway", allowList: ["0.0.0.0/0"] }, identity);
});

beforeEach(async () => {
  await step("removePooler");
});

afterAll(async () => {
  await world?.dispose();
});

const step = (kind: "ensurePooler" | "removePooler") => world.platform.execute({ kind }, identity);
const observe = async () => (await world.platform.observe(identity)).pooler;
const left = async () =>
  (await whatCarries(world.docker, `${LABEL.role}=pooler`)).filter((each) => each.includes(name));

test("a pooler is made, answers, and goes without a trace; each step may be repeated", async () => {
  expect(await observe()).toEqual(ABSENT);
  for (let i = 0; i < 2; i += 1) expect(await step("ensurePooler")).toEqual({ kind: "done" });
  await expect.poll(observe, SOON).toEqual(RUNNING);
  for (let i = 0; i < 2; i += 1) expect(await step("removePooler")).toEqual({ kind: "done" });
  await expect.poll(observe, SOON).toEqual(ABSENT);
  expect(await left()).toEqual([]);
});

test("one that was created and never started gets its files and starts", async () => {
  await createOnly();
  expect(await observe()).toMatchObject({ state: "stopped" });
  expect(await step("ensurePooler")).toEqual({ kind: "done" });
  await expect.poll(observe, SOON).toEqual(RUNNING);
});

test("one that was stopped starts again", async () => {
  await step("ensurePooler");
  await container.stop({ t: 5 });
  expect(await observe()).toMatchObject({ state: "stopped" });
  await step("ensurePooler");
  await expect.poll(observe, SOON).toEqual(RUNNING);
});

test("one of another form is made again", async () => {
  const { id } = await createOnly({ [LABEL.form]: "none of ours" });
  expect(await observe()).toMatchObject({ state: "stopped" });
  await step("ensurePooler");
  expect((await container.inspect()).Id).not.toBe(id);
  await expect.poll(observe, SOON).toEqual(RUNNING);
});

test("a volume alone is not nothing, and goes, too", async () => {
  await step("ensurePooler");
  await container.remove({ force: true });
  expect(await observe()).toMatchObject({ state: "stopped" });
  await step("removePooler");
  expect(await left()).toEqual([]);
});

test("neither its arguments nor its environment hold a secret", async () => {
  await step("ensurePooler");
  const { Config, HostConfig } = await container.inspect();
  const told = JSON.stringify([Config, HostConfig]);
  for (const secret of [identity.secrets.poolerPassword, identity.secrets.poolerKey, "PRIVATE KEY"]) {
    expect(told).not.toContain(secret);
  }
  expect(HostConfig).toMatchObject({ ReadonlyRootfs: true, CapDrop: ["ALL"], PortBindings: {} });
});

test("it is removed with the service", async () => {
  await step("ensurePooler");
  expect(await world.platform.execute({ kind: "removeService" }, identity)).toEqual({ kind: "done" });
  expect(await left()).toEqual([]);
});

/** As an interrupted try leaves it: a container that never ran, and an empty volume. */
async function createOnly(labels: Record<string, string> = {}): Promise<Docker.Container> {
  await step("ensurePooler");
  const { Config, HostConfig, NetworkSettings } = await container.inspect();
  await container.remove({ force: true });
  await world.docker.getVolume(name).remove();
  await world.docker.createVolume({ Name: name, Labels: Config.Labels });
  const networks = Object.entries(NetworkSettings.Networks).map(([network, { IPAMConfig }]) => [
    network,
    { IPAMConfig },
  ]);
  return world.docker.createContainer({
    name,
    ...Config,
    Labels: { ...Config.Labels, ...labels },
    HostConfig,
    NetworkingConfig: { EndpointsConfig: Object.fromEntries(networks) },
  });
}
