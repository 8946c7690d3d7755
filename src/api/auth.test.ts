import { describe, expect, test } from "vitest";
import { BASE, openTestApi } from "../../test/support/api.ts";
import { strictErrors } from "../../test/support/strict.ts";
import { AuthInfo } from "../contract/account.ts";
import { createKey, revokeKey } from "../store/keys.ts";
import { createProject } from "../store/projects.ts";

const api = await openTestApi();
const { app, services, store, key } = api;

const get = (authorization?: string) =>
  app.inject({ url: services, ...(authorization === undefined ? {} : { headers: { authorization } }) });
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

describe("a key is taken", () => {
  test.each([
    ["Bearer", `Bearer ${key.apiKey}`],
    ["bearer", `bearer  ${key.apiKey}`],
    ["Basic", basic(`${key.publicKey}:${key.secretKey}`)],
    ["BASIC", basic(`${key.publicKey}:${key.secretKey}`).replace("Basic", "BASIC")],
  ])("as %s", async (_, authorization) => {
    expect((await get(authorization)).statusCode).toBe(200);
  });
});

describe("401 with a challenge", () => {
  test.each([
    ["no key", undefined, "an API key is required"],
    ["an empty header", "", "an API key is required"],
    ["another scheme", "Digest abc", "holds no API key"],
    ["a bearer of nothing", "Bearer", "holds no API key"],
    ["a bearer of something else", "Bearer abc", "holds no API key"],
    ["two bearers", `Bearer ${key.apiKey} ${key.apiKey}`, "holds no API key"],
    ["an unknown key", `Bearer hdk_${"x".repeat(16)}_${"y".repeat(32)}`, "not known"],
    ["a wrong secret", `Bearer hdk_${key.publicKey}_${"y".repeat(32)}`, "not known"],
    ["a wrong secret, as Basic", basic(`${key.publicKey}:wrong`), "not known"],
    ["the secret half alone", basic(key.secretKey), "holds no API key"],
    ["broken base64", "Basic !!!", "holds no API key"],
    ["a NUL in it", basic(`${key.publicKey}:\u0000`), "holds no API key"],
  ])("for %s", async (_, authorization, message) => {
    const answer = await get(authorization);
    expect(answer.statusCode).toBe(401);
    expect(answer.headers["www-authenticate"]).toMatch(/^Bearer\b/);
    expect(answer.json()).toMatchObject({ code: "UNAUTHORIZED", message: expect.stringContaining(message) });
  });

  test("for a revoked key, which is told so, but only with its secret", async () => {
    const revoked = await api.newKey("admin");
    await revokeKey(store.db, revoked.publicKey);
    expect((await get(`Bearer ${revoked.apiKey}`)).json()).toMatchObject({
      message: "this API key was revoked",
    });
    const guessed = await get(`Bearer hdk_${revoked.publicKey}_${"y".repeat(32)}`);
    expect(guessed.json()).toMatchObject({ message: "this API key is not known" });
  });

  test("for an expired key, which is told so, but only with its secret", async () => {
    const expired = await api.newKey("admin", new Date(Date.now() - 1_000));
    const answer = await get(`Bearer ${expired.apiKey}`);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ message: "this API key has expired" });
    const guessed = await get(`Bearer hdk_${expired.publicKey}_${"y".repeat(32)}`);
    expect(guessed.json()).toMatchObject({ message: "this API key is not known" });
  });

  test("before anything else is looked at", async () => {
    const answer = await app.inject({
      method: "POST",
      url: `${BASE}/projects/nope/services`,
      headers: { "content-type": "text/plain" },
      payload: "{",
    });
    expect(answer.statusCode).toBe(401);
  });
});

describe("another project", () => {
  test("is 404, for reading and for writing, with whatever role and body", async () => {
    const other = await createProject(store.db, "other");
    const theirs = await createKey(store.db, { projectId: other.id, name: "theirs", role: "read_only" });
    const { service_id } = await api.create();
    for (const [method, path] of [
      ["GET", services],
      ["POST", services],
      ["GET", `${services}/${service_id}`],
      ["DELETE", `${services}/${service_id}`],
      ["POST", `${services}/${service_id}/setHA`],
    ] as const) {
      const answer = await api.ask(
        method,
        path,
        method === "POST" ? { nonsense: 1 } : undefined,
        theirs.apiKey,
      );
      expect([method, path, answer.statusCode]).toEqual([method, path, 404]);
      expect(answer.json()).toEqual({ code: "NOT_FOUND", message: "no project with that id exists" });
    }
  });

  test("has no services that show through the own project's path", async () => {
    const other = await createProject(store.db, "other");
    const theirs = await createKey(store.db, { projectId: other.id, name: "theirs", role: "admin" });
    const { service_id } = await api.create();
    const through = `${BASE}/projects/${other.id}/services/${service_id}`;
    for (const [method, path, body] of [
      ["GET", through],
      ["GET", `${through}/events`],
      ["DELETE", through],
      ["POST", `${through}/setHA`, { replica_count: 0 }],
      ["POST", `${through}/resize`, { cpu_millis: "500" }],
    ] as const) {
      const answer = await api.ask(method, path, body, theirs.apiKey);
      expect(answer.json()).toEqual({ code: "NOT_FOUND", message: "no service with that id exists" });
    }
    expect((await api.ask("GET", `${services}/${service_id}`)).json()).toMatchObject({ status: "QUEUED" });
  });
});

describe("a key that may only read", () => {
  test("reads", async () => {
    const reader = await api.newKey("read_only");
    const { service_id } = await api.create();
    for (const path of [services, `${services}/${service_id}`, `${services}/${service_id}/events`])
      expect((await api.ask("GET", path, undefined, reader.apiKey)).statusCode).toBe(200);
  });

  test("is 403 where it writes, before the body is looked at", async () => {
    const reader = await api.newKey("read_only");
    for (const [method, path] of [
      ["POST", services],
      ["DELETE", `${services}/0000000000`],
      ["POST", `${services}/0000000000/setHA`],
      ["POST", `${services}/0000000000/resize`],
    ] as const) {
      const answer = await api.ask(
        method,
        path,
        method === "POST" ? { nonsense: 1 } : undefined,
        reader.apiKey,
      );
      expect([method, path, answer.statusCode]).toEqual([method, path, 403]);
      expect(answer.json()).toMatchObject({ code: "FORBIDDEN" });
    }
  });

  test("is told from a member's, which writes", async () => {
    const member = await api.newKey("member");
    expect((await api.ask("POST", services, { name: "a" }, member.apiKey)).statusCode).toBe(202);
  });
});

describe("the account", () => {
  test("tells whose key it is, with a valid address, under both names", async () => {
    const answer = await api.ask("GET", `${BASE}/auth/info`);
    const info: AuthInfo = answer.json();
    expect(strictErrors(AuthInfo, info)).toEqual([]);
    expect(info.apiKey).toEqual(info.api_key);
    expect(info.api_key).toMatchObject({
      public_key: key.publicKey,
      name: "admin key",
      project: { id: api.projectId, name: "tests" },
    });
  });

  test("has the projects of the key, and no others", async () => {
    await createProject(store.db, "unseen");
    expect((await api.ask("GET", `${BASE}/projects`)).json()).toEqual([{ id: api.projectId, name: "tests" }]);
  });

  test("is logged out without an answer's body, and the key goes on working", async () => {
    const answer = await api.ask("POST", `${BASE}/auth/logout`);
    expect([answer.statusCode, answer.body]).toEqual([204, ""]);
    expect((await api.ask("GET", services)).statusCode).toBe(200);
  });

  test.each(["identify", "track"])("takes what clients say of their use: %s", async (kind) => {
    const answer = await api.ask("POST", `${BASE}/analytics/${kind}`, {
      event: "x",
      properties: { any: "thing" },
    });
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: "success" }]);
  });
});
