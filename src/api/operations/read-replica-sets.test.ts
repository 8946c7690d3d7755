import { describe, expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { readyService } from "../../../test/support/ready.ts";
import { strictErrors } from "../../../test/support/strict.ts";
import { ReadReplicaSet, Service } from "../../contract/service.ts";
import { createReconcileQueue } from "../../store/reconcile-queue.ts";

const api = await openTestApi();

const REPORTS = { name: "reports", nodes: 2, cpu_millis: 500, memory_gbs: 2 };

async function withSet(body: Record<string, unknown> = {}) {
  const parent = await readyService(api);
  const sets = `${parent.path}/replicaSets`;
  const answer = await api.ask("POST", sets, { ...REPORTS, ...body });
  expect(answer.statusCode).toBe(202);
  const set: ReadReplicaSet = answer.json();
  return { parent, sets, set, path: `${sets}/${set.id}`, asService: `${api.services}/${set.id}` };
}

const setRow = (id: string, row: Record<string, unknown>) =>
  api.store.db.updateTable("services").set(row).where("id", "=", id).execute();

describe("a read replica set", () => {
  test("is accepted with its endpoint, and is told of in every place where it belongs", async () => {
    const { parent, sets, set, asService } = await withSet();
    expect(strictErrors(ReadReplicaSet, set)).toEqual([]);
    expect(set).toMatchObject({ ...REPORTS, status: "creating", metadata: { environment: "DEV" } });
    expect(set.endpoint).toMatchObject({ host: "db.example.test", port: expect.any(Number) });
    expect((await api.ask("GET", sets)).json()).toEqual([set]);

    const service: Service = (await api.ask("GET", parent.path)).json();
    expect(strictErrors(Service, service)).toEqual([]);
    expect(service.read_replica_sets).toEqual([set]);
    const listed: Service[] = (await api.ask("GET", api.services)).json();
    expect(listed.find(({ service_id }) => service_id === parent.id)?.read_replica_sets).toEqual([set]);
    expect(listed.some(({ service_id }) => service_id === set.id)).toBe(false);

    const standby: Service = (await api.ask("GET", asService)).json();
    expect(strictErrors(Service, standby)).toEqual([]);
    expect(standby).toMatchObject({
      name: "reports",
      endpoint: set.endpoint,
      forked_from: { project_id: api.projectId, service_id: parent.id, is_standby: true },
    });
    expect(standby).not.toHaveProperty("ha_replicas");
    expect(standby).not.toHaveProperty("initial_password");
  });

  test("stands at a place of its own beside the others, with the secrets, allow-list and parameters of its service", async () => {
    const { parent, sets, set } = await withSet();
    const other = (await api.ask("POST", sets, { ...REPORTS, name: "others" })).json();
    expect((await api.ask("PUT", `${parent.path}/allowList`, { cidrs: ["192.0.2.0/24"] })).statusCode).toBe(
      202,
    );
    const third = (await api.ask("POST", sets, { ...REPORTS, name: "third" })).json();
    const queue = createReconcileQueue(api.store.db, api.encryption, "test", 60_000);
    const due = await queue.claimDue(100);
    const claimed = (id: string) => due.find(({ serviceId }) => serviceId === id);
    const places = [set.id, other.id, third.id].map((id) => claimed(id)?.identity.readsFrom?.place);
    expect(places).toEqual([0, 1, 2]);
    for (const id of [set.id, other.id, third.id]) {
      expect(claimed(id)).toMatchObject({ readsFrom: parent.id, allowList: ["192.0.2.0/24"] });
      expect(claimed(id)?.identity.secrets).toEqual(claimed(parent.id)?.identity.secrets);
    }
    expect(claimed(parent.id)).toMatchObject({ readsFrom: null, identity: { readsFrom: null } });
  });

  test("has one status of five, by what is true of it", async () => {
    const { set, sets } = await withSet();
    const settled = (reason: string) => ({
      type: "Settled",
      status: "False",
      reason,
      message: "",
      since: "",
    });
    const available = (status: string) => ({
      type: "Available",
      status,
      reason: "x",
      message: "",
      since: "",
    });
    const cases: readonly [string, string, number, readonly unknown[]][] = [
      ["creating", "CONFIGURING", 0, [settled("Working")]],
      ["error", "CONFIGURING", 0, [settled("Overdue")]],
      ["active", "READY", 1, [settled("AsAsked")]],
      ["resizing", "UPGRADING", 1, [settled("Waiting")]],
      ["error", "UPGRADING", 1, [settled("StepFailed")]],
      ["active", "UNSTABLE", 1, [settled("Waiting"), available("True")]],
      ["error", "UNSTABLE", 1, [settled("Waiting"), available("False")]],
    ];
    for (const [expected, status, settled_generation, conditions] of cases) {
      await setRow(set.id, { status, settled_generation, conditions: JSON.stringify(conditions) });
      expect([status, (await api.ask("GET", sets)).json()[0].status]).toEqual([status, expected]);
    }
  });

  test("is resized in numbers or digits, by its nodes too, and only to what is on offer", async () => {
    const { path, set } = await withSet();
    const resized = await api.ask("POST", `${path}/resize`, { cpu_millis: "1000", nodes: 3 });
    expect(resized.statusCode).toBe(202);
    expect(resized.json()).toEqual({ ...set, cpu_millis: 1000, memory_gbs: 4, nodes: 3 });
    expect((await api.ask("POST", `${path}/resize`, { memory_gbs: 8 })).json()).toMatchObject({
      cpu_millis: 2000,
    });
    for (const body of [
      {},
      { nodes: 0 },
      { nodes: 9 },
      { cpu_millis: 700 },
      { cpu_millis: "many" },
      { size: 1 },
    ]) {
      const refused = await api.ask("POST", `${path}/resize`, body);
      expect([body, refused.statusCode]).toEqual([body, 400]);
    }
  });

  test("has a tag and a pooler of its own", async () => {
    const { path, sets, set } = await withSet();
    expect((await api.ask("POST", `${path}/setEnvironment`, { environment: "PROD" })).statusCode).toBe(200);
    await setRow(set.id, { in_force: JSON.stringify({ ...IN_FORCE, pooler: true }) });
    const answer = await api.ask("POST", `${path}/enablePooler`);
    expect(answer.statusCode).toBe(200);
    const [record] = (await api.ask("GET", sets)).json();
    expect(record.metadata).toEqual({ environment: "PROD" });
    const { host, port } = record.connection_pooler.endpoint;
    expect(answer.json().message).toBe(`The pooler answers at ${host}:${port}.`);
  });

  test("goes alone, or with its service", async () => {
    const { parent, path, asService, sets } = await withSet();
    const stays = (await api.ask("POST", sets, { ...REPORTS, name: "stays" })).json();
    const answer = await api.ask("DELETE", path);
    expect([answer.statusCode, answer.json().status]).toEqual([202, "deleting"]);
    expect((await api.ask("GET", asService)).json().status).toBe("DELETING");
    expect((await api.ask("GET", parent.path)).json().status).toBe("READY");
    expect((await api.ask("GET", `${api.services}/${stays.id}`)).json().status).not.toBe("DELETING");
    expect((await api.ask("DELETE", parent.path)).statusCode).toBe(202);
    expect((await api.ask("GET", `${api.services}/${stays.id}`)).json().status).toBe("DELETING");
  });

  test("keeps its service from being stopped, which would leave it nobody to follow", async () => {
    const { parent, path } = await withSet();
    const refused = await api.ask("POST", `${parent.path}/stop`);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { message: expect.stringMatching(/read replica sets/) },
    ]);
    await api.store.db
      .deleteFrom("services")
      .where("id", "=", path.split("/").at(-1) ?? "")
      .execute();
    expect((await api.ask("POST", `${parent.path}/stop`)).statusCode).toBe(202);
    const late = await api.ask("POST", `${parent.path}/replicaSets`, REPORTS);
    expect([late.statusCode, late.json().message]).toEqual([409, "the service is stopped; start it first"]);
  });

  test("is bounded in number, and in nodes over all sets of a service", async () => {
    const { sets } = await withSet({ nodes: 8 });
    expect((await api.ask("POST", sets, { ...REPORTS, nodes: 8 })).statusCode).toBe(202);
    expect((await api.ask("POST", sets, { ...REPORTS, nodes: 8 })).statusCode).toBe(202);
    const refused = await api.ask("POST", sets, REPORTS);
    expect([refused.statusCode, refused.json().message]).toMatchObject([
      409,
      expect.stringMatching(/at most 24 nodes/),
    ]);
  });

  test("is changed as a set of its service alone, and no service as a set", async () => {
    const { parent, set, asService } = await withSet();
    const stranger = await readyService(api);
    const asks: readonly [string, string, unknown?][] = [
      ["POST", `${asService}/setHA`, { replica_count: 1 }],
      ["POST", `${asService}/resize`, { cpu_millis: "1000" }],
      ["POST", `${asService}/stop`],
      ["POST", `${asService}/rename`, { name: "other" }],
      ["POST", `${asService}/switchover`],
      ["POST", `${asService}/updatePassword`, { password: "long enough" }],
      ["POST", `${asService}/forkService`, { fork_strategy: "NOW" }],
      ["POST", `${asService}/replicaSets`, REPORTS],
      ["POST", `${asService}/attachToVPC`, { vpc_id: "1" }],
      ["POST", `${asService}/detachFromVPC`, { vpc_id: "1" }],
      ["DELETE", asService],
    ];
    for (const [method, path, body] of asks) {
      const answer = await api.ask(method === "DELETE" ? "DELETE" : "POST", path, body);
      expect([path, answer.statusCode]).toEqual([path, 409]);
    }
    for (const path of [
      `${stranger.path}/replicaSets/${set.id}`,
      `${parent.path}/replicaSets/${stranger.id}`,
      `${parent.path}/replicaSets/${parent.id}`,
      `${parent.path}/replicaSets/nonsense`,
    ]) {
      const answer = await api.ask("DELETE", path);
      expect([path, answer.statusCode]).toEqual([path, 404]);
      const tagged = await api.ask("POST", `${path}/setEnvironment`, { environment: "PROD" });
      expect([path, tagged.statusCode]).toEqual([path, 404]);
    }
    expect((await api.ask("GET", asService)).json().status).toBe("QUEUED");
  });

  test("is refused with a message that names what is wrong", async () => {
    const { path } = await readyService(api);
    for (const wrong of [
      { nodes: 0 },
      { nodes: 9 },
      { cpu_millis: 700 },
      { memory_gbs: 4 },
      { name: "" },
      { cpu_millis: "500" },
      { extra: true },
    ]) {
      const refused = await api.ask("POST", `${path}/replicaSets`, { ...REPORTS, ...wrong });
      expect([wrong, refused.statusCode]).toEqual([wrong, 400]);
    }
    const readOnly = await api.newKey("read_only");
    expect((await api.ask("POST", `${path}/replicaSets`, REPORTS, readOnly.apiKey)).statusCode).toBe(403);
    expect((await api.ask("GET", `${path}/replicaSets`, undefined, readOnly.apiKey)).json()).toEqual([]);
  });
});

const IN_FORCE = { settings: null, passwordVersion: null, allowList: null, primary: null, pooler: false };
