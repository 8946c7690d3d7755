import { chmod, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  hasEmbeddedPostgres,
  startEmbeddedPostgres,
} from "./embedded-postgres.ts";

let folder: string;
const running = new Set<EmbeddedPostgres>();

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "howdah-test-"));
  await chmod(folder, 0o755);
});

afterEach(async () => {
  for (const server of running) await server.stop().catch(() => {});
  running.clear();
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(!hasEmbeddedPostgres())("an embedded PostgreSQL", () => {
  test("keeps its data over a stop and a start", async () => {
    const first = await start();
    await query(first.url, "create table kept as select 42 as answer");
    await first.stop();
    const second = await start();
    expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
  });

  test("that still runs, because who started it was killed, is taken over", async () => {
    const orphan = await start();
    const [before] = await query(orphan.url, "select pg_postmaster_start_time()::text as began");
    const lines: string[] = [];
    const again = await start({ log: (line) => lines.push(line) });
    expect(again.url).toBe(orphan.url);
    expect(await query(again.url, "select pg_postmaster_start_time()::text as began")).toEqual([before]);
    expect(lines).toEqual([]);
  });

  test("is durable unless told otherwise", async () => {
    const { url } = await start({});
    expect(await query(url, "show fsync")).toEqual([{ fsync: "on" }]);
    expect(await query(url, "show synchronous_commit")).toEqual([{ synchronous_commit: "on" }]);
  });

  test("listens to this machine's user alone", async () => {
    const { url } = await start();
    expect(await query(url, "show listen_addresses")).toEqual([{ listen_addresses: "" }]);
    const socketDir = new URL(url).searchParams.get("host") ?? "";
    expect((await stat(socketDir)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(folder, "data"))).mode & 0o777).toBe(0o700);
  });

  test("leaves no socket behind when it stops", async () => {
    const server = await start();
    const socketDir = new URL(server.url).searchParams.get("host") ?? "";
    expect(await readdir(socketDir)).not.toEqual([]);
    await server.stop();
    await expect(stat(socketDir)).rejects.toThrow(/ENOENT/);
  });

  test.skipIf(process.getuid?.() !== 0)(
    "says which folder is in the way when root's data cannot be reached",
    async () => {
      const closed = path.join(folder, "closed");
      await mkdir(closed, { mode: 0o700 });
      await expect(start({ dataDir: path.join(closed, "data") })).rejects.toThrow(
        `other users cannot enter ${closed}`,
      );
    },
  );
});

async function start(
  options: Partial<EmbeddedPostgresOptions> = { fsync: false },
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, "data"), ...options });
  running.add(server);
  return server;
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return rows;
  } finally {
    await client.end();
  }
}
