import { sql } from "kysely";
import { Webhook } from "standardwebhooks";
import { afterAll, expect, test } from "vitest";
import { BASE, openTestApi } from "../../test/support/api.ts";
import { openReceiver, type Receiver } from "../../test/support/receiver.ts";
import { startFeed } from "../feed/feed.ts";
import { renderWebhookBody } from "../feed/present-event.ts";
import { systemClock } from "../lib/clock.ts";
import { reachableAddresses } from "../lib/reachable-addresses.ts";
import { appendEvents } from "../store/events.ts";
import { claimDeliveries, tidyDeliveries } from "../store/webhook-queue.ts";
import { type Dispatcher, startDispatcher } from "./dispatcher.ts";

const api = await openTestApi({ webhookAllow: ["127.0.0.0/8"] });
const { store, encryption, projectId } = api;
const webhooks = `${BASE}/projects/${projectId}/webhooks`;
const feed = startFeed({ db: store.db, render: renderWebhookBody });
const dispatchers: Dispatcher[] = [];
/** Longer than any test: what hangs, hangs to its end. */
const TIMEOUT_MS = 300_000;
const startSending = () => {
  const dispatcher = startDispatcher({
    db: store.db,
    encryption,
    reachable: reachableAddresses(["127.0.0.0/8"]),
    resolve: async () => ["127.0.0.1"],
    clock: systemClock,
    log: { warn: () => undefined, error: () => undefined },
    timeoutMs: TIMEOUT_MS,
  });
  dispatchers.push(dispatcher);
  feed.subscribe(() => dispatcher.poke());
  return dispatcher;
};
let dispatcher = startSending();
afterAll(async () => {
  await Promise.all(dispatchers.map((one) => one.stop()));
  await feed.stop();
});

const happen = async (message: string, type = "test.happened") => {
  await appendEvents(store.db, [
    { projectId, serviceId: null, actor: "howdah", type, message, data: { n: 1 } },
  ]);
  await feed.flush();
};

async function create(receiver: Pick<Receiver, "url">, more: Record<string, unknown> = {}) {
  const answer = await api.ask("POST", webhooks, { url: receiver.url, event_types: ["test"], ...more });
  expect(answer.statusCode).toBe(201);
  const { id, secret }: { id: string; secret: string } = answer.json();
  return { id, secret, path: `${webhooks}/${id}` };
}

async function deliveries(path: string): Promise<{ id: string; state: string; [field: string]: unknown }[]> {
  return (await api.ask("GET", `${path}/deliveries`)).json().deliveries;
}

const remove = (path: string) => api.ask("DELETE", path);
const hurry = () =>
  sql`update webhook_deliveries set due_at = now() where state = 'pending'`.execute(store.db);
const wakeUp = () => sql`update webhooks set rests_until = null`.execute(store.db);
const messagesOf = ({ received }: Receiver) =>
  received.map(({ body }) => String(JSON.parse(body).data.message));

test("an event is sent once to each webhook that wants its type, signed with its secret", async () => {
  const [wanting, other] = [await openReceiver(), await openReceiver()];
  const one = await create(wanting);
  const two = await create(other, { event_types: ["service.*"] });
  await happen("hello");
  await expect.poll(() => wanting.received.length).toBe(1);
  const { headers = {}, body = "" } = wanting.received[0] ?? {};
  expect(new Webhook(one.secret).verify(body, headers)).toMatchObject({
    type: "test.happened",
    timestamp: expect.stringMatching(/Z$/),
    data: { message: "hello", actor: "howdah", data: { n: 1 } },
  });
  await expect
    .poll(() => deliveries(one.path))
    .toMatchObject([{ state: "delivered", attempts: 1, response_status: 204, event_type: "test.happened" }]);
  expect(await deliveries(two.path)).toEqual([]);
  expect(other.received).toEqual([]);
  await remove(one.path);
  await remove(two.path);
});

test("what fails is sent again under the same id, and a webhook that works again has nothing held against it", async () => {
  const flaky = await openReceiver((response, count) => response.writeHead(count === 1 ? 500 : 204).end());
  const { path } = await create(flaky);
  await happen("again");
  await expect
    .poll(() => deliveries(path))
    .toMatchObject([
      {
        state: "pending",
        attempts: 1,
        response_status: 500,
        error: "the receiver answered 500",
        next_attempt: expect.stringMatching(/Z$/),
      },
    ]);
  expect((await api.ask("GET", path)).json()).toMatchObject({ failures: 1 });
  await hurry();
  await wakeUp();
  dispatcher.poke();
  await expect.poll(() => deliveries(path)).toMatchObject([{ state: "delivered", attempts: 2 }]);
  const ids = flaky.received.map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids).size).toBe(1);
  expect((await api.ask("GET", path)).json()).toMatchObject({ failures: 0 });
  await remove(path);
});

test("a delivery that was made is made once more when that is asked for", async () => {
  const receiver = await openReceiver();
  const { path } = await create(receiver);
  await happen("twice");
  await expect.poll(() => deliveries(path)).toMatchObject([{ state: "delivered" }]);
  const [delivery] = await deliveries(path);
  const again = await api.ask("POST", `${path}/deliveries/${delivery?.id}/redeliver`);
  expect(again.statusCode).toBe(202);
  expect(again.json()).toMatchObject({ state: "pending", id: delivery?.id });
  await feed.flush();
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(receiver.received[0]?.headers["webhook-id"]).toBe(receiver.received[1]?.headers["webhook-id"]);
  for (const id of ["999999", "nothing"])
    expect((await api.ask("POST", `${path}/deliveries/${id}/redeliver`)).statusCode).toBe(404);
  await remove(path);
});

test("a test is sent whatever types are wanted", async () => {
  const receiver = await openReceiver();
  const { path, secret } = await create(receiver, { event_types: ["service.status"] });
  expect((await api.ask("POST", `${path}/test`)).statusCode).toBe(202);
  await feed.flush();
  await expect.poll(() => receiver.received.length).toBe(1);
  const { headers = {}, body = "" } = receiver.received[0] ?? {};
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: "webhook.test" });
  await remove(path);
});

test("after a rotation the new secret signs, and for a while the old one too", async () => {
  const receiver = await openReceiver();
  const { path, secret } = await create(receiver);
  const rotated = (await api.ask("POST", `${path}/rotateSecret`)).json();
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(rotated.secret).not.toBe(secret);
  await happen("rotated");
  await expect.poll(() => receiver.received.length).toBe(1);
  const { headers = {}, body = "" } = receiver.received[0] ?? {};
  for (const one of [secret, rotated.secret]) expect(new Webhook(one).verify(body, headers)).toBeTruthy();
  await remove(path);
});

test("410 ends a webhook, visibly", async () => {
  const gone = await openReceiver((response) => response.writeHead(410).end());
  const { path, id } = await create(gone);
  await happen("go away");
  await expect
    .poll(async () => (await api.ask("GET", path)).json())
    .toMatchObject({
      enabled: false,
      disabled_reason: "The receiver answered 410 Gone.",
    });
  await happen("not any more");
  expect(await deliveries(path)).toMatchObject([{ state: "failed", response_status: 410 }]);
  const { events } = (
    await api.ask("GET", `${BASE}/projects/${projectId}/events?type=webhook.disabled`)
  ).json();
  expect(events).toMatchObject([{ actor: "howdah", data: { webhook: id } }]);
  await remove(path);
});

test("a receiver that hangs keeps no other one waiting, and gets one try at a time once it has failed", async () => {
  const hanging = await openReceiver(() => undefined);
  const working = await openReceiver();
  const [dead, alive] = [await create(hanging), await create(working)];
  const expected = Array.from({ length: 60 }, (_, index) => `event ${index}`);
  for (const message of expected) await happen(message);
  await expect.poll(() => messagesOf(working).toSorted()).toEqual(expected.toSorted());
  expect(hanging.received.length).toBeLessThanOrEqual(4);
  expect((await deliveries(dead.path)).every(({ state }) => state === "pending")).toBe(true);
  await sql`update webhooks set failures = 1 where id = ${dead.id}`.execute(store.db);
  const claimed = await claimDeliveries(store.db, encryption, 10, 4, new Map([[dead.id, 0]]));
  expect(claimed.filter(({ webhookId }) => webhookId === dead.id)).toHaveLength(1);
  await remove(dead.path);
  await remove(alive.path);
});

test("what a process that was killed had claimed is sent by the next one", async () => {
  await dispatcher.stop();
  const receiver = await openReceiver();
  const { path } = await create(receiver);
  await happen("survives");
  expect(await claimDeliveries(store.db, encryption, 10, 4, new Map())).toHaveLength(1);
  expect(await claimDeliveries(store.db, encryption, 10, 4, new Map())).toEqual([]);
  await hurry(); // as the end of the lease does
  dispatcher = startSending();
  await expect.poll(() => messagesOf(receiver)).toEqual(["survives"]);
  await expect.poll(() => deliveries(path)).toMatchObject([{ state: "delivered", attempts: 2 }]);
  await remove(path);
});

test("what waited for a day is given up, and stays visible", async () => {
  await dispatcher.stop();
  const { path } = await create({ url: "http://127.0.0.1:1/" });
  await happen("too late");
  await sql`update webhook_deliveries set expires_at = now() - interval '1 second', due_at = now() - interval '1 second'
             where state = 'pending'`.execute(store.db);
  expect(await tidyDeliveries(store.db)).toBe(1);
  expect(await deliveries(path)).toMatchObject([{ state: "failed", error: "not tried in time" }]);
  await remove(path);
});

test("a webhook is shown without its secret, changed, and deleted with its log", async () => {
  const { path, id } = await create(
    { url: "https://hooks.example.com/in?token=abc" },
    { description: "chat" },
  );
  const shown = (await api.ask("GET", path)).json();
  expect(shown).toEqual({
    id,
    url: "https://hooks.example.com/in?token=abc",
    description: "chat",
    event_types: ["test"],
    enabled: true,
    created: shown.created,
    failures: 0,
  });
  expect((await api.ask("GET", webhooks)).json()).toContainEqual(shown);
  const changed = await api.ask("PATCH", path, { enabled: false, event_types: ["*"] });
  expect(changed.json()).toMatchObject({ enabled: false, event_types: ["*"], description: "chat" });
  await happen("while disabled");
  expect(await deliveries(path)).toEqual([]);
  expect((await remove(path)).statusCode).toBe(204);
  for (const [method, below] of [
    ["GET", ""],
    ["DELETE", ""],
    ["GET", "/deliveries"],
    ["POST", "/test"],
    ["POST", "/rotateSecret"],
  ] as const)
    expect((await api.ask(method, path + below)).statusCode).toBe(404);
  const { events } = (
    await api.ask("GET", `${BASE}/projects/${projectId}/events?type=webhook&limit=3`)
  ).json();
  expect(events.map(({ type }: { type: string }) => type)).toEqual([
    "webhook.deleted",
    "webhook.changed",
    "webhook.created",
  ]);
  expect(JSON.stringify(events)).not.toContain("token=abc");
});

test("secrets are encrypted in the store", async () => {
  const { path, id, secret } = await create({ url: "https://hooks.example.com/" });
  const { rows } = await sql<{
    row: string;
  }>`select webhooks::text as row, secret from webhooks where id = ${id}`.execute(store.db);
  expect(JSON.stringify(rows)).not.toContain(secret);
  await remove(path);
});

test.each([
  [{ url: "ftp://hooks.example.com/" }, /https URL/],
  [{ url: "nowhere" }, /https URL/],
  [{ url: "https://user:pass@hooks.example.com/" }, /no credentials/],
  [{ url: "https://192.168.1.1/" }, /192.168.1.1/],
  [{ url: "https://[::ffff:a9fe:a9fe]/" }, /not public/],
  [{ url: "http://8.8.8.8/" }, /must be https/],
  [{ url: "https://hooks.example.com/", event_types: [] }, /event_types/],
  [{ url: "https://hooks.example.com/", event_types: ["Service.Status"] }, /event_types\[0\]/],
  [{ url: "https://hooks.example.com/", secret: "mine" }, /unknown field/],
  [{ url: "https://hooks.example.com/", description: "\u0000" }, /description/],
  [{}, /url is required/],
])("%j is refused", async (body, message) => {
  const answer = await api.ask("POST", webhooks, body);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: "INVALID_REQUEST", message: expect.stringMatching(message) });
});

test("a project has a bounded number of webhooks", async () => {
  const made: string[] = [];
  let status = 201;
  while (status === 201 && made.length < 30) {
    const answer = await api.ask("POST", webhooks, { url: "https://hooks.example.com/" });
    status = answer.statusCode;
    if (status === 201) made.push(`${webhooks}/${answer.json().id}`);
  }
  expect(status).toBe(409);
  expect(made).toHaveLength(20);
  await Promise.all(made.map(remove));
});

test("a key that may only read sees webhooks and changes none", async () => {
  const { apiKey } = await api.newKey("read_only");
  const { path } = await create({ url: "https://hooks.example.com/" });
  expect((await api.ask("GET", webhooks, undefined, apiKey)).statusCode).toBe(200);
  expect((await api.ask("GET", `${path}/deliveries`, undefined, apiKey)).statusCode).toBe(200);
  expect((await api.ask("POST", webhooks, { url: "https://hooks.example.com/" }, apiKey)).statusCode).toBe(
    403,
  );
  expect((await api.ask("PATCH", path, { enabled: false }, apiKey)).statusCode).toBe(403);
  expect((await api.ask("POST", `${path}/test`, undefined, apiKey)).statusCode).toBe(403);
  expect((await api.ask("DELETE", path, undefined, apiKey)).statusCode).toBe(403);
  await remove(path);
});
