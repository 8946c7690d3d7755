import { expect, test } from "vitest";
import { BASE, openTestApi } from "../../../test/support/api.ts";
import { revokeKey } from "../../store/keys.ts";
import { createSignInLink, forgetSessions } from "../../store/sign-in-links.ts";

const api = await openTestApi();
const { store, projectId, services } = api;

interface SignedIn {
  readonly api_key: string;
  readonly role: string;
  readonly expires_at: string;
  readonly project: { readonly id: string; readonly name: string };
}

const use = (token: unknown) => api.ask("POST", `${BASE}/auth/signIn`, { token }, null);

async function newToken(apiKey = api.key.apiKey): Promise<string> {
  const answer = await api.ask("POST", `${BASE}/auth/signInLinks`, undefined, apiKey);
  expect(answer.statusCode).toBe(201);
  return answer.json().token;
}

async function session(apiKey?: string): Promise<SignedIn> {
  return (await use(await newToken(apiKey))).json();
}

const hoursFromNow = (time: string) => (new Date(time).getTime() - Date.now()) / 3_600_000;

const auditOf = async () =>
  (await api.ask("GET", `${BASE}/projects/${projectId}/audit?limit=500`)).json().records.toReversed();

const USED = {
  code: "UNAUTHORIZED",
  message: "this sign-in link was used or has expired",
  details: "`howdah console` prints a new one.",
};

test("a link gives a key of its own, with the same project and role, for twelve hours", async () => {
  const answer = await api.ask("POST", `${BASE}/auth/signInLinks`);
  expect(answer.json()).toEqual({
    token: expect.stringMatching(/^[\w-]{43}$/),
    expires_at: expect.stringMatching(/Z$/),
  });
  expect(hoursFromNow(answer.json().expires_at) * 60).toBeCloseTo(15, 0);
  const signedIn = (await use(answer.json().token)).json();
  expect(signedIn).toEqual({
    api_key: expect.stringMatching(/^hdk_/),
    project: { id: projectId, name: "tests" },
    role: "admin",
    expires_at: expect.any(String),
  });
  expect(signedIn.api_key).not.toBe(api.key.apiKey);
  expect(hoursFromNow(signedIn.expires_at)).toBeCloseTo(12, 1);
  const info = (await api.ask("GET", `${BASE}/auth/info`, undefined, signedIn.api_key)).json();
  expect(info.api_key).toMatchObject({
    name: expect.stringMatching(/^console, \d{4}-\d\d-\d\d$/),
    role: "admin",
    expires_at: signedIn.expires_at,
    project: { id: projectId },
  });
});

test("one that may only read signs in to read", async () => {
  const reading = await api.newKey("read_only");
  const signedIn = await session(reading.apiKey);
  expect(signedIn.role).toBe("read_only");
  expect((await api.ask("GET", services, undefined, signedIn.api_key)).statusCode).toBe(200);
  expect((await api.ask("POST", services, { name: "x" }, signedIn.api_key)).statusCode).toBe(403);
});

test("a link works once, however many use it at the same moment", async () => {
  const token = await newToken();
  const answers = await Promise.all(Array.from({ length: 8 }, () => use(token)));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(7);
  const refused = answers.find(({ statusCode }) => statusCode === 401);
  expect(refused?.json()).toEqual(USED);
});

test("used, expired, unknown, and made by a key that ended since: all are answered the same", async () => {
  const used = await newToken();
  await use(used);
  const { token: expired } = await createSignInLink(store.db, api.key.publicKey);
  await store.pool.query("update sign_in_links set expires_at = now() where used_at is null");
  const ended = await api.newKey("admin");
  const orphan = await newToken(ended.apiKey);
  await revokeKey(store.db, ended.publicKey);
  for (const token of [used, expired, orphan, "x".repeat(43)]) {
    const answer = await use(token);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual(USED);
  }
});

test.each([[""], ["short"], ["x".repeat(44)], [`${"x".repeat(42)}\u0000`], [7], [undefined]])(
  "a token such as %j is refused by its form",
  async (token) => {
    const answer = await use(token);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining("token"),
    });
  },
);

test("a session ends with the key that it comes from: by its expiry, and by its revocation", async () => {
  const soon = new Date(Date.now() + 3_600_000);
  const short = await api.newKey("member", soon);
  const signedIn = await session(short.apiKey);
  expect(signedIn.expires_at).toBe(soon.toISOString());
  expect((await api.ask("GET", services, undefined, signedIn.api_key)).statusCode).toBe(200);
  await revokeKey(store.db, short.publicKey);
  expect((await api.ask("GET", services, undefined, signedIn.api_key)).statusCode).toBe(401);
});

test("a session makes no link: it cannot prolong itself", async () => {
  const { api_key } = await session();
  const answer = await api.ask("POST", `${BASE}/auth/signInLinks`, undefined, api_key);
  expect(answer.statusCode).toBe(403);
  expect(answer.json()).toMatchObject({ code: "FORBIDDEN" });
});

test("logging out ends a session, and leaves every other key alone", async () => {
  const { api_key } = await session();
  expect((await api.ask("POST", `${BASE}/auth/logout`, undefined, api_key)).statusCode).toBe(204);
  const after = await api.ask("GET", services, undefined, api_key);
  expect(after.json()).toMatchObject({ code: "UNAUTHORIZED", message: "this API key was revoked" });
  expect((await api.ask("POST", `${BASE}/auth/logout`)).statusCode).toBe(204);
  expect((await api.ask("GET", services)).statusCode).toBe(200);
});

test("the audit tells of every link, every use of one, and every session that was ended", async () => {
  const maker = await api.newKey("admin");
  const token = await newToken(maker.apiKey);
  const signedIn: SignedIn = (await use(token)).json();
  await use(token);
  await api.ask("POST", `${BASE}/auth/logout`, undefined, signedIn.api_key);
  const told = async () => (await auditOf()).slice(-4);
  await expect
    .poll(async () => (await told()).map((one: { status?: number }) => one.status))
    .toEqual([201, 200, 401, 204]);
  const records = await told();
  expect(records).toMatchObject([
    { operation: "createSignInLink", actor: `key:${maker.publicKey}` },
    { operation: "signIn", actor: `key:${maker.publicKey}` },
    { operation: "signIn", actor: `key:${maker.publicKey}`, error_code: "UNAUTHORIZED" },
    { operation: "logOut", key_name: expect.stringContaining("console") },
  ]);
  expect(JSON.stringify(records)).not.toContain(token);
});

test("no token is kept as it is", async () => {
  const token = await newToken();
  const { rows } = await store.pool.query<{ text: string }>(
    "select sign_in_links::text as text from sign_in_links",
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { text } of rows) {
    expect(text).not.toContain(token);
    expect(text).not.toContain(Buffer.from(token).toString("hex"));
  }
});

test("links that work no more and sessions long over are forgotten, and nothing else", async () => {
  await session();
  await store.pool.query("update sign_in_links set expires_at = now() - interval '2 days'");
  await store.pool.query(
    "update api_keys set expires_at = now() - interval '31 days' where issued_by is not null",
  );
  expect(await forgetSessions(store.db)).toBeGreaterThan(1);
  const { rows } = await store.pool.query(
    "select 1 from sign_in_links union all select 1 from api_keys where issued_by is not null",
  );
  expect(rows).toEqual([]);
  expect((await api.ask("GET", services)).statusCode).toBe(200);
});

test("who guesses is slowed down, with whatever key beside", async () => {
  const guesses = Array.from({ length: 101 }, (_, index) => use(String(index).padStart(43, "0")));
  const codes = new Set((await Promise.all(guesses)).map(({ statusCode }) => statusCode));
  expect(codes).toEqual(new Set([401, 429]));
  // Before the token is even looked at, a good one too.
  expect((await use(await newToken())).statusCode).toBe(429);
});
