/** Reading and deleting services, and the events that tell of them. */
import { describe, expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { strictErrors } from "../../../test/support/strict.ts";
import { Service } from "../../contract/service.ts";
import type { PassResult } from "../../store/pass-result.ts";
import { createReconcileQueue } from "../../store/reconcile-queue.ts";

const api = await openTestApi();
const { store, encryption, services } = api;
const queue = createReconcileQueue(store.db, encryption, "test", 60_000);

const READY: PassResult = {
  status: "READY",
  statusReason: "Everything that was asked for is in force.",
  conditions: [
    {
      type: "Available",
      status: "True",
      reason: "PrimaryWritable",
      message: "Yes.",
      since: "2026-11-21T05:00:00.000Z",
    },
  ],
  inForce: null,
  waiting: null,
  settledGeneration: 1,
  attempts: 0,
  dueInMs: 60_000,
  withdrawn: null,
  events: [{ type: "service.step", message: "Opening the endpoint" }],
};

interface Events {
  readonly status: string;
  readonly status_reason: string;
  readonly conditions: readonly unknown[];
  readonly events: readonly { readonly id: string; readonly type: string }[];
}

/** A service with one pass behind it. */
async function ready() {
  await store.db.deleteFrom("services").execute();
  const record = await api.create();
  const [due] = await queue.claimDue(1);
  if (!due) throw new Error("not due");
  await queue.finish(due, READY);
  return { record, path: `${services}/${record.service_id}` };
}

const events = async (path: string, query = ""): Promise<Events> =>
  (await api.ask("GET", `${path}/events${query}`)).json();

describe("a service", () => {
  test("reads as it was created, with the status that is told and without the password", async () => {
    const { record, path } = await ready();
    const { initial_password: _, ...rest } = record;
    const answer = await api.ask("GET", path);
    expect(answer.statusCode).toBe(200);
    expect(strictErrors(Service, answer.json())).toEqual([]);
    expect(answer.json()).toEqual({ ...rest, status: "READY" });
  });

  test("is in the list of its project, in the order of creation", async () => {
    await store.db.deleteFrom("services").execute();
    expect((await api.ask("GET", services)).json()).toEqual([]);
    const names = ["first", "second", "third"];
    for (const name of names) await api.create({ name });
    const list: Service[] = (await api.ask("GET", services)).json();
    expect(list.map(({ name }) => name)).toEqual(names);
    for (const record of list) {
      expect(strictErrors(Service, record)).toEqual([]);
      expect(record).not.toHaveProperty("initial_password");
    }
  });
});

describe("deleting", () => {
  test("answers 202 and DELETING, again when it is asked for again, and 404 once it is gone", async () => {
    const { path } = await ready();
    const first = await api.ask("DELETE", path);
    expect(first.statusCode).toBe(202);
    expect(strictErrors(Service, first.json())).toEqual([]);
    expect(first.json()).toMatchObject({ status: "DELETING" });
    expect((await api.ask("DELETE", path)).json()).toEqual(first.json());
    expect((await api.ask("GET", path)).json()).toMatchObject({ status: "DELETING" });
    expect(await events(path)).toMatchObject({ events: [{ type: "service.delete.accepted" }, {}, {}, {}] });

    const [due] = await queue.claimDue(1);
    if (!due) throw new Error("not due");
    expect(due).toMatchObject({ presence: "absent", generation: 2 });
    await queue.forget(due);
    for (const [method, rest] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/events"],
    ] as const) {
      const gone = await api.ask(method, path + rest);
      expect(gone.json()).toEqual({ code: "NOT_FOUND", message: "no service with that id exists" });
    }
    expect((await api.ask("GET", services)).json()).toEqual([]);
  });

  test("takes a body and a content type that say nothing", async () => {
    const { path } = await ready();
    expect((await api.ask("DELETE", path, {})).statusCode).toBe(202);
  });
});

describe("events", () => {
  test("tell status, reason and conditions, and what happened, newest first", async () => {
    const { path } = await ready();
    expect(await events(path)).toEqual({
      status: "READY",
      status_reason: "Everything that was asked for is in force.",
      conditions: READY.conditions,
      events: [
        event("service.status", "howdah", "QUEUED → READY: Everything that was asked for is in force."),
        event("service.step", "howdah", "Opening the endpoint"),
        event(
          "service.create.accepted",
          `key:${api.key.publicKey}`,
          "orders was accepted: 0.5 CPU and 2 GB, no replicas.",
        ),
      ],
    });
  });

  test("come in pages", async () => {
    const { path } = await ready();
    const all = (await events(path)).events;
    const first = (await events(path, "?limit=2")).events;
    const rest = (await events(path, `?limit=2&before=${first.at(-1)?.id}`)).events;
    expect([...first, ...rest]).toEqual(all);
  });

  test.each([
    "limit=0",
    "limit=501",
    "limit=1.5",
    "limit=-1",
    "limit=",
    "limit=1&limit=2",
    "before=x",
    "after=1",
  ])("asked for with %s are 400", async (query) => {
    const { path } = await ready();
    const answer = await api.ask("GET", `${path}/events?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: "INVALID_REQUEST" });
  });

  test("can be five hundred at a time", async () => {
    const { path } = await ready();
    expect((await api.ask("GET", `${path}/events?limit=500`)).statusCode).toBe(200);
  });
});

function event(type: string, actor: string, message: string) {
  return {
    id: expect.stringMatching(/^\d+$/),
    at: expect.stringMatching(/Z$/),
    type,
    service_id: expect.stringMatching(/^[a-z0-9]{10}$/),
    actor,
    message,
    data: expect.any(Object),
  };
}
