/** The passwords that this machine keeps, in the home's `pgpass`: readable by its owner alone, replaced as a whole. */
import { mkdir, rm, rmdir, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { HOME_FILES, readText, replaceFile } from "../../lib/home.ts";
import { findPassword, type ServicePassword, withoutService, withPassword } from "./pgpass.ts";

export interface PasswordFile {
  readonly file: string;
  save(password: ServicePassword): Promise<void>;
  find(serviceId: string, role: string): Promise<string | null>;
  /** Nothing happens where there is none. */
  forget(serviceId: string): Promise<void>;
}

/** Another command holds the file, and does not let go of it. */
export class PasswordFileBusy extends Error {
  override readonly name = "PasswordFileBusy";
}

const LOCK_TIMEOUT_MS = 10_000;
const LOCK_POLL_MS = 20;
/** A change takes milliseconds: who has held the lock for so long is dead. */
const LOCK_STALE_MS = 5_000;

export function openPasswordFile(home: string): PasswordFile {
  const file = path.join(home, HOME_FILES.passwords);
  const lock = path.join(home, HOME_FILES.passwordsLock);

  async function change(edit: (text: string) => string): Promise<void> {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await takeLock(lock);
    try {
      const before = (await readText(file)) ?? "";
      const after = edit(before);
      if (after.trim() !== before) await replaceFile(file, after);
    } finally {
      await rmdir(lock).catch(() => undefined);
    }
  }

  return {
    file,
    save: (password) => change((text) => withPassword(text, password)),
    async find(serviceId, role) {
      return findPassword((await readText(file)) ?? "", serviceId, role);
    },
    async forget(serviceId) {
      if ((await readText(file)) !== null) await change((text) => withoutService(text, serviceId));
    },
  };
}

/** A folder, since two processes can never both make it. Throws PasswordFileBusy. */
async function takeLock(lock: string): Promise<void> {
  const giveUpAt = performance.now() + LOCK_TIMEOUT_MS;
  while (!(await make(lock))) {
    if ((await ageMs(lock)) > LOCK_STALE_MS) await rm(lock, { recursive: true, force: true });
    else if (performance.now() > giveUpAt)
      throw new PasswordFileBusy(`${lock} is held by another command; remove it if there is none`);
    else await delay(LOCK_POLL_MS);
  }
}

async function make(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function ageMs(folder: string): Promise<number> {
  const found = await stat(folder).catch(() => null);
  return found ? Date.now() - found.mtimeMs : 0;
}
