import { once } from "node:events";
import { afterAll, expect, test } from "vitest";
import { BASE, openTestApi } from "../../../test/support/api.ts";
import { readStream } from "../../../test/support/event-stream.ts";
import { startFeed } from "../../feed/feed.ts";
import { renderWebhookBody } from "../../feed/present-event.ts";
import { appendEvents } from "../../store/events.ts";
import { revokeKey } from "../../store/keys.ts";
import { createApp } from "../app.ts";
import { createEventHub } from "./hub.ts";
import { Reader } from "./reader.ts";

const api = await openTestApi();
const { store, encryption, projectId, key } = api;
const feed = startFeed({ db: store.db, render: renderWebhookBody });
const app = await createApp({ store, encryption, endpointHost: () => "db.example.test", feed });
const origin = await app.listen({ host: "127.0.0.1", port: 0 });
afterAll(async () => {
  await app.close();
  await feed.stop();
});
const events = `${origin}${BASE}/projects/${projectId}/events`;

const happen = async (message: string, more: { serviceId?: string; type?: string } = {}) => {
  const event = { projectId, serviceId: null, actor: "howdah", type: "test.happened", message, ...more };
  await appendEvents(store.db, [event]);
  await feed.flush();
};
const messages = (list: readonly { readonly message: string }[]) => list.map(({ message }) => message);

await happen("the first of all");
await happen("the second");

test("a stream begins now, and tells each event with its id, type and record", async () => {
  await happen("before");
  const response = await fetch(events, {
    headers: { accept: "text/event-stream", authorization: `Bearer ${key.apiKey}` },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const body = response.body?.getReader();
  const next = async () => new TextDecoder().decode((await body?.read())?.value);
  expect(await next()).toMatch(/^retry: \d+\nid: \d+\n\n$/);
  await happen("now", { type: "service.status", serviceId: "aaaaaaaaaa" });
  const frame = await next();
  const [, id, type, data] = /^id: (\d+)\nevent: (\S+)\ndata: (.+)\n\n$/.exec(frame) ?? [];
  expect(type).toBe("service.status");
  expect(JSON.parse(data ?? "")).toMatchObject({
    id,
    type,
    message: "now",
    service_id: "aaaaaaaaaa",
    data: {},
  });
  await body?.cancel();
});

test("whoever comes back gets what it has missed, nothing of it twice, also what commits late", async () => {
  const first = await readStream(events, key.apiKey);
  await happen("one");
  await first.until(1);
  first.close();
  const open = await store.db.startTransaction().execute();
  await appendEvents(open, [
    { projectId, serviceId: null, actor: "howdah", type: "test.happened", message: "late" },
  ]);
  await happen("two");
  const second = await readStream(events, key.apiKey, { "last-event-id": String(first.lastEventId()) });
  expect(messages(await second.until(1))).toEqual(["two"]);
  second.close();
  await open.commit().execute();
  // The id of the event that is still to come is lower than the one that was seen last.
  const third = await readStream(`${events}?last_event_id=${second.lastEventId()}`, key.apiKey);
  expect(messages(await third.until(1))).toEqual(["late"]);
  await happen("three");
  expect(messages(await third.until(2))).toEqual(["late", "three"]);
  third.close();
});

test("a reader that has got nothing yet knows where to go on", async () => {
  const reader = await readStream(events, key.apiKey);
  await expect.poll(() => reader.lastEventId()).not.toBeNull();
  reader.close();
  await happen("while away");
  const back = await readStream(events, key.apiKey, { "last-event-id": String(reader.lastEventId()) });
  expect(messages(await back.until(1))).toEqual(["while away"]);
  back.close();
});

test("nothing is lost over a restart of the app", async () => {
  const start = () => createApp({ store, encryption, endpointHost: () => "db.example.test" });
  const before = await start();
  const path = `${BASE}/projects/${projectId}/events`;
  const reader = await readStream(`${await before.listen({ port: 0 })}${path}`, key.apiKey);
  await happen("before the restart");
  await reader.until(1);
  await before.close();
  await reader.ended;
  await happen("during the restart");
  const after = await start();
  const back = await readStream(`${await after.listen({ port: 0 })}${path}`, key.apiKey, {
    "last-event-id": String(reader.lastEventId()),
  });
  await happen("after the restart");
  expect(messages(await back.until(2))).toEqual(["during the restart", "after the restart"]);
  await after.close();
});

test("a long absence is made up for page by page, while more happens, and in order", async () => {
  const [last] = (await fetchEvents("?limit=1")).events;
  const many = Array.from({ length: 1_200 }, (_, index) => `many ${index}`);
  await appendEvents(
    store.db,
    many.map((message) => ({ projectId, serviceId: null, actor: "howdah", type: "test.happened", message })),
  );
  const reader = await readStream(events, key.apiKey, { "last-event-id": String(last?.id) });
  await happen("and one more");
  expect(messages(await reader.until(1_201))).toEqual([...many, "and one more"]);
  reader.close();
});

test("a service's stream and a filter by type leave out everything else", async () => {
  const { service_id } = await api.create();
  const ofService = await readStream(
    `${origin}${api.services}/${service_id}/events?last_event_id=0`,
    key.apiKey,
  );
  const ofType = await readStream(`${events}?type=service.rename,service.create`, key.apiKey);
  await happen("something else");
  await happen("renamed", { serviceId: service_id, type: "service.renamed" });
  await happen("created", { serviceId: "bbbbbbbbbb", type: "service.create.accepted" });
  await happen("done", { serviceId: service_id, type: "service.step" });
  expect((await ofService.until(3)).map(({ type }) => type)).toEqual([
    "service.create.accepted",
    "service.renamed",
    "service.step",
  ]);
  expect(messages(await ofType.until(1))).toEqual(["created"]);
  ofService.close();
  ofType.close();
});

test("a hundred readers get every event in order", async () => {
  const readers = await Promise.all(Array.from({ length: 100 }, () => readStream(events, key.apiKey)));
  const expected = Array.from({ length: 200 }, (_, index) => `round ${index}`);
  for (const message of expected) await happen(message);
  for (const reader of readers) expect(messages(await reader.until(200))).toEqual(expected);
  for (const reader of readers) reader.close();
});

test("a key that may only read may follow; one that is revoked is cut off", async () => {
  const reading = await api.newKey("read_only");
  const feed = startFeed({ db: store.db, render: renderWebhookBody });
  const hub = createEventHub(store.db, feed, { keysCheckedEveryMs: 20 });
  const stream = await hub.open({
    filter: { projectId, serviceId: null, types: null },
    publicKey: reading.publicKey,
    lastEventId: null,
  });
  const reader = await readStream(events, reading.apiKey);
  expect(reader.status).toBe(200);
  reader.close();
  const ended = new Promise((resolve) => stream.once("end", resolve));
  stream.resume();
  await revokeKey(store.db, reading.publicKey);
  await ended;
  hub.close();
  await feed.stop();
});

test("a quiet stream tells by comments that its connection lives", async () => {
  const hub = createEventHub(store.db, feed, { heartbeatEveryMs: 20 });
  const filter = { projectId, serviceId: null, types: ["nothing.at-all"] };
  const stream = await hub.open({ filter, publicKey: key.publicKey, lastEventId: null });
  await once(stream, "data");
  const [heartbeat] = await once(stream, "data");
  expect(String(heartbeat)).toBe(": \n\n");
  hub.close();
});

test("a project has a bounded number of streams", async () => {
  const feed = startFeed({ db: store.db, render: renderWebhookBody });
  const hub = createEventHub(store.db, feed, { mostReaders: 3, mostReadersOfAProject: 2 });
  const open = (project: string) =>
    hub.open({
      filter: { projectId: project, serviceId: null, types: null },
      publicKey: key.publicKey,
      lastEventId: null,
    });
  const [first] = [await open(projectId), await open(projectId)];
  await expect(open(projectId)).rejects.toMatchObject({
    code: "TOO_MANY_REQUESTS",
    message: expect.stringMatching(/2 event streams of this project/),
  });
  await open("another000");
  await expect(open("third00000")).rejects.toMatchObject({
    message: expect.stringMatching(/3 event streams of this installation/),
  });
  first?.destroy();
  await expect
    .poll(() =>
      open(projectId).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  hub.close();
  await feed.stop();
});

test("a reader that does not read is cut off once too much waits for it", async () => {
  const reader = new Reader({ projectId, serviceId: null, types: null }, key.publicKey, 0);
  const chunk = Buffer.alloc(64 * 1024);
  for (let written = 0; written < 40 && !reader.closed; written += 1) reader.write(chunk);
  expect(reader.closed).toBe(true);
  expect(reader.output.readableLength).toBeLessThan(2 * 1024 * 1024);
});

test.each([
  ["last_event_id=abc", {}, /last_event_id/],
  ["", { "last-event-id": "12-ab" }, /Last-Event-ID must be/],
  ["last_event_id=999999999", {}, /no event of this project/],
  ["type=Service", {}, /type must be/],
  ["limit=0", {}, /limit/],
])("%s %j is refused", async (query, headers, message) => {
  const response = await fetch(`${events}?${query}`, {
    headers: { accept: "text/event-stream", authorization: `Bearer ${key.apiKey}`, ...headers },
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: "INVALID_REQUEST",
    message: expect.stringMatching(message),
  });
});

test("a stream of a service that is not there is answered 404, and a HEAD has an end", async () => {
  const missing = await readStream(`${origin}${api.services}/zzzzzzzzzz/events`, key.apiKey);
  expect(missing.status).toBe(404);
  const head = await fetch(events, {
    method: "HEAD",
    headers: { accept: "text/event-stream", authorization: `Bearer ${key.apiKey}` },
  });
  expect(head.status).toBe(200);
});

test("as a list, a project's events are paged, newest first, and can be filtered", async () => {
  const { service_id } = await api.create({ name: "listed" });
  const page = await fetchEvents("?limit=2");
  expect(page.events).toHaveLength(2);
  expect(page.events[0]).toMatchObject({
    type: "service.create.accepted",
    service_id,
    actor: `key:${key.publicKey}`,
    data: { name: "listed", replica_count: 0, status: "QUEUED" },
  });
  const older = await fetchEvents(`?limit=1&before=${page.events[0]?.id}`);
  expect(older.events[0]).toEqual(page.events[1]);
  const ofService = await fetchEvents(`?service_id=${service_id}&type=service.*`);
  expect(ofService.events.map(({ type }) => type)).toEqual(["service.create.accepted"]);
  expect((await fetchEvents(`?service_id=${service_id}&type=webhook`)).events).toEqual([]);
});

async function fetchEvents(query: string): Promise<{
  events: { id: string; type: string; message: string; [field: string]: unknown }[];
}> {
  return (await api.ask("GET", `${BASE}/projects/${projectId}/events${query}`)).json();
}
