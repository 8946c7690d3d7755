/** The default state database: a PostgreSQL of the service image, one for each installation, its data in a volume. */
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type Docker from "dockerode";
import { Client } from "pg";
import {
  ensureContainer,
  hardened,
  placeFiles,
  remove,
  start,
  statusCode,
} from "../platforms/docker/container.ts";
import { LABEL } from "../platforms/docker/names.ts";
import type { Report } from "./progress.ts";

export interface StateDatabaseOptions {
  readonly docker: Docker;
  /** Reference of the service image. */
  readonly image: string;
  readonly installationId: string;
  readonly password: string;
  /** Put on everything that is made, beside our own. */
  readonly labels: Readonly<Record<string, string>>;
}

export class StateDatabaseFailed extends Error {
  override readonly name = "StateDatabaseFailed";
}

const USER = "howdah";
const HOST = "127.0.0.1";
const CONTAINER_PORT = 5432;
const MEMORY_BYTES = 512 * 1024 ** 2;
const STOP_TIMEOUT_S = 20;
/** The first start makes the cluster; one after a crash replays what was not yet on its place on disk. */
const ANSWER_DEADLINE_MS = 60_000;
const POLL_MS = 50;
const CONNECT_TIMEOUT_MS = 2_000;
const LOG_LINES = 10;

/**
 * Chosen once and kept, so that the address stays the same when the engine restarts the container: below the range
 * from which Linux takes ports for outgoing connections, and above those of the endpoints.
 */
const PORTS = { first: 30_000, last: 32_767, tries: 20 } as const;

/**
 * The cluster is made under another name and moved to its place when it is whole, so that a start that was cut off
 * leaves nothing half-made in use. The password comes from a file; arguments and environment are shown by the engine.
 */
const COMMAND = `set -eu
umask 077
if [ ! -s /data/cluster/PG_VERSION ]; then
  rm -rf /data/cluster.new
  initdb --pgdata=/data/cluster.new --username=${USER} --pwfile=/data/etc/password --encoding=UTF8 --locale=C.UTF-8 \
    --auth-local=scram-sha-256 --auth-host=scram-sha-256 --data-checksums --no-instructions
  echo 'host all all all scram-sha-256' >> /data/cluster.new/pg_hba.conf
  mv /data/cluster.new /data/cluster
fi
exec postgres -D /data/cluster -c listen_addresses=0.0.0.0 -c unix_socket_directories=/run \
  -c password_encryption=scram-sha-256 -c fsync=on -c shared_buffers=128MB -c max_connections=100 -c jit=off`;

export function stateDatabaseName(installationId: string): string {
  return `howdah-${installationId}-state`;
}

/**
 * Makes it run, and returns its URL once it answers. Safe to repeat; where everything is there it only starts.
 * Throws StateDatabaseFailed with its last words where it does not come up.
 */
export async function ensureStateDatabase(options: StateDatabaseOptions, report: Report): Promise<string> {
  const container = options.docker.getContainer(stateDatabaseName(options.installationId));
  const kept = await keptPort(options, container);
  if (kept === null) report("making the state database");
  const port = await startOnPort(options, container, kept);
  const url = `postgresql://${USER}:${encodeURIComponent(options.password)}@${HOST}:${port}/postgres`;
  await untilItAnswers(container, url);
  return url;
}

/** The URL of the state database while it runs, else null; starts nothing. */
export async function findStateDatabase(
  options: Pick<StateDatabaseOptions, "docker" | "installationId" | "password">,
): Promise<string | null> {
  const container = options.docker.getContainer(stateDatabaseName(options.installationId));
  const found = await inspect(container);
  if (!found?.State.Running) return null;
  const port = publishedPort(found);
  return port === null
    ? null
    : `postgresql://${USER}:${encodeURIComponent(options.password)}@${HOST}:${port}/postgres`;
}

/** The port of a container that is there and of the right image; one of another image makes way, its data stays. */
async function keptPort(
  { image }: StateDatabaseOptions,
  container: Docker.Container,
): Promise<number | null> {
  const found = await inspect(container);
  if (!found) return null;
  // A container that was never started may lack its password: it was made in a start that was cut off.
  const whole = found.State.Status !== "created";
  if (whole && found.Config.Image === image) return publishedPort(found);
  if (found.State.Running) await container.stop({ t: STOP_TIMEOUT_S });
  await remove(container);
  return whole ? publishedPort(found) : null;
}

async function startOnPort(
  options: StateDatabaseOptions,
  container: Docker.Container,
  kept: number | null,
): Promise<number> {
  let port = kept ?? randomPort();
  for (let tries = 1; ; tries += 1) {
    try {
      if (!(await inspect(container))) await create(options, port);
      await start(container);
      return port;
    } catch (error) {
      if (!isPortTaken(error) || tries >= PORTS.tries) throw error;
      // The port belongs to the container for life, so a new port needs a new container.
      await remove(container);
      port = randomPort();
    }
  }
}

async function create(options: StateDatabaseOptions, port: number): Promise<void> {
  const { docker, image, installationId, password } = options;
  const name = stateDatabaseName(installationId);
  const labels = { ...options.labels, [LABEL.installation]: installationId, [LABEL.role]: "state" };
  await docker.createVolume({ Name: name, Labels: labels });
  const container = await ensureContainer(docker, {
    name,
    Image: image,
    Cmd: ["sh", "-c", COMMAND],
    // PostgreSQL's fast shutdown; its answer to SIGTERM is to wait until the last client has gone.
    StopSignal: "SIGINT",
    Labels: labels,
    ExposedPorts: { [`${CONTAINER_PORT}/tcp`]: {} },
    HostConfig: hardened({
      Binds: [`${name}:/data`],
      PortBindings: { [`${CONTAINER_PORT}/tcp`]: [{ HostIp: HOST, HostPort: String(port) }] },
      Memory: MEMORY_BYTES,
      ShmSize: 128 * 1024 ** 2,
      PidsLimit: 256,
      Ulimits: [{ Name: "nofile", Soft: 16_384, Hard: 16_384 }],
    }),
  });
  await placeFiles(container, "/data", "etc", [{ name: "password", content: `${password}\n` }]);
}

async function untilItAnswers(container: Docker.Container, url: string): Promise<void> {
  const giveUpAt = performance.now() + ANSWER_DEADLINE_MS;
  for (;;) {
    const failure = await probe(url);
    if (failure === null) return;
    const late = performance.now() > giveUpAt;
    const ended = !late && !(await inspect(container))?.State.Running;
    if (late || ended || isFinal(failure)) {
      const words = await lastWords(container);
      throw new StateDatabaseFailed(`The state database does not answer: ${failure.message}\n${words}`);
    }
    await sleep(POLL_MS);
  }
}

async function probe(url: string): Promise<Error | null> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** 28P01, invalid_password: the home and the volume belong to different installations; waiting does not help. */
function isFinal(error: Error): boolean {
  return "code" in error && error.code === "28P01";
}

async function lastWords(container: Docker.Container): Promise<string> {
  try {
    const output = await container.logs({ stdout: true, stderr: true, tail: LOG_LINES });
    return `Its last words:\n${withoutHeaders(output)}`;
  } catch {
    return "It left no words.";
  }
}

/** Each piece of an engine's log begins with eight bytes: which stream it came from, and the length of the piece. */
function withoutHeaders(output: Buffer): string {
  const pieces: string[] = [];
  for (let at = 0; at + 8 <= output.length; at += 8 + output.readUInt32BE(at + 4)) {
    pieces.push(output.toString("utf8", at + 8, at + 8 + output.readUInt32BE(at + 4)));
  }
  return pieces.join("").trimEnd();
}

function publishedPort({ HostConfig }: Docker.ContainerInspectInfo): number | null {
  const bindings: unknown = HostConfig.PortBindings;
  const text = JSON.stringify(bindings);
  const port = /"HostPort":"(\d+)"/.exec(text)?.[1];
  return port === undefined ? null : Number(port);
}

async function inspect(container: Docker.Container): Promise<Docker.ContainerInspectInfo | null> {
  try {
    return await container.inspect();
  } catch (error) {
    if (statusCode(error) === 404) return null;
    throw error;
  }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && /port is already allocated|address already in use/i.test(error.message);
}

function randomPort(): number {
  return randomInt(PORTS.first, PORTS.last + 1);
}
