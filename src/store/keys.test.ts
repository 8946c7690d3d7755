import { describe, expect, test } from "vitest";
import { openTestStore } from "../../test/support/store.ts";
import { authenticate, createKey, listKeys, parseApiKey, revokeKey } from "./keys.ts";
import { createProject, listProjects } from "./projects.ts";

const { store, projectId } = await openTestStore();
const { db } = store;

describe("a key", () => {
  test("has halves that both forms of it carry", async () => {
    const key = await createKey(db, { projectId, name: "laptop", role: "admin" });
    expect(key.apiKey).toBe(`hdk_${key.publicKey}_${key.secretKey}`);
    expect(parseApiKey(key.apiKey)).toEqual({ publicKey: key.publicKey, secretKey: key.secretKey });
  });

  test("has a secret of at least 128 random bits, which is stored nowhere", async () => {
    const { secretKey } = await createKey(db, { projectId, name: "laptop", role: "admin" });
    expect(secretKey.length * Math.log2(62)).toBeGreaterThan(128);
    const rows = await db.selectFrom("api_keys").selectAll().execute();
    expect(
      JSON.stringify(rows.map((row) => ({ ...row, secret_hash: row.secret_hash.toString("utf8") }))),
    ).not.toContain(secretKey);
  });

  test("tells who asks", async () => {
    const key = await createKey(db, { projectId, name: "reader", role: "read_only" });
    expect(await authenticate(store, key)).toMatchObject({
      kind: "caller",
      caller: {
        publicKey: key.publicKey,
        keyName: "reader",
        role: "read_only",
        projectId,
        projectName: "tests",
      },
    });
  });

  test("is unknown with another secret, even when it is revoked", async () => {
    const key = await createKey(db, { projectId, name: "laptop", role: "admin" });
    const wrong = { ...key, secretKey: "x".repeat(32) };
    await revokeKey(db, key.publicKey);
    expect(await authenticate(store, wrong)).toEqual({ kind: "refused", why: "unknown" });
    expect(await authenticate(store, key)).toMatchObject({ kind: "refused", why: "revoked" });
  });

  test("expires", async () => {
    const past = await createKey(db, {
      projectId,
      name: "a",
      role: "admin",
      expiresAt: new Date(Date.now() - 1000),
    });
    const future = await createKey(db, {
      projectId,
      name: "b",
      role: "admin",
      expiresAt: new Date(Date.now() + 60_000),
    });
    expect(await authenticate(store, past)).toMatchObject({ kind: "refused", why: "expired" });
    expect((await authenticate(store, future)).kind).toBe("caller");
  });

  test("that is revoked twice keeps the time of the first", async () => {
    const { publicKey } = await createKey(db, { projectId, name: "c", role: "admin" });
    expect(await revokeKey(db, publicKey)).toBe(true);
    const first = (await listKeys(db, projectId)).find((key) => key.publicKey === publicKey)?.revokedAt;
    await revokeKey(db, publicKey);
    const second = (await listKeys(db, projectId)).find((key) => key.publicKey === publicKey)?.revokedAt;
    expect(first).toBeInstanceOf(Date);
    expect(second).toEqual(first);
  });

  test("that does not exist cannot be revoked", async () => {
    expect(await revokeKey(db, "nobody")).toBe(false);
  });
});

test("keys are listed by project, without their hashes", async () => {
  const other = await createProject(db, "other");
  const { publicKey } = await createKey(db, { projectId: other.id, name: "theirs", role: "member" });
  expect(await listKeys(db, other.id)).toEqual([
    {
      publicKey,
      projectId: other.id,
      name: "theirs",
      role: "member",
      createdAt: expect.any(Date),
      expiresAt: null,
      revokedAt: null,
    },
  ]);
  expect((await listKeys(db)).length).toBeGreaterThan(1);
});

test("projects have ids of ten lower-case letters and digits", async () => {
  const project = await createProject(db, "third");
  expect(project.id).toMatch(/^[a-z0-9]{10}$/);
  expect(await listProjects(db)).toContainEqual(project);
});

test.each(["", "hdk_", "hdk_a", "hdk_a_", "hdk_a_b_c", "abc_a_b", "hdk_a-b_c", "hdk_a_b\u0000"])(
  "%j is no API key",
  (text) => {
    expect(parseApiKey(text)).toBeNull();
  },
);
