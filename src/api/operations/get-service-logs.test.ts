import { expect, test } from "vitest";
import { openTestApi } from "../../../test/support/api.ts";
import { ApiError } from "../../contract/errors.ts";
import type { LogQuery, MemberLogs } from "../../lib/member-logs.ts";

const FILE = "postgresql-20261121-090000.json";
const BEGIN = Date.UTC(2026, 10, 21, 9);
/** What the platform was asked for last, and what it answers. */
let asked: LogQuery | null = null;
let answer: () => Promise<MemberLogs | null> = async () => null;

const api = await openTestApi({
  readLogs: (_region, _serviceId, query) => {
    asked = query;
    return answer();
  },
});
const { service_id: id } = await api.create();

/** A member that has written so many entries, one each millisecond. */
function written(ordinal: number, count: number): MemberLogs["logs"][number] {
  const before = asked?.before.get(ordinal)?.[1] ?? count;
  const entries = Array.from({ length: before }, (_, index) => before - 1 - index).map((place) => ({
    atMs: BEGIN + place,
    severity: "ERROR",
    message: `entry ${place}\nSTATEMENT:  select 1`,
    user: "app",
    database: "tsdb",
    pid: 42,
    position: [FILE, place] as const,
  }));
  const limit = asked?.limit ?? 0;
  const next = entries.length > limit ? (entries[limit - 1]?.position ?? null) : null;
  return { ordinal, entries: entries.slice(0, limit), top: [FILE, count], next };
}

const get = (query: string) => api.ask("GET", `${api.services}/${id}/logs${query}`);

test("entries come newest first, as text and in parts, without a cursor where there is nothing older", async () => {
  answer = async () => ({ ordinals: [0], logs: [written(0, 2)] });
  const { statusCode, body } = await get("");
  expect(statusCode).toBe(200);
  expect(JSON.parse(body)).toEqual({
    logs: [
      "2026-11-21T09:00:00.001Z member-0 [42] app@tsdb ERROR: entry 1\nSTATEMENT:  select 1",
      "2026-11-21T09:00:00.000Z member-0 [42] app@tsdb ERROR: entry 0\nSTATEMENT:  select 1",
    ],
    entries: [1, 0].map((place) => ({
      timestamp: `2026-11-21T09:00:00.00${place}Z`,
      severity: "ERROR",
      message: `entry ${place}\nSTATEMENT:  select 1`,
      node: "member-0",
    })),
  });
});

test("a page holds 500 entries of all members, and its cursor leads through all of them", async () => {
  answer = async () => ({ ordinals: [0, 1], logs: [written(0, 700), written(1, 400)] });
  const seen: string[] = [];
  let cursor = "";
  for (const expected of [500, 500, 100]) {
    const page = (await get(cursor === "" ? "" : `?cursor=${cursor}`)).json();
    expect(page.entries).toHaveLength(expected);
    expect(page.lastCursor).toBe(page.last_cursor);
    seen.push(...page.entries.map((one: { node: string; message: string }) => `${one.node} ${one.message}`));
    cursor = page.last_cursor;
  }
  expect(cursor).toBeUndefined();
  expect(new Set(seen).size).toBe(1_100);
});

test("a member that has come since the first page is on none of the next", async () => {
  answer = async () => ({ ordinals: [0], logs: [written(0, 600)] });
  const { last_cursor } = (await get("")).json();
  answer = async () => ({ ordinals: [0, 1], logs: [written(0, 600), written(1, 5)] });
  const { entries } = (await get(`?cursor=${last_cursor}`)).json();
  expect(new Set(entries.map(({ node }: { node: string }) => node))).toEqual(new Set(["member-0"]));
});

test("what is asked for reaches the platform, once or several times", async () => {
  answer = async () => ({ ordinals: [0, 1], logs: [] });
  const query = "node=member-1&since=2026-11-21T09:00:00Z&until=2026-11-21T10:00:00Z&search=dead&search=lock";
  expect((await get(`?${query}&severities=ERROR&severities=fatal`)).statusCode).toBe(200);
  expect(asked).toEqual({
    ordinal: 1,
    before: new Map(),
    sinceMs: BEGIN,
    untilMs: BEGIN + 3_600_000,
    search: ["dead", "lock"],
    severities: ["ERROR", "FATAL"],
    limit: 501,
  });
});

test.each([
  ["?node=7", "member-0, member-1"],
  ["?node=primary", "member-0, member-1"],
  ["?cursor=abc", "cursor"],
  ["?since=yesterday", "since"],
  ["?since=2026-11-21T23:59:60Z", "since"],
  ["?severities=BAD&severities=LOG", "WARNING, ERROR"],
  ["?search=", "search"],
  ["?lines=5", "node, cursor, since, until, search, severities"],
])("%s is refused, and what would be accepted is named", async (query, named) => {
  answer = async () => ({ ordinals: [0, 1], logs: [] });
  const { statusCode, body } = await get(query);
  expect([statusCode, JSON.parse(body).code]).toEqual([400, "INVALID_REQUEST"]);
  expect(JSON.parse(body).message).toContain(named);
});

test("a platform that does not answer is told so, and one without logs too", async () => {
  answer = () => Promise.reject(new Error("no answer in 20 s"));
  const gone = await get("");
  expect([gone.statusCode, gone.json().code]).toEqual([503, "UNAVAILABLE"]);
  expect(gone.headers["retry-after"]).toBe("5");
  answer = async () => null;
  const none = await get("");
  expect([none.statusCode, none.json().code]).toEqual([400, "NOT_AVAILABLE"]);
});

test("the log of no service is asked for", async () => {
  expect((await api.ask("GET", `${api.services}/zzzzzzzzzz/logs`)).statusCode).toBe(404);
});

test("where as many are read as may be at a time, it is told so", async () => {
  answer = () => Promise.reject(new ApiError("TOO_MANY_REQUESTS", "8 logs are being read already"));
  const refused = await get("");
  expect([refused.statusCode, refused.json().code]).toEqual([429, "TOO_MANY_REQUESTS"]);
});
