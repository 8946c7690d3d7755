/** The raw limit: PostgreSQL from the same image, with nothing of Howdah around it. */
import type Docker from "dockerode";
import { randomId } from "../../src/lib/ids.ts";
import { randomSecret } from "../../src/lib/random-secret.ts";
import { runLabels } from "./engine-objects.ts";
import { firstSelect, type SqlTarget } from "./sql.ts";

export const PLAIN_SOCKET_FOLDER = "/tmp";
export const PLAIN_DATA = "/data/pg";
/** The name by which a standby finds the primary in their network. */
const PRIMARY = "primary";
const READY_DEADLINE_MS = 60_000;
const SERVER = `-c unix_socket_directories=${PLAIN_SOCKET_FOLDER} -c listen_addresses='*'`;

/** The cheapest cluster that compares: the same checksums and locale as a service's, and no sync of the new files. */
const INITDB = [
  "set -eu",
  // A container that is started again has its cluster already.
  `[ -e ${PLAIN_DATA}/PG_VERSION ] || {`,
  'printf %s "$PGPASSWORD" > /tmp/password',
  `initdb -D ${PLAIN_DATA} --no-sync --data-checksums --encoding=UTF8 --locale=C.UTF-8 \
    --locale-provider=builtin --builtin-locale=C.UTF-8 --auth-local=trust --auth-host=scram-sha-256 \
    --pwfile=/tmp/password --username=postgres > /dev/null`,
  `printf 'host all all all scram-sha-256\\nhost replication all all scram-sha-256\\n' >> ${PLAIN_DATA}/pg_hba.conf`,
  "}",
];

export interface PlainOptions {
  readonly engine: Docker;
  readonly image: string;
  readonly runId: string;
  readonly signal: AbortSignal;
}

export interface PlainPostgres {
  readonly container: Docker.Container;
  readonly target: SqlTarget;
  /** Where it answers after a restart of its container, for which the engine may choose another port. */
  readonly currentTarget: () => Promise<SqlTarget>;
  readonly remove: () => Promise<void>;
}

export interface PlainPrimary {
  /** "server": PostgreSQL is the container's process. "shell": it can be restarted while the container stays. */
  readonly process: "server" | "shell";
  readonly limits?: Docker.HostConfig;
  readonly sharedBuffers?: string;
  /** A network of `createPlainNetwork`. */
  readonly network?: string;
}

/** A new cluster on a fresh volume; returns when its container has been started, long before it answers. */
export async function startPlainPrimary(
  options: PlainOptions,
  primary: PlainPrimary,
): Promise<PlainPostgres> {
  const memory =
    primary.sharedBuffers === undefined
      ? []
      : [`echo "shared_buffers = ${primary.sharedBuffers}" >> ${PLAIN_DATA}/postgresql.conf`];
  const server =
    primary.process === "server"
      ? [`exec postgres -D ${PLAIN_DATA} ${SERVER}`]
      : [`pg_ctl start -D ${PLAIN_DATA} --wait --silent --options="${SERVER}"`, "exec sleep infinity"];
  return startPlain(options, {
    script: [...INITDB, ...memory, ...server],
    password: randomSecret(),
    limits: primary.limits ?? {},
    network: primary.network ?? null,
    alias: PRIMARY,
  });
}

/** As startPlainPrimary, and waits until it answers. */
export async function plainPrimary(options: PlainOptions, primary: PlainPrimary): Promise<PlainPostgres> {
  const started = await startPlainPrimary(options, primary);
  try {
    await firstSelect(started.target, READY_DEADLINE_MS, options.signal);
    return started;
  } catch (error) {
    const words = await lastWords(started.container);
    await started.remove();
    throw new Error(`a plain PostgreSQL did not start: ${words}`, { cause: error });
  }
}

/** Copies a primary in the same network into a fresh volume and starts there as its standby. */
export async function startPlainStandby(
  options: PlainOptions,
  primary: PlainPostgres,
  network: string,
): Promise<PlainPostgres> {
  return startPlain(options, {
    script: [
      "set -eu",
      `pg_basebackup --host=${PRIMARY} --username=postgres --pgdata=${PLAIN_DATA} \
        --write-recovery-conf --wal-method=stream --checkpoint=fast --no-sync`,
      `exec postgres -D ${PLAIN_DATA} ${SERVER}`,
    ],
    password: primary.target.password,
    limits: {},
    network,
    alias: "standby",
  });
}

/** Its name; removed with everything else that carries the run's label. */
export async function createPlainNetwork({ engine, runId }: PlainOptions): Promise<string> {
  const name = `${runId}-${randomId(6)}`;
  await engine.createNetwork({ Name: name, Driver: "bridge", Labels: runLabels(runId) });
  return name;
}

interface Plain {
  readonly script: readonly string[];
  readonly password: string;
  readonly limits: Docker.HostConfig;
  readonly network: string | null;
  readonly alias: string;
}

async function startPlain({ engine, image, runId }: PlainOptions, plain: Plain): Promise<PlainPostgres> {
  const name = `${runId}-plain-${randomId(6)}`;
  await engine.createVolume({ Name: name, Labels: runLabels(runId) });
  const container = await engine.createContainer({
    name,
    Image: image,
    Cmd: ["sh", "-c", plain.script.join("\n")],
    // A password for one run of the bench, on this machine alone: the environment is good enough for it.
    Env: [`PGPASSWORD=${plain.password}`],
    Labels: runLabels(runId),
    ExposedPorts: { "5432/tcp": {} },
    HostConfig: {
      Init: true,
      Binds: [`${name}:/data`],
      PortBindings: { "5432/tcp": [{ HostIp: "127.0.0.1", HostPort: "" }] },
      ...plain.limits,
    },
    ...(plain.network === null
      ? {}
      : { NetworkingConfig: { EndpointsConfig: { [plain.network]: { Aliases: [plain.alias] } } } }),
  });
  await container.start();
  const currentTarget = async (): Promise<SqlTarget> => ({
    host: "127.0.0.1",
    port: await publishedPort(container),
    database: "postgres",
    user: "postgres",
    password: plain.password,
    tls: false,
  });
  return {
    container,
    target: await currentTarget(),
    currentTarget,
    async remove() {
      await container.remove({ force: true, v: true });
      await engine.getVolume(name).remove();
    },
  };
}

async function publishedPort(container: Docker.Container): Promise<number> {
  const { NetworkSettings } = await container.inspect();
  const port = Number(NetworkSettings.Ports["5432/tcp"]?.[0]?.HostPort);
  if (Number.isInteger(port) && port > 0) return port;
  throw new Error(`a plain PostgreSQL ended before it had a port: ${await lastWords(container)}`);
}

async function lastWords(container: Docker.Container): Promise<string> {
  return (await container.logs({ stdout: true, stderr: true, tail: 5 })).toString("utf8").trim();
}
