import { expect, test } from "vitest";
import { BASE, openTestApi } from "../../test/support/api.ts";
import { revokeKey } from "../store/keys.ts";
import { forgetAuditRecords } from "../store/retention.ts";

const api = await openTestApi({ trustedProxies: ["127.0.0.1"] });
const audit = `${BASE}/projects/${api.projectId}/audit`;

type Entry = Readonly<Record<string, string | number>>;

async function records(query = "", apiKey?: string): Promise<Entry[]> {
  return (await api.ask("GET", `${audit}${query}`, undefined, apiKey)).json().records;
}

/** The outcome is written after the answer was sent. */
const newest = () => expect.poll(async () => (await records("?limit=1"))[0]);

test("a change is recorded: who, what, which service, from where, and how it ended", async () => {
  const { service_id } = await api.create({ name: "orders" });
  const answer = await api.app.inject({
    method: "POST",
    url: `${api.services}/${service_id}/rename?x=1`,
    headers: {
      authorization: `Bearer ${api.key.apiKey}`,
      "content-type": "application/json",
      "x-forwarded-for": "192.0.2.7",
      "x-request-id": "request-1",
    },
    payload: JSON.stringify({ name: "renamed" }),
  });
  expect(answer.statusCode).toBe(200);
  await newest().toEqual({
    id: expect.any(String),
    at: expect.stringMatching(/Z$/),
    actor: `key:${api.key.publicKey}`,
    key_name: "admin key",
    operation: "renameService",
    method: "POST",
    path: `${api.services}/${service_id}/rename`,
    service_id,
    remote_address: "192.0.2.7",
    request_id: "request-1",
    status: 200,
  });
});

test("what is refused is recorded too: by its body, its role, its state, its project, or an ended key", async () => {
  const refused = async (
    status: number,
    error_code: string,
    ...[method, path, body, apiKey]: Parameters<typeof api.ask>
  ) => {
    expect((await api.ask(method, path, body, apiKey)).statusCode).toBe(status);
    await newest().toMatchObject({ status, error_code, method });
  };
  const { service_id } = await api.create();
  const service = `${api.services}/${service_id}`;
  const reading = await api.newKey("read_only");
  await refused(400, "INVALID_REQUEST", "POST", `${service}/rename`, { name: 1 });
  await refused(403, "FORBIDDEN", "DELETE", service, undefined, reading.apiKey);
  await refused(404, "NOT_FOUND", "DELETE", `${api.services}/zzzzzzzzzz`);
  await refused(404, "NOT_FOUND", "POST", `${BASE}/projects/another000/services`, { name: "x" });
  await refused(404, "NOT_FOUND", "POST", `${api.services}/%00/stop`);
  await refused(400, "INVALID_REQUEST", "POST", `${service}/start`);
  await revokeKey(api.store.db, reading.publicKey);
  await refused(401, "UNAUTHORIZED", "DELETE", service, undefined, reading.apiKey);
});

test("reading, and asking with a key that nobody knows, is not recorded", async () => {
  const before = await records("?limit=500");
  await api.ask("GET", api.services);
  await api.ask("POST", `${BASE}/auth/logout`);
  await api.ask("DELETE", `${api.services}/zzzzzzzzzz`, undefined, "hdk_nobody_secret");
  expect(await records("?limit=500")).toEqual(before);
});

test("no secret of a body is in it", async () => {
  const { service_id } = await api.create();
  await api.ask("POST", `${api.services}/${service_id}/updatePassword`, {
    password: "correct-horse-battery",
  });
  await newest().toMatchObject({ operation: "updatePassword" });
  expect(JSON.stringify(await records("?limit=500"))).not.toContain("correct-horse");
});

test("a change that cannot be recorded is not made", async () => {
  const broken = await openTestApi();
  const { service_id, name } = await broken.create();
  await broken.store.pool.query("alter table audit_records rename to audit_records_gone");
  const answer = await broken.ask("POST", `${broken.services}/${service_id}/rename`, { name: "unseen" });
  expect(answer.statusCode).toBe(500);
  expect((await broken.ask("GET", `${broken.services}/${service_id}`)).json()).toMatchObject({ name });
});

test("it is for admins alone", async () => {
  for (const role of ["member", "read_only"] as const) {
    const { apiKey } = await api.newKey(role);
    expect((await api.ask("GET", audit, undefined, apiKey)).statusCode).toBe(403);
  }
});

test("pages follow each other to the end, and times bound them", async () => {
  const all = await records("?limit=500");
  const seen: Entry[] = [];
  let cursor = "";
  for (let pages = 0; pages < 100; pages += 1) {
    const page = (await api.ask("GET", `${audit}?limit=3${cursor}`)).json();
    seen.push(...page.records);
    if (page.next_cursor === undefined) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  expect(seen).toEqual(all);
  expect(await records("?until=2020-01-01")).toEqual([]);
  expect(await records(`?limit=500&since=${all.at(-1)?.["at"]}`)).toEqual(all);
  for (const query of ["since=yesterday", "until=5", "limit=501", "cursor=x", "format=csv"])
    expect((await api.ask("GET", `${audit}?${query}`)).statusCode).toBe(400);
});

test("as JSON lines come all of them, oldest first", async () => {
  const all = await records("?limit=500");
  const answer = await api.ask("GET", `${audit}?format=jsonl`);
  expect(answer.headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
  const lines = answer.body.trimEnd().split("\n");
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual(all.toReversed());
  const accepted = await api.app.inject({
    url: audit,
    headers: { accept: "application/x-ndjson", authorization: `Bearer ${api.key.apiKey}` },
  });
  expect(accepted.body).toBe(answer.body);
});

test("what is older than it is kept for is forgotten", async () => {
  await api.store.db
    .updateTable("audit_records")
    .set({ at: new Date("2020-01-01") })
    .where("id", "=", Number((await records("?limit=500")).at(-1)?.["id"]))
    .execute();
  expect(await forgetAuditRecords(api.store.db, 400)).toBe(1);
  expect(await forgetAuditRecords(api.store.db, 400)).toBe(0);
});
