/** A store on a database of the test file's own, with a region that has room and ports. */
import { randomBytes } from "node:crypto";
import { afterAll, inject } from "vitest";
import { connect, type Store } from "../../src/store/db.ts";
import { createEncryption, type Encryption } from "../../src/store/encryption.ts";
import { createProject } from "../../src/store/projects.ts";
import { addPorts, reportRegion } from "../../src/store/regions.ts";
import { cloneDatabase } from "./postgres.ts";

const GIB = 1024 ** 3;
/** Many that come at once wait for each other, on a busy machine longer than a client of the API should. */
const CONNECT_WITHIN_MS = 30_000;

export interface TestStore {
  readonly store: Store;
  readonly encryption: Encryption;
  readonly databaseUrl: string;
  readonly projectId: string;
  /** Has 64 cores, 256 GiB and 100 ports. */
  readonly regionCode: string;
}

/** To be called where a test file begins; takes everything down at its end. */
export async function openTestStore(): Promise<TestStore> {
  const database = await cloneDatabase(inject("postgresUrl"), inject("templateDatabase"));
  const store = connect({
    databaseUrl: database.url,
    applicationName: "howdah tests",
    connectWithinMs: CONNECT_WITHIN_MS,
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });
  const regionCode = "test-1";
  await reportRegion(store.db, regionCode, { cpuMillis: 64_000, memoryBytes: 256 * GIB });
  await addPorts(
    store.db,
    regionCode,
    Array.from({ length: 100 }, (_, index) => 20_000 + index),
  );
  const { id } = await createProject(store.db, "tests");
  const encryption = createEncryption(randomBytes(32));
  return { store, encryption, databaseUrl: database.url, projectId: id, regionCode };
}
