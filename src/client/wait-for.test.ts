import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ServiceRecord, ServiceStory } from "./answers.ts";
import { ClientError } from "./client-error.ts";
import { type Goal, type WaitOptions, type WaitProgress, waitFor } from "./wait-for.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const record = (status: string): ServiceRecord => ({
  service_id: "k3v9x0q2ab",
  project_id: "p7d2m4n8zz",
  name: "orders",
  region_code: "local",
  service_type: "POSTGRES",
  created: "2026-06-01T00:00:00Z",
  status,
  resources: [],
});
type Event = ServiceStory["events"][number];
const event = (id: number, message: string, actor = "howdah"): Event => ({
  id: String(id),
  at: "2026-06-01T00:00:00Z",
  type: "service.step",
  actor,
  message,
  data: {},
});

interface Told {
  readonly status: string;
  readonly reason?: string;
  /** Newest first. */
  readonly events?: readonly Event[];
}

const missing = () => new ClientError("NOT_FOUND", "no service with that id exists", { status: 404 });
const away = () => new ClientError("UNREACHABLE", "cannot reach it");

/** Follows a service that tells one thing after the other, the last one for good. */
async function follow(until: Goal, story: (Told | Error)[], options: Partial<WaitOptions> = {}) {
  const progress: WaitProgress[] = [];
  let told: Told | Error = story[0] ?? missing();
  const client = {
    async getServiceEvents(): Promise<ServiceStory> {
      const next = story.length > 1 ? story.shift() : story[0];
      if (!next) throw new Error("a story needs an end");
      told = next;
      if (told instanceof Error) throw told;
      return {
        status: told.status,
        status_reason: told.reason ?? "",
        conditions: [],
        events: [...(told.events ?? [])],
      };
    },
    async getService() {
      if (told instanceof Error) throw told;
      return record(told.status);
    },
  };
  const outcome = waitFor(client, "k3v9x0q2ab", until, {
    deadlineMs: 600_000,
    onProgress: (look) => progress.push(look),
    ...options,
  });
  outcome.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(700_000);
  return {
    outcome: await outcome,
    progress,
    messages: progress.flatMap(({ events }) => events.map((e) => e.message)),
  };
}

test("ends with the record once the service is READY, and tells each status on the way", async () => {
  const { outcome, progress } = await follow("READY", [
    { status: "QUEUED" },
    { status: "CONFIGURING" },
    { status: "READY" },
  ]);
  expect(outcome).toEqual({ kind: "reached", service: record("READY") });
  expect(progress.map(({ status }) => status)).toEqual(["QUEUED", "CONFIGURING", "READY"]);
});

test("tells every event once, in the order in which they happened, from the request on", async () => {
  const accepted = event(11, "accepted", "key:abc");
  const { messages } = await follow("READY", [
    { status: "QUEUED", events: [accepted, event(10, "of last week")] },
    { status: "UPGRADING", events: [event(13, "second"), event(12, "first"), accepted] },
    { status: "UPGRADING", events: [event(14, "third"), event(13, "second"), event(12, "first")] },
    { status: "READY", events: [event(15, "last"), event(14, "third")] },
  ]);
  expect(messages).toEqual(["first", "second", "third", "last"]);
});

test("steps that were done before the first look are told as well", async () => {
  const { messages } = await follow("READY", [
    {
      status: "CONFIGURING",
      events: [event(12, "already"), event(11, "accepted", "key:abc"), event(10, "old")],
    },
    { status: "READY" },
  ]);
  expect(messages).toEqual(["already"]);
});

test("a service that was unstable for a while is waited for", async () => {
  const { outcome } = await follow("READY", [{ status: "UNSTABLE" }, { status: "READY" }]);
  expect(outcome.kind).toBe("reached");
});

test.each([
  ["READY", "PAUSED"],
  ["READY", "DELETING"],
  ["PAUSED", "READY"],
] as const)("nobody who wants %s waits on while it is %s", async (until, status) => {
  const { outcome, progress } = await follow(until, [{ status, reason: "Somebody else did that." }]);
  expect(outcome).toEqual({ kind: "cannot", status, why: "Somebody else did that." });
  expect(progress).toHaveLength(1);
});

test("a deleted service is gone, which is what was wanted or the end of the wait", async () => {
  expect((await follow("GONE", [{ status: "DELETING" }, missing()])).outcome).toEqual({
    kind: "reached",
    service: null,
  });
  expect((await follow("READY", [{ status: "QUEUED" }, missing()])).outcome).toMatchObject({
    kind: "cannot",
    status: "DELETED",
  });
});

test("when the deadline passes, the outcome says in what status and why", async () => {
  const { outcome } = await follow("READY", [{ status: "UPGRADING", reason: "Waiting for replicas." }], {
    deadlineMs: 5_000,
  });
  expect(outcome).toEqual({ kind: "overdue", status: "UPGRADING", why: "Waiting for replicas." });
});

test("a status that it does not know is on the way for a minute, and no longer", async () => {
  const { outcome } = await follow("READY", [{ status: "RESHARDING" }, { status: "READY" }]);
  expect(outcome.kind).toBe("reached");
  const stuck = await follow("READY", [{ status: "RESHARDING" }]);
  expect(stuck.outcome).toMatchObject({ kind: "cannot", why: expect.stringContaining("RESHARDING") });
  expect(stuck.progress.length).toBeGreaterThan(50);
});

test("an API that is away for a moment is waited for, and said to be", async () => {
  const { outcome, progress } = await follow("READY", [
    { status: "QUEUED" },
    away(),
    away(),
    { status: "READY" },
  ]);
  expect(outcome.kind).toBe("reached");
  expect(progress.map(({ problem }) => problem)).toEqual([null, "cannot reach it", "cannot reach it", null]);
});

test("an API that stays away for a minute ends the wait with its error", async () => {
  const error = away();
  await expect(follow("READY", [{ status: "QUEUED" }, error])).rejects.toBe(error);
});

test("patience begins anew after each answer that makes sense", async () => {
  const often = <Item>(item: Item) => Array.from({ length: 40 }, () => item);
  for (const trouble of [away(), { status: "RESHARDING" }]) {
    const story = [...often(trouble), { status: "QUEUED" }, ...often(trouble), { status: "READY" }];
    expect((await follow("READY", story)).outcome.kind).toBe("reached");
  }
});

test("a refusal ends the wait at once", async () => {
  const error = new ClientError("UNAUTHORIZED", "this API key was revoked", { status: 401 });
  await expect(follow("READY", [error])).rejects.toBe(error);
});

test("a signal ends the wait", async () => {
  const signal = AbortSignal.abort();
  const { outcome } = await follow("READY", [{ status: "QUEUED" }], { signal });
  expect(outcome).toEqual({ kind: "aborted" });
});

test("a record that moved on after it was told READY is followed further", async () => {
  const statuses = ["READY", "UPGRADING", "READY"];
  let asked = 0;
  const client = {
    getServiceEvents: async () => ({
      status: statuses[asked === 0 ? 0 : 2] ?? "",
      status_reason: "",
      conditions: [],
      events: [],
    }),
    getService: async () => record(statuses[(asked += 1)] ?? "READY"),
  };
  const outcome = waitFor(client, "k3v9x0q2ab", "READY", { deadlineMs: 10_000 });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await outcome).toMatchObject({ kind: "reached" });
  expect(asked).toBe(2);
});
