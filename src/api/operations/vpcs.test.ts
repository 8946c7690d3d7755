import { describe, expect, test } from "vitest";
import { BASE, openTestApi } from "../../../test/support/api.ts";
import { startInstantReconciler } from "../../../test/support/instant-reconciler.ts";
import { strictErrors } from "../../../test/support/strict.ts";
import { Peering, Vpc } from "../../contract/vpcs.ts";
import { createKey } from "../../store/keys.ts";
import { createProject } from "../../store/projects.ts";
import { reportRegion } from "../../store/regions.ts";
import { notePeering, noteVpc, reportUsedRanges, wantedVpcs } from "../../store/vpc-networks.ts";

const api = await openTestApi();
const { store } = api;
const reconciler = startInstantReconciler(store.db);
const project = `${BASE}/projects/${api.projectId}`;
const vpcs = `${project}/vpcs`;
const NOWHERE = { code: "NOT_FOUND", message: "no VPC with that id exists" };

let next = 0;
/** One that overlaps with no other of this file. */
const freeCidr = () => `10.60.${next++}.0/24`;

async function newVpc(changes: Record<string, unknown> = {}): Promise<Vpc> {
  const answer = await api.ask("POST", vpcs, { name: "backend", cidr: freeCidr(), ...changes });
  expect(answer.statusCode).toBe(201);
  return answer.json();
}

async function newService(): Promise<string> {
  return (await api.create()).service_id;
}

const attach = (serviceId: string, vpc_id: string) =>
  api.ask("POST", `${api.services}/${serviceId}/attachToVPC`, { vpc_id });
const detach = (serviceId: string, vpc_id: string) =>
  api.ask("POST", `${api.services}/${serviceId}/detachFromVPC`, { vpc_id });
const peer = (vpcId: string, network: string) =>
  api.ask("POST", `${vpcs}/${vpcId}/peerings`, {
    peer_account_id: "team-a",
    peer_region_code: api.regionCode,
    peer_vpc_id: network,
  });

/** Projects have events of their own beside those of services. */
async function eventsOfProject(): Promise<readonly string[]> {
  const rows = await store.db
    .selectFrom("events")
    .select("type")
    .where("project_id", "=", api.projectId)
    .where("service_id", "is", null)
    .orderBy("id")
    .execute();
  return rows.map(({ type }) => type);
}

describe("a VPC", () => {
  test("is created, shown, listed, renamed and deleted", async () => {
    const cidr = freeCidr();
    const made = await newVpc({ name: "first", cidr, region_code: api.regionCode });
    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: "first",
      cidr,
      region_code: api.regionCode,
    });
    expect(strictErrors(Vpc, made)).toEqual([]);
    expect((await api.ask("GET", `${vpcs}/${made.id}`)).json()).toEqual(made);
    expect((await api.ask("GET", vpcs)).json()).toContainEqual(made);
    const renamed = await api.ask("POST", `${vpcs}/${made.id}/rename`, { name: "second" });
    expect([renamed.statusCode, renamed.json()]).toEqual([200, { ...made, name: "second" }]);
    const deleted = await api.ask("DELETE", `${vpcs}/${made.id}`);
    expect([deleted.statusCode, deleted.body]).toEqual([204, ""]);
    expect((await api.ask("GET", `${vpcs}/${made.id}`)).json()).toEqual(NOWHERE);
    expect(await eventsOfProject()).toEqual(
      expect.arrayContaining(["vpc.created", "vpc.renamed", "vpc.deleted"]),
    );
  });

  test("takes the only region there is where none is named", async () => {
    expect((await newVpc()).region_code).toBe(api.regionCode);
  });

  test.each(["0", "x", "-1", "1.5", "999999", "9".repeat(30), "%00"])(
    "with the id %s is nowhere",
    async (id) => {
      for (const [method, path, body] of [
        ["GET", `${vpcs}/${id}`, undefined],
        ["DELETE", `${vpcs}/${id}`, undefined],
        ["POST", `${vpcs}/${id}/rename`, { name: "a" }],
        ["GET", `${vpcs}/${id}/peerings`, undefined],
        ["DELETE", `${vpcs}/${id}/peerings/1`, undefined],
      ] as const) {
        const answer = await api.ask(method, path, body);
        expect([answer.statusCode, answer.json().code]).toEqual([404, "NOT_FOUND"]);
      }
      expect((await peer(id, "apps")).json()).toEqual(NOWHERE);
    },
  );

  test.each([
    [{ cidr: "10.60.200.1/24" }, /cidr: .*10\.60\.200\.0\/24/],
    [{ cidr: "10.0.0.0/8" }, /cidr: .*from \/16 to \/28/],
    [{ cidr: "192.0.2.0/24" }, /cidr: .*100\.64\.0\.0\/10/],
    [{ cidr: "a" }, /cidr: .*no range/],
    [{ cidr: 7 }, /cidr must be a string/],
    [{ name: "" }, /name must be/],
    [{ name: "a\u0000" }, /name must be/],
    [{ region_code: "moon" }, /region_code must be one of test-1/],
    [{ region_code: "a\u0000" }, /region_code must be one of/],
    [{ colour: "red" }, /unknown field "colour"/],
  ])("is not made of %j, and it is said what would be accepted", async (changes, message) => {
    const before = (await api.ask("GET", vpcs)).json();
    const answer = await api.ask("POST", vpcs, { name: "a", cidr: "10.61.0.0/24", ...changes });
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      expect.objectContaining({ code: "INVALID_REQUEST", message: expect.stringMatching(message) }),
    ]);
    expect((await api.ask("GET", vpcs)).json()).toEqual(before);
  });

  test("cannot overlap with another one, whosever it is, nor with what the engine and the host use", async () => {
    const { id, cidr } = await newVpc({ cidr: "10.62.0.0/20" });
    const same = await api.ask("POST", vpcs, { name: "b", cidr: "10.62.1.0/24" });
    expect([same.statusCode, same.json().message]).toEqual([
      409,
      `cidr overlaps with ${cidr}, used by VPC ${id}`,
    ]);
    const other = await createProject(store.db, "others");
    const { apiKey } = await createKey(store.db, {
      projectId: other.id,
      name: "theirs",
      role: "admin",
      expiresAt: null,
    });
    const theirs = `${BASE}/projects/${other.id}/vpcs`;
    const strange = await api.ask("POST", theirs, { name: "b", cidr: "10.62.0.0/16" }, apiKey);
    expect([strange.statusCode, strange.json().message]).toEqual([
      409,
      `cidr overlaps with ${cidr}, used by another VPC`,
    ]);
    expect((await api.ask("GET", `${theirs}/${id}`, undefined, apiKey)).statusCode).toBe(404);
    await reportUsedRanges(store.db, api.regionCode, [
      { cidr: "172.17.0.0/16", usedBy: "the engine's network bridge" },
    ]);
    const engines = await api.ask("POST", vpcs, { name: "b", cidr: "172.17.4.0/24" });
    expect([engines.statusCode, engines.json().message]).toEqual([
      409,
      "cidr overlaps with 172.17.0.0/16, used by the engine's network bridge",
    ]);
  });

  test("is not made where the engine refuses its range after all", async () => {
    await reconciler.pause();
    const name = "refused";
    const answer = api.ask("POST", vpcs, { name, cidr: freeCidr() });
    const find = () => store.db.selectFrom("vpcs").select("id").where("name", "=", name).executeTakeFirst();
    await expect.poll(find).toBeDefined();
    const problem = "the engine refuses its network: Pool overlaps";
    await noteVpc(store.db, String((await find())?.id), { networkId: null, problem });
    const { statusCode, body } = await answer;
    expect([statusCode, body]).toEqual([409, expect.stringContaining(problem)]);
    expect(await find()).toBeUndefined();
    reconciler.resume();
  });

  test("has a range for itself, also where two ask for the same at once", async () => {
    const cidr = freeCidr();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => api.ask("POST", vpcs, { name: "race", cidr })),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      201, 409, 409, 409,
    ]);
  });

  test("gives its range back as soon as it is deleted", async () => {
    const { id, cidr } = await newVpc();
    expect((await api.ask("DELETE", `${vpcs}/${id}`)).statusCode).toBe(204);
    expect((await newVpc({ cidr })).id).not.toBe(id);
  });

  test("is not for keys that only read", async () => {
    const reader = await api.newKey("read_only");
    const { id } = await newVpc();
    expect((await api.ask("GET", `${vpcs}/${id}`, undefined, reader.apiKey)).statusCode).toBe(200);
    for (const [method, path, body] of [
      ["POST", vpcs, { name: "a", cidr: freeCidr() }],
      ["DELETE", `${vpcs}/${id}`, undefined],
      ["POST", `${vpcs}/${id}/rename`, { name: "a" }],
    ] as const)
      expect((await api.ask(method, path, body, reader.apiKey)).statusCode).toBe(403);
  });
});

describe("a service", () => {
  test("is attached and detached, and shows where it is reached only while it is", async () => {
    const [vpc, serviceId] = await Promise.all([newVpc(), newService()]);
    const record = async () => (await api.ask("GET", `${api.services}/${serviceId}`)).json();
    expect(await record()).not.toHaveProperty("vpc_endpoint");
    const attached = await attach(serviceId, vpc.id);
    const host = `${serviceId}.howdah.internal`;
    expect([attached.statusCode, attached.json()]).toEqual([
      202,
      { message: `The service is reached in VPC ${vpc.id} at ${host}:5432.` },
    ]);
    const vpcEndpoint = { host, port: 5432, vpc_id: vpc.id };
    expect(await record()).toMatchObject({ vpc_endpoint: vpcEndpoint, vpcEndpoint });
    const detached = await detach(serviceId, vpc.id);
    expect([detached.statusCode, detached.json()]).toEqual([
      202,
      { message: `The service is detached from VPC ${vpc.id}.` },
    ]);
    expect(await record()).not.toHaveProperty("vpc_endpoint");
  });

  test("that is attached already is attached, and nothing is changed", async () => {
    const [vpc, serviceId] = await Promise.all([newVpc(), newService()]);
    await attach(serviceId, vpc.id);
    const generation = async () =>
      (
        await store.db
          .selectFrom("services")
          .select("generation")
          .where("id", "=", serviceId)
          .executeTakeFirst()
      )?.generation;
    const before = await generation();
    expect((await attach(serviceId, vpc.id)).statusCode).toBe(202);
    expect(await generation()).toBe(before);
  });

  test("is attached to one VPC at most, and detached from that one alone", async () => {
    const [first, second, serviceId] = await Promise.all([newVpc(), newVpc(), newService()]);
    await attach(serviceId, first.id);
    const again = await attach(serviceId, second.id);
    expect([again.statusCode, again.json().message]).toEqual([
      409,
      `the service is attached to VPC ${first.id}`,
    ]);
    const wrong = await detach(serviceId, second.id);
    expect([wrong.statusCode, wrong.json().message]).toEqual([
      409,
      `the service is not attached to VPC ${second.id}`,
    ]);
  });

  test("is not attached to a VPC that is nowhere, nor one that is nowhere to a VPC", async () => {
    const [vpc, serviceId] = await Promise.all([newVpc(), newService()]);
    for (const id of ["999999", "x", ""]) {
      expect((await attach(serviceId, id)).json()).toEqual(NOWHERE);
      expect((await detach(serviceId, id)).json()).toEqual(NOWHERE);
    }
    for (const id of ["aaaaaaaaaa", "x"])
      expect((await attach(id, vpc.id)).json()).toMatchObject({ message: "no service with that id exists" });
    const numbered = await api.ask("POST", `${api.services}/${serviceId}/attachToVPC`, { vpc_id: 1 });
    expect([numbered.statusCode, numbered.json().message]).toEqual([
      400,
      expect.stringContaining("vpc_id must be a string"),
    ]);
  });

  test("is not attached to a VPC of another region", async () => {
    const serviceId = await newService();
    await reportRegion(store.db, "other-1", { cpuMillis: 1, memoryBytes: 1 });
    const which = await api.ask("POST", vpcs, { name: "a", cidr: "10.63.0.0/24" });
    expect([which.statusCode, which.json().message]).toEqual([
      400,
      `region_code is required: one of other-1, ${api.regionCode}`,
    ]);
    const far = await newVpc({ region_code: "other-1" });
    const answer = await attach(serviceId, far.id);
    expect([answer.statusCode, answer.json().message]).toEqual([
      400,
      expect.stringContaining(`the service's region ${api.regionCode}`),
    ]);
    await api.ask("DELETE", `${vpcs}/${far.id}`);
    await store.db.deleteFrom("regions").where("code", "=", "other-1").execute();
  });

  test("says that it is about to be attached, where that takes longer", async () => {
    const [vpc, serviceId] = await Promise.all([newVpc(), newService()]);
    await reconciler.pause();
    const answer = await attach(serviceId, vpc.id);
    expect([answer.statusCode, answer.json().message]).toEqual([
      202,
      expect.stringContaining("about to be reached"),
    ]);
    reconciler.resume();
  });

  test("that is attached keeps its VPC from being deleted, until it is deleted itself", async () => {
    const [vpc, serviceId] = await Promise.all([newVpc(), newService()]);
    await attach(serviceId, vpc.id);
    await peer(vpc.id, "apps");
    const refused = await api.ask("DELETE", `${vpcs}/${vpc.id}`);
    expect([refused.statusCode, refused.json().message]).toEqual([
      409,
      expect.stringMatching(new RegExp(`services ${serviceId}; it has the peerings \\d+$`)),
    ]);
    const [peering] = (await api.ask("GET", `${vpcs}/${vpc.id}/peerings`)).json();
    await api.ask("DELETE", `${vpcs}/${vpc.id}/peerings/${peering.id}`);
    await reconciler.pause();
    await api.ask("DELETE", `${api.services}/${serviceId}`);
    const late = await attach(serviceId, vpc.id);
    expect([late.statusCode, late.json().message]).toEqual([409, "the service is being deleted"]);
    expect((await api.ask("DELETE", `${vpcs}/${vpc.id}`)).statusCode).toBe(204);
    reconciler.resume();
  });
});

describe("a peering", () => {
  test("is PENDING until the network was looked for, then ACTIVE or FAILED, and can be deleted", async () => {
    const vpc = await newVpc();
    const made = await peer(vpc.id, "apps");
    const record = made.json();
    expect([made.statusCode, strictErrors(Peering, record)]).toEqual([201, []]);
    expect(record).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      peer_account_id: "team-a",
      peer_region_code: api.regionCode,
      peer_vpc_id: "apps",
      status: "PENDING",
    });
    const path = `${vpcs}/${vpc.id}/peerings/${record.id}`;
    expect((await api.ask("GET", path)).json()).toEqual(record);
    await notePeering(store.db, record.id, { networkId: null, problem: "the engine has no network apps" });
    const failed = { ...record, status: "FAILED", error_message: "the engine has no network apps" };
    expect((await api.ask("GET", path)).json()).toEqual(failed);
    await notePeering(store.db, record.id, { networkId: "0123abcd", problem: null });
    const active = { ...record, status: "ACTIVE", provisioned_id: "0123abcd" };
    expect((await api.ask("GET", `${vpcs}/${vpc.id}/peerings`)).json()).toEqual([active]);
    expect((await api.ask("DELETE", path)).statusCode).toBe(204);
    for (const method of ["GET", "DELETE"] as const) {
      const gone = await api.ask(method, path);
      expect([gone.statusCode, gone.json().message]).toEqual([404, "no peering with that id exists"]);
    }
  });

  test("is ACTIVE only once every attached service is reached by it", async () => {
    const [vpc, serviceId] = await Promise.all([newVpc(), newService()]);
    await attach(serviceId, vpc.id);
    await reconciler.pause();
    const { id } = (await peer(vpc.id, "apps")).json();
    await notePeering(store.db, id, { networkId: "0123abcd", problem: null });
    const status = async () => (await api.ask("GET", `${vpcs}/${vpc.id}/peerings/${id}`)).json().status;
    expect(await status()).toBe("PENDING");
    reconciler.resume();
    await expect.poll(status).toBe("ACTIVE");
  });

  test("leads to each network once", async () => {
    const vpc = await newVpc();
    const { id } = (await peer(vpc.id, "apps")).json();
    const again = await peer(vpc.id, "apps");
    expect([again.statusCode, again.json().message]).toEqual([
      409,
      `peering ${id} leads to that network already`,
    ]);
  });

  test("of another VPC is nowhere", async () => {
    const [one, two] = await Promise.all([newVpc(), newVpc()]);
    const { id } = (await peer(one.id, "apps")).json();
    for (const path of [`${vpcs}/${two.id}/peerings/${id}`, `${vpcs}/${one.id}/peerings/x`]) {
      expect((await api.ask("GET", path)).statusCode).toBe(404);
      expect((await api.ask("DELETE", path)).statusCode).toBe(404);
    }
  });

  test("needs every field", async () => {
    const vpc = await newVpc();
    const answer = await api.ask("POST", `${vpcs}/${vpc.id}/peerings`, { peer_vpc_id: "" });
    expect([answer.statusCode, answer.json().message]).toEqual([
      400,
      expect.stringMatching(/peer_account_id is required.*peer_region_code is required.*peer_vpc_id must be/),
    ]);
  });
});

test("what a region has to make is every VPC of it with its peerings, and what was found stays", async () => {
  const vpc = await newVpc();
  const { id } = (await peer(vpc.id, "apps")).json();
  await noteVpc(store.db, vpc.id, { networkId: null, problem: "the engine refuses its network" });
  const wanted = await wantedVpcs(store.db, api.regionCode);
  expect(wanted.find(({ vpcId }) => vpcId === vpc.id)).toMatchObject({
    cidr: vpc.cidr,
    peerings: [
      { peeringId: id, regionCode: api.regionCode, network: "apps", networkId: null, problem: null },
    ],
  });
});
