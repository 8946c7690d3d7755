import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HOME_FILES } from "../../lib/home.ts";
import { openPasswordFile } from "./password-file.ts";

let parent: string;
let home: string;
beforeEach(async () => {
  parent = await mkdtemp(path.join(tmpdir(), "howdah-passwords-"));
  home = path.join(parent, "home");
});
afterEach(() => rm(parent, { recursive: true }));

const passwordOf = (number: number) => ({
  serviceId: `service${number}`,
  places: [{ host: "127.0.0.1", port: 20_000 + number }],
  role: "tsdbadmin",
  password: `secret ${number}`,
});

test("the first password makes the file, for its owner alone", async () => {
  const passwords = openPasswordFile(home);
  await passwords.save(passwordOf(1));
  expect((await stat(passwords.file)).mode & 0o777).toBe(0o600);
  expect((await stat(home)).mode & 0o777).toBe(0o700);
  expect(await passwords.find("service1", "tsdbadmin")).toBe("secret 1");
});

test("a file that was open to others is closed by the next change", async () => {
  await mkdir(home);
  const passwords = openPasswordFile(home);
  await writeFile(passwords.file, "", { mode: 0o644 });
  await passwords.save(passwordOf(1));
  expect((await stat(passwords.file)).mode & 0o777).toBe(0o600);
});

test("of many commands that keep a password at the same moment, none is lost", async () => {
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  await Promise.all(numbers.map((number) => openPasswordFile(home).save(passwordOf(number))));
  const text = await readFile(openPasswordFile(home).file, "utf8");
  for (const number of numbers) expect(text).toContain(`:secret ${number}\n`);
  expect(await readdir(home)).toEqual([HOME_FILES.passwords]);
});

test("to forget what was never kept makes no file", async () => {
  await openPasswordFile(home).forget("service1");
  await expect(stat(home)).rejects.toThrow("ENOENT");
});

test("a lock whose holder died is taken over", async () => {
  const lock = path.join(home, HOME_FILES.passwordsLock);
  await mkdir(lock, { recursive: true });
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(lock, longAgo, longAgo);
  await openPasswordFile(home).save(passwordOf(1));
  expect(await openPasswordFile(home).find("service1", "tsdbadmin")).toBe("secret 1");
});
