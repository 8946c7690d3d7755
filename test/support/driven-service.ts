/** A service on a real platform, without API and store: driven by its planner to what a test wants of it. */
import type Docker from "dockerode";
import { Client, type ClientConfig } from "pg";
import { scramVerifier } from "../../src/lib/scram.ts";
import type { DesiredService } from "../../src/planner/desired.ts";
import type { ObservedMember, ObservedService } from "../../src/planner/observed.ts";
import type { Step } from "../../src/planner/step.ts";
import type { ServiceIdentity } from "../../src/platforms/platform.ts";
import { converge, keep, type Look, lookOnce } from "./converge.ts";
import { memberContainer, realPace, runSql } from "./docker-engine.ts";
import type { TestPlatform } from "./docker-platform.ts";
import { changed, desiredService, serviceIdentity } from "./services.ts";

const SETTLED_WITHIN_MS = 200_000;
const CONNECT_TIMEOUT_MS = 30_000;

export interface DrivenService {
  readonly identity: ServiceIdentity;
  /** Of tsdbadmin. */
  readonly password: string;
  change(changes: Partial<DesiredService>): void;
  /** Goes on until nothing is left to do. Throws where that takes too long. */
  settle(seen?: (look: Look) => void): Promise<ObservedService>;
  /** Goes on until a look is as asked for, and stops there. */
  until(matches: (look: Look) => boolean): Promise<Look>;
  observe(): Promise<ObservedService>;
  execute(step: Step): ReturnType<TestPlatform["platform"]["execute"]>;
  member(ordinal: number): Promise<Docker.Container>;
  /** As the superuser, on the member's own socket. */
  sql(query: string, ordinal?: number): Promise<string>;
  /** Through the endpoint, as tsdbadmin unless told otherwise. The caller ends it. */
  connect(config?: ClientConfig): Promise<Client>;
}

export async function driveService(
  world: TestPlatform,
  wanted: Partial<DesiredService> & { readonly serviceId: string },
  parent: DrivenService | null = null,
): Promise<DrivenService> {
  const { docker, platform, runId } = world;
  const { serviceId } = wanted;
  const [port = 0, poolerPort = 0] = await platform.freePorts(2, new Set());
  const password = `the password of ${serviceId}`;
  const base = serviceIdentity(serviceId, port, poolerPort, parent?.identity ?? null);
  const identity = { ...base, secrets: { ...base.secrets, adminVerifier: await scramVerifier(password) } };
  const kept = keep(desiredService({ ...wanted, forkedFrom: parent?.identity.serviceId ?? null }));
  const surroundings = { platform, identity, pace: realPace };
  const member = (ordinal: number) => memberContainer(docker, runId, serviceId, ordinal);
  return {
    identity,
    password,
    change(changes) {
      kept.desired = changed(kept.desired, changes);
    },
    settle: (seen) => converge(kept, surroundings, SETTLED_WITHIN_MS, seen),
    async until(matches) {
      const deadline = Date.now() + SETTLED_WITHIN_MS;
      for (;;) {
        const look = await lookOnce(kept, surroundings);
        if (matches(look)) return look;
        if (Date.now() > deadline) throw new Error(`never so: ${look.assessment.statusReason}`);
      }
    },
    observe: () => platform.observe(identity),
    execute: (step) => platform.execute(step, identity),
    member,
    sql: async (query, ordinal = 0) => runSql(await member(ordinal), query),
    async connect(config = {}) {
      const client = new Client({
        host: "127.0.0.1",
        port,
        user: "tsdbadmin",
        password,
        database: "tsdb",
        ssl: { rejectUnauthorized: false },
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        ...config,
      });
      // What breaks while idle shows at the next query.
      client.on("error", () => undefined);
      await client.connect();
      return client;
    },
  };
}

export function leaderOf({ members }: ObservedService): ObservedMember {
  const [leader, ...others] = members.filter(({ postgres }) => postgres?.writable);
  if (!leader || others.length > 0) throw new Error("there is not one primary");
  return leader;
}

export interface Writing {
  /** The last number that was acknowledged. */
  readonly acknowledged: () => number;
  /** Ends when a write fails, or it is told to stop. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Writes 1, 2, 3 … into the table `written`, one after the other. */
export async function write(service: DrivenService): Promise<Writing> {
  const client = await service.connect();
  await client.query("create table if not exists written (number int primary key)");
  const { rows } = await client.query("select coalesce(max(number), 0)::int as last from written");
  let acknowledged = Number(rows[0]?.last);
  const stopped = new AbortController();
  const loop = async () => {
    try {
      while (!stopped.signal.aborted) {
        await client.query("insert into written values ($1)", [acknowledged + 1]);
        acknowledged += 1;
      }
    } catch {
      // The server has gone; what was acknowledged until then is what counts.
    }
    await client.end().catch(() => undefined);
  };
  const ended = loop();
  return {
    acknowledged: () => acknowledged,
    ended,
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}
