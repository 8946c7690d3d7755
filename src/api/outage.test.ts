/** The state database stops, and comes back: the API tells so at once, and needs no restart. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hasEmbeddedPostgres, startEmbeddedPostgres } from "../setup/embedded-postgres.ts";
import { connect, migrate } from "../store/db.ts";
import { createEncryption } from "../store/encryption.ts";
import { createKey } from "../store/keys.ts";
import { createProject } from "../store/projects.ts";
import { addPorts, reportRegion } from "../store/regions.ts";
import { createApp } from "./app.ts";

const GIB = 1024 ** 3;
/** Far less than anybody would wait, far more than a busy machine needs. */
const AT_ONCE_MS = 10_000;

test.skipIf(!hasEmbeddedPostgres())("503 while the state database is gone, 202 when it is back", async () => {
  const server = await ownServer();
  let state = await server.start();
  await migrate(state.url);
  const store = connect({ databaseUrl: state.url });
  onTestFinished(() => store.close());
  const project = await createProject(store.db, "tests");
  const key = await createKey(store.db, { projectId: project.id, name: "tests", role: "admin" });
  await reportRegion(store.db, "test-1", { cpuMillis: 8_000, memoryBytes: 64 * GIB });
  await addPorts(store.db, "test-1", [20_000, 20_001, 20_002, 20_003]);
  const app = await createApp({
    store,
    encryption: createEncryption(Buffer.alloc(32)),
    endpointHost: () => "db.example.test",
  });
  onTestFinished(() => app.close());
  const create = () =>
    app.inject({
      method: "POST",
      url: `/api/v1/projects/${project.id}/services`,
      headers: { authorization: `Bearer ${key.apiKey}` },
      payload: { name: "orders" },
    });
  expect((await create()).statusCode).toBe(202);

  await state.stop();
  for (const ask of [create, () => app.inject("/readyz")]) {
    const began = performance.now();
    const answer = await ask();
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("1");
    expect(answer.json()).toMatchObject({ code: "UNAVAILABLE" });
    expect(answer.body).not.toMatch(/ECONN|ENOENT|socket|postgres/i);
    expect(performance.now() - began).toBeLessThan(AT_ONCE_MS);
  }
  expect((await app.inject("/healthz")).statusCode).toBe(200);
  expect((await app.inject("/metrics")).statusCode).toBe(200);

  state = await server.start();
  expect((await create()).statusCode).toBe(202);
  expect((await app.inject("/readyz")).statusCode).toBe(200);
});

/** A server that comes back at the same address. */
async function ownServer() {
  const folder = await mkdtemp(path.join(tmpdir(), "howdah-test-"));
  await chmod(folder, 0o755);
  let stop = async () => {};
  onTestFinished(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    async start() {
      const server = await startEmbeddedPostgres({
        dataDir: path.join(folder, "data"),
        socketDir: path.join(folder, "run"),
        fsync: false,
      });
      stop = () => server.stop();
      return server;
    },
  };
}
