import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomId } from "./ids.ts";

/** The files in an installation's folder, by what they hold. */
export const HOME_FILES = {
  installationId: "installation-id",
  masterKey: "master-key",
  statePassword: "state-password",
  credentials: "credentials.json",
  lock: "control-plane.lock",
  log: "howdah.log",
  /** Passwords of services, as PostgreSQL's programs read them. */
  passwords: "pgpass",
  passwordsLock: "pgpass.lock",
} as const;

/** What makes an installation itself: made once, never changed. */
export interface Home {
  /** The folder, absolute. */
  readonly folder: string;
  /** 8 characters of [a-z0-9], in the name and label of everything made in an engine. */
  readonly installationId: string;
  /** 32 bytes; all secrets in the store are encrypted with it. Lost, they are lost. */
  readonly masterKey: Buffer;
  /** Of the state database that Howdah itself starts. */
  readonly statePassword: string;
}

const INSTALLATION_ID = /^[a-z0-9]{8}$/;
const MASTER_KEY_BYTES = 32;

/** A file in the home does not hold what it should. It is left alone: whoever put it there has to decide. */
export class DamagedHome extends Error {
  override readonly name = "DamagedHome";
}

/** Opens the folder of an installation, and makes what is missing. Throws DamagedHome. */
export async function openHome(folder: string): Promise<Home> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const file = (name: string) => path.join(folder, name);
  const [installationId, masterKey, statePassword] = await Promise.all([
    readOrMake(file(HOME_FILES.installationId), () => randomId(8)),
    readOrMake(file(HOME_FILES.masterKey), () => randomBytes(MASTER_KEY_BYTES).toString("base64")),
    readOrMake(file(HOME_FILES.statePassword), () => randomBytes(24).toString("base64url")),
  ]);
  const key = Buffer.from(masterKey, "base64");
  if (!INSTALLATION_ID.test(installationId)) throw damaged(file(HOME_FILES.installationId));
  if (key.length !== MASTER_KEY_BYTES) throw damaged(file(HOME_FILES.masterKey));
  if (statePassword.length < 16) throw damaged(file(HOME_FILES.statePassword));
  return { folder, installationId, masterKey: key, statePassword };
}

/** The id of an installation that exists already, else null; makes nothing. */
export async function readInstallationId(folder: string): Promise<string | null> {
  const id = await readText(path.join(folder, HOME_FILES.installationId));
  if (id === null) return null;
  if (!INSTALLATION_ID.test(id)) throw damaged(path.join(folder, HOME_FILES.installationId));
  return id;
}

/**
 * Writes a file, readable by its owner alone, that appears whole or not at all, and never replaces another.
 * Returns whether it was written: false where one was there already.
 */
export async function writeOnce(file: string, text: string): Promise<boolean> {
  const draft = `${file}.${randomId(8)}`;
  await writeFile(draft, text, { mode: 0o600, flag: "wx", flush: true });
  try {
    // A link, unlike a rename, refuses to replace what another process made meanwhile.
    await link(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Writes a file, readable by its owner alone, that appears whole or not at all, in place of what was there. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomId(8)}`;
  await writeFile(draft, text, { mode: 0o600, flag: "wx", flush: true });
  await rename(draft, file);
}

/** The text of a file without the space around it; null where there is no such file. */
export async function readText(file: string): Promise<string | null> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

async function readOrMake(file: string, make: () => string): Promise<string> {
  const found = await readText(file);
  if (found !== null) return found;
  await writeOnce(file, `${make()}\n`);
  // Read again: of two processes that begin at once, both go on with the one that won.
  const kept = await readText(file);
  if (kept === null) throw new DamagedHome(`${file} was removed while it was being made`);
  return kept;
}

function damaged(file: string): DamagedHome {
  return new DamagedHome(
    `${file} does not hold what Howdah wrote there. Put the original back, or choose another HOWDAH_HOME.`,
  );
}
