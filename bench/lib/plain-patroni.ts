/** The raw limit of a failover: Patroni, etcd and HAProxy from the same image, with their defaults and nobody beside them. */
import type Docker from "dockerode";
import { randomId } from "../../src/lib/ids.ts";
import { randomSecret } from "../../src/lib/random-secret.ts";
import { until } from "./deadline.ts";
import { runLabels } from "./engine-objects.ts";
import { createPlainNetwork, type PlainOptions } from "./plain-postgres.ts";
import type { SqlTarget } from "./sql.ts";

const READY_DEADLINE_MS = 90_000;
const POLL_MS = 200;
const MEMBERS = ["plain-0", "plain-1"] as const;

export interface PlainPatroni {
  readonly target: SqlTarget;
  /** The container of the member that leads, once the other one follows it. */
  readonly leader: () => Promise<Docker.Container>;
  readonly remove: () => Promise<void>;
}

/** Two members, of which one leads and the other streams when this returns. */
export async function startPlainPatroni(options: PlainOptions): Promise<PlainPatroni> {
  const network = await createPlainNetwork(options);
  const password = randomSecret();
  const made: Docker.Container[] = [];
  const run = async (name: string, script: string, more: Docker.ContainerCreateOptions = {}) => {
    const container = await options.engine.createContainer({
      name: `${options.runId}-${name}-${randomId(6)}`,
      Image: options.image,
      Cmd: ["sh", "-c", script],
      Labels: runLabels(options.runId),
      NetworkingConfig: { EndpointsConfig: { [network]: { Aliases: [name] } } },
      ...more,
      HostConfig: { Init: true, ...more.HostConfig },
    });
    made.push(container);
    await container.start();
    return container;
  };
  const remove = async () => {
    for (const container of made) await container.remove({ force: true, v: true });
  };
  try {
    await run("plain-etcd", ETCD);
    const members = await Promise.all(MEMBERS.map((name) => run(name, patroni(name, password))));
    const proxy = await run("plain-proxy", HAPROXY, {
      ExposedPorts: { "5000/tcp": {} },
      HostConfig: { PortBindings: { "5000/tcp": [{ HostIp: "127.0.0.1", HostPort: "" }] } },
    });
    const { NetworkSettings } = await proxy.inspect();
    const port = Number(NetworkSettings.Ports["5000/tcp"]?.[0]?.HostPort);
    const leader = () => leaderAmong(members, network, options.signal);
    await leader();
    return {
      target: { host: "127.0.0.1", port, database: "postgres", user: "postgres", password, tls: false },
      leader,
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

const ETCD = `exec etcd --data-dir=/tmp/etcd --listen-client-urls=http://0.0.0.0:2379 \\
  --advertise-client-urls=http://plain-etcd:2379 --log-level=error`;

/** What Patroni's own documents begin with; every interval is its default. */
function patroni(name: string, password: string): string {
  const configuration = {
    scope: "plain",
    name,
    restapi: { listen: "0.0.0.0:8008", connect_address: `${name}:8008` },
    etcd3: { host: "plain-etcd:2379" },
    bootstrap: {
      dcs: { postgresql: { use_pg_rewind: true } },
      initdb: [{ encoding: "UTF8" }, "data-checksums"],
    },
    postgresql: {
      listen: "0.0.0.0:5432",
      connect_address: `${name}:5432`,
      data_dir: "/data/pg",
      bin_dir: "/usr/lib/postgresql/17/bin",
      pgpass: "/tmp/pgpass",
      authentication: {
        superuser: { username: "postgres", password },
        replication: { username: "replicator", password },
      },
      parameters: { unix_socket_directories: "/tmp" },
      pg_hba: ["local all all trust", "host all all all md5", "host replication all all md5"],
    },
  };
  return `printf '%s' '${JSON.stringify(configuration)}' > /tmp/patroni.yml; exec patroni /tmp/patroni.yml`;
}

/** As in the template that comes with Patroni. */
const HAPROXY = `printf '%s\\n' \\
  'defaults' '  mode tcp' '  retries 2' '  timeout client 30m' '  timeout connect 4s' '  timeout server 30m' \\
  '  timeout check 5s' 'listen plain' '  bind *:5000' '  option httpchk' '  http-check expect status 200' \\
  '  default-server inter 3s fall 3 rise 2 on-marked-down shutdown-sessions' \\
  '  server plain-0 plain-0:5432 maxconn 100 check port 8008' \\
  '  server plain-1 plain-1:5432 maxconn 100 check port 8008' > /tmp/haproxy.cfg; \\
  exec haproxy -db -f /tmp/haproxy.cfg`;

function leaderAmong(
  members: readonly Docker.Container[],
  network: string,
  signal: AbortSignal,
): Promise<Docker.Container> {
  return until(
    { what: "a plain cluster with a replica", deadlineMs: READY_DEADLINE_MS, everyMs: POLL_MS, signal },
    async () => {
      const states = await Promise.all(members.map((member) => stateOf(member, network)));
      const leads = states.findIndex((state) => state.role === "primary" && state.streams);
      return members[leads];
    },
  );
}

async function stateOf(member: Docker.Container, network: string) {
  try {
    const { NetworkSettings } = await member.inspect();
    const address = NetworkSettings.Networks[network]?.IPAddress;
    const response = await fetch(`http://${address}:8008/patroni`, { signal: AbortSignal.timeout(1_000) });
    const text = await response.text();
    return {
      role: /"role": "primary"/.test(text) ? "primary" : "",
      streams: /"state": "streaming"/.test(text),
    };
  } catch {
    return { role: "", streams: false };
  }
}
