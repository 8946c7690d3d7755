import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DamagedHome, HOME_FILES, openHome, readInstallationId, writeOnce } from "./home.ts";

let parent = "";
beforeEach(async () => {
  parent = await mkdtemp(path.join(tmpdir(), "howdah-home-"));
});
afterEach(() => rm(parent, { recursive: true }));

const mode = async (file: string) => (await stat(file)).mode & 0o777;

test("a new home gets an id, a key and a password that only its owner can read", async () => {
  const folder = path.join(parent, "new", "home");
  const home = await openHome(folder);
  expect(home.installationId).toMatch(/^[a-z0-9]{8}$/);
  expect(home.masterKey).toHaveLength(32);
  expect(home.statePassword.length).toBeGreaterThanOrEqual(24);
  expect(await mode(folder)).toBe(0o700);
  for (const name of await readdir(folder)) expect(await mode(path.join(folder, name))).toBe(0o600);
  expect(await readdir(folder)).toHaveLength(3);
});

test("opened again, a home is the same", async () => {
  const first = await openHome(parent);
  expect(await openHome(parent)).toEqual(first);
});

test("of many processes that open a new home at once, all see the same one", async () => {
  const homes = await Promise.all(Array.from({ length: 10 }, () => openHome(parent)));
  for (const home of homes) expect(home).toEqual(homes[0]);
});

test("a damaged key stops everything and is left as it is", async () => {
  await openHome(parent);
  const file = path.join(parent, HOME_FILES.masterKey);
  await writeFile(file, "short");
  await expect(openHome(parent)).rejects.toThrow(DamagedHome);
  expect(await readFile(file, "utf8")).toBe("short");
});

test("asking for the id of a home that is not there makes nothing", async () => {
  const folder = path.join(parent, "none");
  expect(await readInstallationId(folder)).toBeNull();
  await expect(stat(folder)).rejects.toThrow("ENOENT");
});

test("a file that is written once is never replaced", async () => {
  const file = path.join(parent, "once");
  expect(await writeOnce(file, "first")).toBe(true);
  expect(await writeOnce(file, "second")).toBe(false);
  expect(await readFile(file, "utf8")).toBe("first");
  expect(await readdir(parent)).toEqual(["once"]);
});
