/**
 * One PostgreSQL for a whole run of the tests, and a database of its own for every test file: a clone of a template
 * that was migrated once.
 */
import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { hasEmbeddedPostgres, startEmbeddedPostgres } from "../../src/setup/embedded-postgres.ts";
import { migrate } from "../../src/store/db.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Of the server's maintenance database. */
    postgresUrl: string;
    templateDatabase: string;
  }
}

const FOLDER_PREFIX = "howdah-test-";
/** Tells which process will remove the folder. */
const OWNER_FILE = "owner";

/** The global setup of vitest. Where no PostgreSQL is packaged, HOWDAH_TEST_DATABASE_URL names one to use. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  try {
    const template = `howdah_template_${randomUUID().slice(0, 8)}`;
    await administrate(server.url, `create database ${template}`);
    await migrate(urlOf(server.url, template));
    project.provide("postgresUrl", server.url);
    project.provide("templateDatabase", template);
    return async () => {
      await administrate(server.url, `drop database if exists ${template} with (force)`);
      await server.stop();
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Whoever makes it drops it. */
export async function cloneDatabase(
  postgresUrl: string,
  template: string,
): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `howdah_test_${randomUUID().replaceAll("-", "")}`;
  await administrate(postgresUrl, `create database ${name} template ${template}`);
  return {
    url: urlOf(postgresUrl, name),
    drop: () => administrate(postgresUrl, `drop database if exists ${name} with (force)`),
  };
}

/** A server of a test's own, in a folder that is removed with it. */
export async function startServer(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  if (!hasEmbeddedPostgres()) {
    const url = process.env["HOWDAH_TEST_DATABASE_URL"];
    if (!url) throw new Error("No PostgreSQL is packaged for this machine; set HOWDAH_TEST_DATABASE_URL.");
    return { url, stop: async () => {} };
  }
  await removeOrphans();
  const folder = await mkdtemp(path.join(tmpdir(), FOLDER_PREFIX));
  await writeFile(path.join(folder, OWNER_FILE), String(process.pid));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await chmod(folder, 0o755);
    const server = await startEmbeddedPostgres({ dataDir: path.join(folder, "data"), fsync: false });
    return {
      url: server.url,
      stop: async () => {
        await server.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** What a run that was killed left behind. */
async function removeOrphans(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(FOLDER_PREFIX)) continue;
    const folder = path.join(tmpdir(), name);
    const owner = await readFile(path.join(folder, OWNER_FILE), "utf8").catch(() => "");
    if (owner === "" || isAlive(Number(owner))) continue;
    // Of two runs that find it, one may come too late.
    await removeServer(folder).catch(() => {});
  }
}

async function removeServer(folder: string): Promise<void> {
  // Where it still runs, it is taken over, to be stopped.
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, "data"), fsync: false });
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // One that is somebody else's may not be signalled, and lives.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function urlOf(postgresUrl: string, database: string): string {
  const url = new URL(postgresUrl);
  url.pathname = `/${database}`;
  return url.toString();
}

async function administrate(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
