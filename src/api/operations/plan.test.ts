/** The plan of a service, and of changes that are not made. */
import { describe, expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { primary, replica, standing, stopped } from "../../../test/support/observations.ts";
import { pass, readyService } from "../../../test/support/ready.ts";
import { desiredService } from "../../../test/support/services.ts";
import { strictErrors } from "../../../test/support/strict.ts";
import { Plan } from "../../contract/plan.ts";
import type { ObservedService } from "../../planner/observed.ts";
import { addPorts, reportRegion } from "../../store/regions.ts";

const api = await openTestApi();
const { store } = api;
const GIB = 1024 ** 3;
const AT = new Date("2026-11-21T09:30:04.000Z");

const ALONE = standing(desiredService(), [primary(0)]);
const PAIR = standing(desiredService({ replicaCount: 1 }), [primary(0), replica(1)]);

/** A service that is READY as it was created, and was seen so. */
async function seen(observed: ObservedService, body: Record<string, unknown> = {}) {
  const service = await readyService(api, body);
  await pass(api, service.id, { observation: { at: AT, observed } });
  return service;
}

async function planOf(path: string): Promise<Plan> {
  const answer = await api.ask("GET", `${path}/plan`);
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

const kinds = ({ steps }: Plan) => steps.map(({ kind }) => kind);

describe("GET …/plan", () => {
  test("foresees nothing before anything was seen", async () => {
    const { service_id } = await api.create();
    const plan = await planOf(`${api.services}/${service_id}`);
    expect(strictErrors(Plan, plan)).toEqual([]);
    expect(plan).toEqual({
      dry_run: false,
      outlook: "unknown",
      message: "Nothing was seen of the service yet, so nothing can be foreseen.",
      steps: [],
    });
  });

  test("of a service that is as it was asked for has no steps, and says when that was seen", async () => {
    const { path } = await seen(ALONE);
    expect(await planOf(path)).toEqual({
      dry_run: false,
      as_of: AT.toISOString(),
      outlook: "settled",
      message: "Nothing is left to do.",
      steps: [],
      interruption: { kind: "none", message: "Nobody notices: no session ends." },
    });
  });

  test("tells what is still to be done for what was asked a moment ago", async () => {
    const { path } = await seen(ALONE);
    await api.ask("POST", `${path}/setHA`, { replica_count: 1 });
    const plan = await planOf(path);
    expect(strictErrors(Plan, plan)).toEqual([]);
    expect(plan).toMatchObject({
      outlook: "settles",
      message: "2 steps to be done; after that, everything that was asked for is in force.",
      steps: [
        { kind: "createMember", message: "Creating member 1 as a copy of the primary.", member: 1 },
        { kind: "wait", message: "Waiting for replicas to stream." },
        { kind: "setLimits", member: 1 },
      ],
      interruption: { kind: "none" },
    });
  });

  test("tells what it waits for and since when", async () => {
    const { path, id } = await seen(ALONE);
    await api.ask("POST", `${path}/setHA`, { replica_count: 1 });
    const since = new Date("2026-11-21T09:20:00.000Z");
    const behind = replica(1);
    const observed = { ...PAIR, members: [primary(0), { ...behind, postgres: null, hasDatabase: false }] };
    const condition = {
      type: "Settled",
      status: "False",
      reason: "Overdue",
      message: "as told",
      since: "2026-11-21T09:19:00.000Z",
    } as const;
    await pass(api, id, {
      settledGeneration: null,
      waiting: { reason: "replication", since },
      conditions: [condition],
      observation: { at: AT, observed },
    });
    expect(await planOf(path)).toMatchObject({
      since: condition.since,
      waiting_for: {
        reason: "replication",
        message: "Waiting for replicas to stream: member 1 does not stream from the primary yet.",
        since: since.toISOString(),
        overdue: true,
      },
      steps: [{ kind: "wait" }],
    });
  });

  test("tells of a step that fails, and of a platform that does not answer", async () => {
    const { path, id } = await seen(ALONE);
    await api.ask("POST", `${path}/setHA`, { replica_count: 1 });
    const settled = { type: "Settled", status: "False", since: "2026-11-21T09:19:00.000Z" } as const;
    const message = "Creating member 1 as a copy of the primary failed: no room; it is tried again.";
    await pass(api, id, {
      settledGeneration: null,
      conditions: [{ ...settled, reason: "StepFailed", message }],
    });
    expect(await planOf(path)).toMatchObject({ waiting_for: { reason: "step:createMember", message } });
    const gone = "The platform does not answer: connection refused";
    const unknown = { ...settled, status: "Unknown", reason: "PlatformUnreachable", message: gone } as const;
    await pass(api, id, { settledGeneration: null, conditions: [unknown] });
    expect(await planOf(path)).toMatchObject({
      as_of: AT.toISOString(),
      waiting_for: { reason: "platform", message: gone, since: settled.since },
    });
  });

  test("is read by every key of the project and nobody else, and there is none of what does not exist", async () => {
    const { path } = await seen(ALONE);
    const { apiKey } = await api.newKey("read_only");
    expect((await api.ask("GET", `${path}/plan`, undefined, apiKey)).statusCode).toBe(200);
    expect((await api.ask("GET", `${path}/plan`, undefined, null)).statusCode).toBe(401);
    expect((await api.ask("GET", `${api.services}/zzzzzzzzzz/plan`)).statusCode).toBe(404);
    expect((await api.ask("GET", `${api.services}/no-id/plan`)).statusCode).toBe(404);
  });
});

/** Everything that the state database knows. */
async function everything(): Promise<unknown> {
  const tables = ["services", "events", "idempotency_keys", "ports", "observations", "regions"] as const;
  return Promise.all(
    tables.map(async (table) => {
      const rows = await store.db.selectFrom(table).selectAll().execute();
      // Events get their place a moment after they were written.
      return rows.map((row) => JSON.stringify({ ...row, seq: null })).toSorted();
    }),
  );
}

type Change = readonly [method: "POST" | "PATCH", operation: string, body?: unknown];

describe("dry_run=true", () => {
  const running: readonly (readonly [string, ObservedService, Change, readonly string[], string])[] = [
    [
      "setHA up",
      ALONE,
      ["POST", "setHA", { replica_count: 1 }],
      ["createMember", "wait", "setLimits"],
      "none",
    ],
    ["setHA down", PAIR, ["POST", "setHA", { replica_count: 0 }], ["removeMember"], "none"],
    [
      "resize alone",
      ALONE,
      ["POST", "resize", { cpu_millis: "1000" }],
      ["setLimits", "configure", "restartPostgres", "wait"],
      "outage",
    ],
    [
      "resize with a replica",
      PAIR,
      ["POST", "resize", { memory_gbs: "4" }],
      ["setLimits", "setLimits", "configure", "restartPostgres", "wait", "switchover", "wait"],
      "reconnect",
    ],
    ["resize to what it is", ALONE, ["POST", "resize", { cpu_millis: "500" }], [], "none"],
    ["stop", PAIR, ["POST", "stop"], ["stopMember", "stopMember"], "outage"],
    ["switchover", PAIR, ["POST", "switchover"], ["switchover", "wait"], "reconnect"],
    [
      "a parameter that needs no restart",
      ALONE,
      ["PATCH", "parameters", { parameters: { work_mem: "64MB" } }],
      ["configure", "takeUpSettings"],
      "none",
    ],
  ];

  test.each(running)(
    "of %s tells the steps and changes nothing",
    async (_what, observed, change, steps, kind) => {
      const { path } = await seen(observed, { replica_count: observed.members.length - 1 });
      const [method, operation, body] = change;
      const before = await everything();
      const answer = await api.ask(method, `${path}/${operation}?dry_run=true`, body);
      expect(answer.statusCode).toBe(200);
      const plan: Plan = answer.json();
      expect(strictErrors(Plan, plan)).toEqual([]);
      expect(plan).toMatchObject({ dry_run: true, as_of: AT.toISOString(), interruption: { kind } });
      expect(kinds(plan)).toEqual(steps);
      expect(await everything()).toEqual(before);
    },
  );

  test("of a start tells the way back, and of anything else that it waits for the start", async () => {
    const { path, id } = await seen(ALONE);
    await api.ask("POST", `${path}/stop`);
    await pass(api, id, { observation: { at: AT, observed: standing(desiredService(), [stopped(0)]) } });
    const start: Plan = (await api.ask("POST", `${path}/start?dry_run=true`)).json();
    expect(kinds(start)).toEqual(["startMember", "wait", "setLimits"]);
    expect(start.interruption).toMatchObject({ kind: "outage" });
    const resize = (await api.ask("POST", `${path}/resize?dry_run=true`, { cpu_millis: "1000" })).json();
    expect(resize).toMatchObject({
      outlook: "settled",
      message: "The service is stopped: the change would be kept, and be in force after its next start.",
      steps: [],
      interruption: { kind: "none" },
    });
  });

  test("is the same plan as that of the real change", async () => {
    const { path } = await seen(PAIR, { replica_count: 1 });
    const body = { cpu_millis: "1000" };
    const rehearsed: Plan = (await api.ask("POST", `${path}/resize?dry_run=true`, body)).json();
    expect((await api.ask("POST", `${path}/resize?dry_run=false`, body)).statusCode).toBe(202);
    expect(await planOf(path)).toEqual({ ...rehearsed, dry_run: false });
  });

  test("tells what clients of the pooler notice, where there is one", async () => {
    const { path } = await seen(standing(desiredService({ pooler: true }), [primary(0)]));
    await store.db.updateTable("services").set({ pooler: true }).execute();
    const plan: Plan = (await api.ask("POST", `${path}/resize?dry_run=true`, { cpu_millis: "1000" })).json();
    expect(plan.interruption).toEqual({
      kind: "outage",
      seconds: 2,
      pooled: "wait",
      message: expect.stringContaining("tsdb_transaction wait instead of failing"),
    });
  });

  test("foresees nothing where nothing was seen yet, but refuses and accepts as ever", async () => {
    const { service_id } = await api.create();
    const path = `${api.services}/${service_id}`;
    const plan = await api.ask("POST", `${path}/resize?dry_run=true`, { cpu_millis: "1000" });
    expect(plan.statusCode).toBe(200);
    expect(plan.json()).toMatchObject({ dry_run: true, outlook: "unknown", steps: [] });
    expect((await api.ask("POST", `${path}/stop?dry_run=true`)).statusCode).toBe(409);
  });

  test("is refused with the words of the real change", async () => {
    await reportRegion(store.db, "small", { cpuMillis: 2_000, memoryBytes: 8 * GIB });
    await addPorts(store.db, "small", [60_000, 60_001]);
    const { path } = await seen(ALONE, { region_code: "small" });
    const { path: leaving } = await seen(ALONE);
    await api.ask("DELETE", leaving);
    const refused: readonly (readonly [string, number, Change])[] = [
      [path, 400, ["POST", "resize", { cpu_millis: "777" }]],
      [path, 400, ["POST", "resize", {}]],
      [path, 400, ["POST", "setHA", { replica_count: 1, sync_replica_count: 2 }]],
      [path, 400, ["POST", "setHA", { replica_count: "1" }]],
      [path, 400, ["POST", "switchover"]],
      [path, 400, ["POST", "start"]],
      [path, 400, ["PATCH", "parameters", { parameters: { nonesuch: "1" } }]],
      [path, 409, ["POST", "setHA", { replica_count: 8 }]],
      [path, 409, ["POST", "resize", { cpu_millis: "4000" }]],
      [leaving, 409, ["POST", "resize", { cpu_millis: "1000" }]],
      [leaving, 409, ["POST", "switchover"]],
      [`${api.services}/zzzzzzzzzz`, 404, ["POST", "resize", { cpu_millis: "1000" }]],
      [`${api.services}/zzzzzzzzzz`, 404, ["POST", "switchover"]],
    ];
    for (const [service, status, [method, operation, body]] of refused) {
      const dry = await api.ask(method, `${service}/${operation}?dry_run=true`, body);
      const real = await api.ask(method, `${service}/${operation}`, body);
      expect([operation, dry.statusCode, dry.json()]).toEqual([operation, status, real.json()]);
    }
  });

  test("is for keys that may make the change", async () => {
    const { path } = await seen(ALONE);
    const { apiKey } = await api.newKey("read_only");
    const answer = await api.ask("POST", `${path}/resize?dry_run=true`, { cpu_millis: "1000" }, apiKey);
    expect(answer.statusCode).toBe(403);
  });

  test.each([
    ["dry_run=yes", "dry_run must be one of true, false"],
    ["dry_run=", "dry_run must be one of true, false"],
    ["dry_run=true&dry_run=true", "dry_run must be one of true, false"],
    ["dryRun=true", 'unknown field "dryRun"; the known ones are dry_run'],
  ])("is not what ?%s says: 400, and nothing is changed", async (query, message) => {
    const { path } = await seen(ALONE);
    const before = await everything();
    const answer = await api.ask("POST", `${path}/resize?${query}`, { cpu_millis: "1000" });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ code: "INVALID_REQUEST", message });
    expect(await everything()).toEqual(before);
  });

  test("leaves real changes alone that come at the same time", async () => {
    const { path, id } = await seen(ALONE);
    const asked = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        api.ask("POST", `${path}/setHA${index % 2 === 0 ? "?dry_run=true" : ""}`, {
          replica_count: 1 + (index % 2),
        }),
      ),
    );
    expect(asked.map(({ statusCode }) => statusCode)).toEqual(
      asked.map((_, index) => (index % 2 === 0 ? 200 : 202)),
    );
    const row = await store.db
      .selectFrom("services")
      .select(["generation", "replica_count"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ generation: 1 + 5, replica_count: 2 });
  });
});
