/**
 * One server and one pooler as a service has them, without what makes a service of them: the service image, the
 * configuration and the SQL are the real ones, but nobody elects, and no gateway stands in front.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type Docker from "dockerode";
import { Client, type ClientConfig } from "pg";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { makeSecrets } from "../../src/api/creation.ts";
import type { Addon } from "../../src/contract/service.ts";
import { SHARED_SIZE } from "../../src/contract/size.ts";
import { loadAuthority } from "../../src/lib/authority.ts";
import { loadConfig } from "../../src/lib/config.ts";
import { randomSecret } from "../../src/lib/random-secret.ts";
import type { ServiceSecrets } from "../../src/lib/service-secrets.ts";
import { settingsForSize } from "../../src/planner/settings.ts";
import { DATABASE, renderBootstrapSql } from "../../src/platforms/docker/bootstrap-sql.ts";
import { hardened, type PlacedFile, placeFiles } from "../../src/platforms/docker/container.ts";
import { POOLER_PORT } from "../../src/platforms/docker/haproxy-config.ts";
import { POSTGRES_PORT, renderPatroniConfig } from "../../src/platforms/docker/patroni-config.ts";
import {
  POOLER_SUBJECT,
  renderPgbouncerConfig,
  renderPoolerHba,
  renderPoolerUsers,
} from "../../src/platforms/docker/pgbouncer-config.ts";
import { runIn } from "../../src/platforms/docker/run-in.ts";
import { ADMIN_ROLE } from "../../src/platforms/docker/system-sql.ts";
import { purgeLabelled } from "../../src/setup/down.ts";
import { ensureEngine } from "../../src/setup/engine.ts";
import { ensureServiceImage } from "../../src/setup/service-image.ts";

const START_TIMEOUT_MS = 120_000;
const COMMAND_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 30_000;
const QUERY_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

/** As in the image's member.py. */
const START = `set -eu
initdb --no-sync --username=postgres --auth-local=peer --auth-host=reject --encoding=UTF8 \\
  --locale=C.UTF-8 --locale-provider=builtin --builtin-locale=C.UTF-8 /data/pg > /dev/null
cp /data/etc/pg_hba.conf /data/pg/pg_hba.conf
cat /data/etc/parameters.conf >> /data/pg/postgresql.conf
exec postgres -D /data/pg`;

export interface Login {
  readonly user: string;
  readonly password: string;
  readonly database?: string;
  readonly options?: string;
}

export interface TenantServer {
  readonly admin: Login;
  readonly secrets: ServiceSecrets;
  /** Straight to the server. Whoever connects ends it. */
  connect(login: Login): Promise<Client>;
  /** Through the pooler; the database's name chooses how it pools. */
  connectPooled(login: Login): Promise<Client>;
  /** As the superuser, on the server's own socket; what psql prints. Throws where psql fails. */
  asSuperuser(sql: string, database?: string): Promise<string>;
  /** Runs a program in the server's container. */
  run(...command: string[]): Promise<string>;
  dispose(): Promise<void>;
}

const Rendered = Type.Object({
  bootstrap: Type.Object({
    dcs: Type.Object({ postgresql: Type.Object({ parameters: Type.Record(Type.String(), Type.Unknown()) }) }),
  }),
  postgresql: Type.Object({
    pg_hba: Type.Array(Type.String()),
    parameters: Type.Record(Type.String(), Type.Unknown()),
  }),
});

export async function startTenantServer(addons: readonly Addon[]): Promise<TenantServer> {
  const runId = `tenant-${randomBytes(4).toString("hex")}`;
  const home = await mkdtemp(path.join(tmpdir(), "howdah-tenant-"));
  const quiet = () => undefined;
  const docker = await ensureEngine({ ...loadConfig().engine, logFolder: home }, quiet);
  const dispose = async () => {
    await purgeLabelled(docker, `howdah.test=${runId}`);
    await rm(home, { recursive: true, force: true });
  };
  try {
    const { reference: image } = await ensureServiceImage(docker, { logFolder: home }, quiet);
    return await assemble(docker, image, runId, home, addons, dispose);
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function assemble(
  docker: Docker,
  image: string,
  runId: string,
  home: string,
  addons: readonly Addon[],
  dispose: () => Promise<void>,
): Promise<TenantServer> {
  const authority = await loadAuthority(path.join(home, "authority"));
  const admin = { user: ADMIN_ROLE, password: randomSecret() };
  const secrets = await makeSecrets(admin.password, null);
  const identity = await authority.issue({ commonName: runId, dns: ["localhost"], ips: [] });
  const certificates = [
    { name: "ca.crt", content: authority.certificatePem },
    { name: "server.crt", content: identity.certificatePem },
    { name: "server.key", content: identity.privateKeyPem },
  ];
  const patroni: Static<typeof Rendered> = Value.Parse(
    Rendered,
    JSON.parse(
      renderPatroniConfig({
        serviceId: runId,
        readsFrom: null,
        name: "member-0",
        address: "127.0.0.1",
        addons,
        secrets,
        configuration: { settings: settingsForSize(SHARED_SIZE), syncReplicaCount: 0 },
        data: "new",
        log: loadConfig().logBounds,
      }),
    ),
  );
  const parameters: Record<string, unknown> = {
    ...patroni.bootstrap.dcs.postgresql.parameters,
    ...patroni.postgresql.parameters,
    listen_addresses: "*",
  };
  const start = (name: string, command: string[], files: readonly PlacedFile[]) =>
    startContainer(docker, image, runId, name, command, files);

  const server = await start(
    "server",
    ["sh", "-c", START],
    [
      ...certificates,
      { name: "pg_hba.conf", content: `${patroni.postgresql.pg_hba.join("\n")}\n` },
      {
        name: "parameters.conf",
        content: Object.entries(parameters)
          .map(([name, value]) => `${name} = '${String(value)}'\n`)
          .join(""),
      },
      { name: "bootstrap.sql", content: renderBootstrapSql(addons, secrets) },
    ],
  );
  const run = async (...command: string[]) =>
    succeed(await runIn(server.container, command, COMMAND_TIMEOUT_MS));
  await until("the server", () => run("pg_isready", "-q", "-h", "/run"));
  await run("/usr/local/lib/howdah/post-bootstrap", "host=/run user=postgres dbname=postgres");

  const poolerIdentity = await authority.issue({ commonName: POOLER_SUBJECT, dns: [], ips: [] });
  const pooler = await start(
    "pooler",
    ["pgbouncer", "/data/etc/pgbouncer.ini"],
    [
      ...certificates,
      { name: "pooler.crt", content: poolerIdentity.certificatePem },
      { name: "pooler.key", content: poolerIdentity.privateKeyPem },
      {
        name: "pgbouncer.ini",
        content: renderPgbouncerConfig({ gateway: server.address, servesReads: false }),
      },
      { name: "hba.conf", content: renderPoolerHba({ gateway: server.bridge }) },
      { name: "users.txt", content: renderPoolerUsers(secrets.poolerPassword) },
    ],
  );

  const connectTo = (host: string, port: number) => async (login: Login) => {
    const client = new Client({ ...clientConfig(login, authority.certificatePem), host, port });
    // What the server has to say about a connection's end is what its queries fail with.
    client.on("error", () => undefined);
    await client.connect();
    return client;
  };
  const connectPooled = connectTo(pooler.address, POOLER_PORT);
  await until("the pooler", async () => (await connectPooled(admin)).end());
  return {
    admin,
    secrets,
    connect: connectTo(server.address, POSTGRES_PORT),
    connectPooled,
    asSuperuser: (sql, database = DATABASE) =>
      run(
        "psql",
        "-h",
        "/run",
        "-U",
        "postgres",
        "-d",
        database,
        "-XqAt",
        "-v",
        "ON_ERROR_STOP=1",
        "-c",
        sql,
      ),
    run,
    dispose,
  };
}

function clientConfig({ user, password, database = DATABASE, options }: Login, ca: string): ClientConfig {
  return {
    user,
    password,
    database,
    // Its address is the engine's choice.
    ssl: { ca, checkServerIdentity: () => undefined },
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    ...(options === undefined ? {} : { options }),
  };
}

interface Started {
  readonly container: Docker.Container;
  readonly address: string;
  /** The host's address as the container sees it. */
  readonly bridge: string;
}

async function startContainer(
  docker: Docker,
  image: string,
  runId: string,
  name: string,
  command: string[],
  files: readonly PlacedFile[],
): Promise<Started> {
  const container = await docker.createContainer({
    name: `howdah-${runId}-${name}`,
    Image: image,
    Cmd: command,
    Labels: { "howdah.test": runId },
    Volumes: { "/data": {} },
    HostConfig: hardened({ RestartPolicy: { Name: "no" }, ShmSize: 512 * 1024 ** 2 }),
  });
  await placeFiles(container, "/data", "etc", files);
  await container.start();
  const { NetworkSettings } = await container.inspect();
  const [network] = Object.values(NetworkSettings.Networks);
  if (!network?.IPAddress) throw new Error(`the container of the ${name} did not stay`);
  return { container, address: network.IPAddress, bridge: network.Gateway };
}

function succeed({
  exitCode,
  output,
}: {
  readonly exitCode: number | null;
  readonly output: string;
}): string {
  if (exitCode !== 0) throw new Error(`it ended with ${exitCode}: ${output}`);
  return output;
}

async function until(what: string, attempt: () => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`${what} did not come up`, { cause: error });
      await delay(POLL_MS);
    }
  }
}
