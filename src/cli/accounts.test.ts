import { expect, test } from "vitest";
import { openTestStore } from "../../test/support/store.ts";
import { authenticate, parseApiKey } from "../store/keys.ts";
import { addKey, addProject, removeKey, showKeys, showProjects } from "./accounts.ts";
import { UsageError } from "./failure.ts";

const { store, projectId } = await openTestStore();
const { db } = store;
const NOW = new Date("2026-06-01T00:00:00Z");
const key = { project: undefined, name: "ci", role: "member", expiresAt: null } as const;

function apiKeyIn(output: string) {
  const text = /API key: (\S+)/.exec(output)?.[1];
  const halves = text === undefined ? null : parseApiKey(text);
  if (!halves) throw new Error(`no API key in: ${output}`);
  return halves;
}

test("a key that was made opens the API with its role, until it is revoked", async () => {
  const halves = apiKeyIn(await addKey(db, { ...key, role: "read_only" }));
  expect(await authenticate(store, halves)).toMatchObject({
    kind: "caller",
    caller: { role: "read_only", projectId },
  });
  expect(await removeKey(db, halves.publicKey)).toContain("is revoked");
  expect(await authenticate(store, halves)).toMatchObject({ kind: "refused", why: "revoked" });
});

test("the list tells which keys are active, revoked and expired, and no secret", async () => {
  const active = apiKeyIn(await addKey(db, key));
  const expired = apiKeyIn(await addKey(db, { ...key, expiresAt: new Date("2026-05-01T00:00:00Z") }));
  const revoked = apiKeyIn(await addKey(db, key));
  await removeKey(db, revoked.publicKey);
  const lines = (await showKeys(db, undefined, NOW)).split("\n");
  const lineOf = ({ publicKey }: { publicKey: string }) => lines.find((line) => line.startsWith(publicKey));
  expect(lines[0]).toMatch(/^PUBLIC KEY +PROJECT ID +ROLE +STATE +CREATED +NAME$/);
  expect(lineOf(active)).toContain(" active ");
  expect(lineOf(expired)).toContain(" expired 2026-05-01 ");
  expect(lineOf(revoked)).toContain(" revoked ");
  expect(lines.join("\n")).not.toContain(active.secretKey);
});

test("a key that does not exist cannot be revoked", async () => {
  await expect(removeKey(db, "unknown")).rejects.toThrow(UsageError);
});

test("with several projects, a key has to say whose it is", async () => {
  const made = await addProject(db, "second");
  const second = /Project (\w{10}) /.exec(made)?.[1] ?? "";
  expect(await showProjects(db)).toContain(`${second}  second`);
  await expect(addKey(db, key)).rejects.toThrow("--project");
  await expect(addKey(db, { ...key, project: "nonesuch00" })).rejects.toThrow(
    "There is no project nonesuch00",
  );
  const halves = apiKeyIn(await addKey(db, { ...key, project: second }));
  expect(await authenticate(store, halves)).toMatchObject({ caller: { projectId: second } });
});
