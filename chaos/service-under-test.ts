/** A service of a run: made, written to all along, looked at, and in the end read back. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type Docker from "dockerode";
import { Client, type ClientConfig } from "pg";
import { execIn } from "../bench/lib/exec.ts";
import type { Service } from "../src/contract/service.ts";
import { LABEL } from "../src/platforms/docker/names.ts";
import { whatCarries } from "../test/support/docker-engine.ts";
import type { Installation } from "../test/support/installation.ts";
import { bounded, type Clients, READ_BACK, startClients, TABLE } from "./clients.ts";
import type { Request, Shape } from "./fault.ts";
import { type History, readHistories, SHOW_HISTORIES } from "./histories.ts";
import { createLedger, type Ledger, ROUTES, type Route } from "./ledger.ts";
import { membersOf } from "./members.ts";
import { createPromises, type Ha, type Promises } from "./promises.ts";
import type { Row } from "./verdicts.ts";

const READ_BACK_TRIES = 10;
const READ_BACK_TIMEOUT_MS = 60_000;
const RETRY_MS = 1_000;
const EXEC_DEADLINE_MS = 10_000;
const POLL_MS = 250;

export interface ServiceUnderTest {
  readonly shape: Shape;
  readonly id: string;
  readonly ledger: Ledger;
  readonly promises: Promises;
  /** As the API told it last. */
  status: string;
  /** Ends the writing, once its last write is answered or given up. */
  stopWriting(): Promise<void>;
  /** Asks the API for something. Returns its answer in a word or two. */
  ask(request: Request | { readonly kind: "start" }): Promise<string>;
  /** Reads the status; null where nobody answers. */
  look(): Promise<string | null>;
  /** Waits until every route has taken a write that was sent after now; tells which have. */
  takesWrites(deadlineMs: number): Promise<Readonly<Record<Route, boolean>>>;
  /** Every row that is there; null where they cannot be read. */
  rows(): Promise<readonly Row[] | null>;
  histories(): Promise<readonly History[] | null>;
  /** Deletes it; what of it is still in the engine then, or null where it cannot be deleted. */
  remove(deadlineMs: number): Promise<readonly string[] | null>;
}

export interface Ground {
  readonly engine: Docker;
  readonly installation: Installation;
  readonly clients: number;
  readonly everyMs: number;
}

/** Creates one, with its pooler, its synchronous replicas and its table. It is READY, and being written to. */
export async function makeService(ground: Ground, shape: Shape): Promise<ServiceUnderTest> {
  const { installation } = ground;
  const { service } = await installation.ask("POST", "", {
    name: `chaos ${shape.name}`,
    replica_count: shape.replicaCount,
  });
  const { service_id: id } = service;
  await installation.until(id, "READY");
  const pooled = await installation.request("POST", `/${id}/enablePooler`);
  await pooled.arrayBuffer();
  if (shape.syncReplicaCount > 0) {
    await installation.ask("POST", `/${id}/setHA`, { sync_replica_count: shape.syncReplicaCount });
  }
  await installation.until(id, "READY");
  const logins = await loginsOf(installation, id, service.initial_password);
  await query(bounded(logins.direct), TABLE);
  const ledger = createLedger();
  const promises = createPromises();
  promises.seenInForce(shape);
  const clients = startClients({ logins, ledger, clientsPerRoute: ground.clients, everyMs: ground.everyMs });
  return tested({ ground, shape, id, ledger, promises, clients, direct: logins.direct });
}

interface Parts {
  readonly ground: Ground;
  readonly shape: Shape;
  readonly id: string;
  readonly ledger: Ledger;
  readonly promises: Promises;
  readonly clients: Clients;
  readonly direct: ClientConfig;
}

function tested({ ground, shape, id, ledger, promises, clients, direct }: Parts): ServiceUnderTest {
  const { engine, installation } = ground;
  /** Grows with every request, and with every answer. */
  let asked = 0;
  let unanswered = 0;
  const service: ServiceUnderTest = {
    shape,
    id,
    ledger,
    promises,
    status: "READY",
    stopWriting: () => clients.stop(),

    async ask(request) {
      // Before it is sent: what nobody answers may have been taken all the same.
      if (request.kind === "setHA") promises.asks(request);
      asked += 1;
      unanswered += 1;
      try {
        const response = await installation.request("POST", `/${id}/${request.kind}`, bodyOf(request));
        await response.arrayBuffer();
        return String(response.status);
      } catch (error) {
        return `no answer (${error instanceof Error ? error.message : String(error)})`;
      } finally {
        asked += 1;
        unanswered -= 1;
      }
    },

    async look() {
      const before = asked;
      const quiet = unanswered === 0;
      const found = await readService(installation, id);
      if (found === null) return null;
      service.status = found.status;
      // What was asked for meanwhile is not what this look has seen.
      if (found.status === "READY" && quiet && before === asked) promises.seenInForce(haOf(found));
      return found.status;
    },

    async takesWrites(deadlineMs) {
      const before = { direct: ledger.tally("direct"), pooled: ledger.tally("pooled") };
      const since = (route: Route) => ledger.tally(route).acknowledged > before[route].acknowledged + 1;
      const deadline = performance.now() + deadlineMs;
      while (!ROUTES.every(since) && performance.now() < deadline) await delay(POLL_MS);
      return { direct: since("direct"), pooled: since("pooled") };
    },

    rows: () => readBack(direct),
    histories: () => readAllHistories(engine, id),
    remove: (deadlineMs) => removeService(ground, id, deadlineMs),
  };
  return service;
}

function bodyOf(request: Request | { readonly kind: "start" }): unknown {
  switch (request.kind) {
    case "setHA":
      return { replica_count: request.replicaCount, sync_replica_count: request.syncReplicaCount };
    case "resize": {
      const [cpu, memory] = request.size.split("/");
      return { cpu_millis: cpu, memory_gbs: memory };
    }
    case "stop":
    case "start":
    case "switchover":
      return undefined;
  }
}

function haOf({ ha_replicas: ha }: Service): Ha {
  return { replicaCount: ha?.replica_count ?? 0, syncReplicaCount: ha?.sync_replica_count ?? 0 };
}

async function loginsOf(
  installation: Installation,
  id: string,
  password: string | undefined,
): Promise<Readonly<Record<Route, ClientConfig>>> {
  const { service } = await installation.ask("GET", `/${id}`);
  const pooler = service.connection_pooler?.endpoint;
  const ca = await readFile(path.join(installation.home, "authority.crt"), "utf8");
  if (password === undefined || pooler === undefined) throw new Error("a service without password or pooler");
  const login = { user: "tsdbadmin", password, ssl: { ca } };
  return {
    direct: { ...login, ...service.endpoint, database: "tsdb" },
    pooled: { ...login, ...pooler, database: "tsdb_transaction" },
  };
}

async function readService(installation: Installation, id: string): Promise<Service | null> {
  try {
    return (await installation.ask("GET", `/${id}`)).service;
  } catch {
    return null;
  }
}

async function query(config: ClientConfig, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(config);
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    void client.end().catch(() => undefined);
  }
}

async function readBack(direct: ClientConfig): Promise<readonly Row[] | null> {
  const config = { ...bounded(direct), query_timeout: READ_BACK_TIMEOUT_MS };
  for (let tries = READ_BACK_TRIES; tries > 0; tries -= 1) {
    try {
      const rows = await query(config, READ_BACK);
      return rows.map((row) => ({ client: Number(row["client"]), number: Number(row["number"]) }));
    } catch {
      await delay(RETRY_MS);
    }
  }
  return null;
}

async function readAllHistories(engine: Docker, id: string): Promise<readonly History[] | null> {
  try {
    const members = await membersOf(engine, id);
    const printed = await Promise.all(
      members.map(async ({ ordinal, container }) =>
        readHistories(
          ordinal,
          await execIn(engine, container, SHOW_HISTORIES, EXEC_DEADLINE_MS, new AbortController().signal),
        ),
      ),
    );
    return printed.flat();
  } catch {
    return null;
  }
}

async function removeService(
  { engine, installation }: Ground,
  id: string,
  deadlineMs: number,
): Promise<readonly string[] | null> {
  const deadline = performance.now() + deadlineMs;
  try {
    const answer = await installation.request("DELETE", `/${id}`);
    await answer.arrayBuffer();
    for (;;) {
      const found = await installation.request("GET", `/${id}`);
      await found.arrayBuffer();
      if (found.status === 404) return await whatCarries(engine, `${LABEL.service}=${id}`);
      if (performance.now() > deadline) return null;
      await delay(POLL_MS);
    }
  } catch {
    return null;
  }
}
