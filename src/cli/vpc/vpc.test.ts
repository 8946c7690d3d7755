import { expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { openTestCli } from "../../../test/support/cli.ts";
import { startInstantReconciler } from "../../../test/support/instant-reconciler.ts";
import { notePeering } from "../../store/vpc-networks.ts";

const api = await openTestApi();
startInstantReconciler(api.store.db);
const cli = await openTestCli(api);
const run = (...words: string[]) => cli.runAny(["vpc", ...words]);

test("a VPC is made, and it is said how to use it", async () => {
  const made = await run("create", "backend", "10.50.0.0/24");
  const id = /VPC (\d+)/.exec(made.stdout)?.[1] ?? "";
  expect([made.exitCode, made.stdout]).toEqual([
    0,
    `VPC ${id} (backend) with 10.50.0.0/24 is made.\n` +
      `Run containers in it: docker run --network vpc-network-${id} …\n` +
      `Attach a service to it: howdah vpc attach ${id} <service>\n`,
  ]);
  expect((await run("list")).stdout).toMatch(
    new RegExp(
      `^NAME +ID +CIDR +REGION +NETWORK\nbackend +${id} +10.50.0.0/24 +test-1 +vpc-network-${id}\n$`,
    ),
  );
  const [record] = JSON.parse((await run("list", "-o", "json")).stdout);
  expect(record).toEqual({ id, name: "backend", cidr: "10.50.0.0/24", region_code: "test-1" });
});

test("a service is attached by names, shows it, and is detached", async () => {
  const { service_id } = await api.create({ name: "orders" });
  await run("create", "inner", "10.51.0.0/24");
  const attached = await run("attach", "inner", "orders");
  expect(attached.stdout).toContain(`at ${service_id}.howdah.internal:5432.`);
  expect((await cli.run(["get", "orders"])).stdout).toMatch(
    new RegExp(`^In VPC \\d+ +postgresql://tsdbadmin@${service_id}.howdah.internal:5432/tsdb`, "m"),
  );
  const refused = await run("delete", "inner");
  expect([refused.exitCode, refused.stderr]).toEqual([5, expect.stringContaining(service_id)]);
  expect((await run("detach", "inner", "orders")).stdout).toMatch(
    /^The service is detached from VPC \d+\.\n$/,
  );
  expect((await run("rename", "inner", "outer")).stdout).toMatch(/is called outer now/);
  expect((await run("delete", "outer")).exitCode).toBe(0);
});

test("a peering is followed until it is known whether it works, listed and deleted by its network's name", async () => {
  await run("create", "peered", "10.52.0.0/24");
  const vpcId = (await cli.client.listVpcs()).find(({ name }) => name === "peered")?.id ?? "";
  const peering = run("peer", "peered", "apps");
  await expect.poll(() => cli.client.listPeerings(vpcId)).toHaveLength(1);
  const id = (await cli.client.listPeerings(vpcId))[0]?.id ?? "";
  await notePeering(api.store.db, id, { networkId: null, problem: "the engine has no network apps" });
  const { exitCode, stdout, stderr } = await peering;
  expect([exitCode, stdout]).toEqual([
    5,
    expect.stringMatching(/apps +FAILED +the engine has no network apps/),
  ]);
  expect(stderr).toContain("as soon as that is no longer so");
  expect((await run("peerings", "peered")).stdout).toMatch(new RegExp(`^${id} +apps +FAILED`, "m"));
  const unknown = await run("unpeer", "peered", "other");
  expect([unknown.exitCode, unknown.stderr]).toEqual([4, expect.stringContaining('no peering with "other"')]);
  expect((await run("unpeer", "peered", "apps")).exitCode).toBe(0);
  expect((await run("peerings", "peered")).stdout).toContain("no peerings");
});

test("one that is not there, or not the only one of its name, is said to be so", async () => {
  expect((await run("delete", "nothing")).exitCode).toBe(4);
  await run("create", "twin", "10.53.0.0/24");
  await run("create", "twin", "10.54.0.0/24");
  const twins = await run("delete", "twin");
  expect([twins.exitCode, twins.stderr]).toEqual([2, expect.stringContaining("10.54.0.0/24")]);
});
