import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HOME_FILES } from "../lib/home.ts";
import { AlreadyRunning, lockHome, runningControlPlane } from "./control-plane-lock.ts";

let home = "";
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "howdah-lock-"));
});
afterEach(() => rm(home, { recursive: true }));

const lockFile = () => path.join(home, HOME_FILES.lock);

test("a home has one control plane at a time", async () => {
  const lock = await lockHome(home);
  await expect(lockHome(home)).rejects.toThrow(AlreadyRunning);
  await expect(lockHome(home)).rejects.toThrow(`process ${process.pid}`);
  expect(await runningControlPlane(home)).toBe(process.pid);
  await lock.release();
  expect(await runningControlPlane(home)).toBeNull();
  await (await lockHome(home)).release();
  expect(await readdir(home)).toEqual([]);
});

test("the lock of a process that was killed is taken over", async () => {
  const script = `import(${JSON.stringify(path.join(import.meta.dirname, "control-plane-lock.ts"))})
    .then(({ lockHome }) => lockHome(${JSON.stringify(home)})).then(() => console.log("locked"));
    setInterval(() => {}, 1000);`;
  const other: ChildProcess = spawn(process.execPath, ["-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (other.stdout) await once(other.stdout, "data");
  await expect(lockHome(home)).rejects.toThrow(`process ${other.pid}`);
  other.kill("SIGKILL");
  await once(other, "exit");
  await (await lockHome(home)).release();
});

test("a process that merely has the same id as the dead one holds no lock", async () => {
  await writeFile(lockFile(), `${process.pid} 1`);
  expect(await runningControlPlane(home)).toBeNull();
  await (await lockHome(home)).release();
});

test("of many that find a stale lock at once, none removes another's new one", async () => {
  await writeFile(lockFile(), "999999999 1");
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockHome(home)));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await readFile(lockFile(), "utf8")).toContain(String(process.pid));
});
