import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestStore } from "../../test/support/store.ts";
import { authenticate, createKey, listKeys, revokeKey } from "../store/keys.ts";
import { ensureCredentials } from "./credentials.ts";
import { credentialsFile, readCredentialsFile } from "./credentials-file.ts";

const API = "http://127.0.0.1:8420/api/v1";
const { store } = await openTestStore();
let home = "";
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "howdah-credentials-"));
});
afterEach(() => rm(home, { recursive: true }));

test("the first start leaves a key that opens the API as the operator, readable by its owner alone", async () => {
  const made = await ensureCredentials(store, home, API);
  expect(await readCredentialsFile(home)).toEqual(made);
  expect((await stat(credentialsFile(home))).mode & 0o777).toBe(0o600);
  const answer = await authenticate(store, { publicKey: made.public_key, secretKey: made.secret_key });
  expect(answer).toMatchObject({ kind: "caller", caller: { role: "operator", projectId: made.project_id } });
});

test("later starts keep the key, and follow the API to another address", async () => {
  const made = await ensureCredentials(store, home, API);
  const moved = await ensureCredentials(store, home, "http://127.0.0.1:9000/api/v1");
  expect(moved).toEqual({ ...made, api_url: "http://127.0.0.1:9000/api/v1" });
  expect(await readCredentialsFile(home)).toEqual(moved);
});

test("where the file was lost or damaged, another key of the same project takes its place", async () => {
  const made = await ensureCredentials(store, home, API);
  await writeFile(credentialsFile(home), "{");
  const again = await ensureCredentials(store, home, API);
  expect(again.project_id).toBe(made.project_id);
  expect(again.public_key).not.toBe(made.public_key);
});

test("the key that an older version has made as an admin's becomes the operator's, and no other", async () => {
  const made = await ensureCredentials(store, home, API);
  const other = await createKey(store.db, { projectId: made.project_id, name: "other", role: "admin" });
  await store.pool.query("update api_keys set role = 'admin' where public_key = $1", [made.public_key]);
  await ensureCredentials(store, home, API);
  const roles = new Map((await listKeys(store.db)).map(({ publicKey, role }) => [publicKey, role]));
  expect(roles.get(made.public_key)).toBe("operator");
  expect(roles.get(other.publicKey)).toBe("admin");
});

test("a key that was revoked is not replaced behind its revoker's back", async () => {
  const made = await ensureCredentials(store, home, API);
  await revokeKey(store.db, made.public_key);
  const keysBefore = await listKeys(store.db);
  expect(await ensureCredentials(store, home, API)).toEqual(made);
  expect(await listKeys(store.db)).toHaveLength(keysBefore.length);
});
