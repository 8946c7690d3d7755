/**
 * The host's etcd, over which the members of each service elect their primary. One for all services: attached to
 * every service's network, reachable by members and control plane alone, and only with a certificate of ours.
 */
import { once } from "node:events";
import { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { text } from "node:stream/consumers";
import { Type } from "typebox";
import { Value } from "typebox/value";
import type { Authority } from "../../lib/authority.ts";
import { randomId } from "../../lib/ids.ts";
import { ensureContainer, hardened, inspectOrNull, placeFiles, start, unlessStatus } from "./container.ts";
import { type EngineContext, installationLabels } from "./context.ts";
import { LABEL } from "./names.ts";
import { ensureNetwork, findNetwork, type ServiceNetwork } from "./network.ts";
import {
  type Agreed,
  agreedIn,
  base64,
  decoded,
  type Key,
  keysOf,
  leaderKey,
  memberKey,
  NOTHING_AGREED,
  sayDead,
} from "./patroni-keys.ts";

export const ETCD_PORT = 2379;
const ETCD_HOST = "etcd";
const CALL_TIMEOUT_MS = 5_000;
const MAX_CONNECTIONS = 8;
const MEMORY_BYTES = 512 * 1024 ** 2;

export interface Coordination {
  /** Makes etcd run and attaches it to a service's network. */
  attach(network: ServiceNetwork): Promise<void>;
  detach(network: string): Promise<void>;
  /** What the members of a service have written; nothing where there is nothing, or nobody answers. */
  read(serviceId: string): Promise<Agreed>;
  /** Who holds the lead of a service, by Patroni's name; null where nobody does, or nobody answers. */
  lead(serviceId: string): Promise<Lead | null>;
  /**
   * Takes a lead back, if it is still this very one: the members elect at once then, and do not ask the holder. Only ever
   * for a holder that is known to be dead. False where the lead has changed meanwhile.
   */
  releaseLead(serviceId: string, lead: Lead): Promise<boolean>;
  /** Removes what the members of a service have written. */
  forget(serviceId: string): Promise<void>;
}

const RangeAnswer = Type.Object({
  kvs: Type.Optional(Type.Array(Type.Object({ key: Type.String(), value: Type.String() }))),
});

/** A lead as etcd has it: the holder, and what tells this time of holding it from any other. */
export interface Lead {
  readonly holder: string;
  readonly revision: string;
  readonly lease: string;
}

const KeyAnswer = Type.Object({
  kvs: Type.Optional(
    Type.Array(
      Type.Object({ value: Type.String(), mod_revision: Type.String(), lease: Type.Optional(Type.String()) }),
    ),
  ),
});

const TransactionAnswer = Type.Object({ succeeded: Type.Optional(Type.Boolean()) });

export function createCoordination(context: EngineContext): Coordination {
  const { docker, names } = context;
  const container = docker.getContainer(names.etcd);
  // Kept, since a new TLS connection for every look at every service would cost more than all else in it.
  let connections: Promise<Agent> | null = null;

  async function etcd(path: string, body: unknown): Promise<string> {
    const control = await findNetwork(docker, names.control);
    if (!control) throw new Error("the control network is gone");
    connections ??= connectionsTo(context.authority);
    return call(await connections, control.addressOf("etcd"), path, body);
  }

  async function keyIn(name: string): Promise<Key | null> {
    const answer: unknown = JSON.parse(await etcd("/v3/kv/range", { key: base64(name) }));
    const found = Value.Check(KeyAnswer, answer) ? answer.kvs?.[0] : undefined;
    if (!found) return null;
    return { value: decoded(found.value), revision: found.mod_revision, lease: found.lease ?? "0" };
  }

  return {
    async attach(network) {
      await ensureEtcd(context);
      if ((await findNetwork(docker, network.name))?.attached.has(names.etcd)) return;
      // The engine answers 403 where the container is attached already.
      await unlessStatus(403, () =>
        docker.getNetwork(network.name).connect({
          Container: container.id,
          EndpointConfig: { Aliases: [ETCD_HOST], IPAMConfig: { IPv4Address: network.addressOf("etcd") } },
        }),
      );
    },

    async detach(network) {
      const found = await findNetwork(docker, network);
      if (!found?.attached.has(names.etcd)) return;
      await unlessStatus(404, () =>
        docker.getNetwork(network).disconnect({ Container: container.id, Force: true }),
      );
    },

    // Asked here and not of Patroni, whose answers are up to a loop old.
    async read(serviceId) {
      try {
        const prefix = keysOf(serviceId);
        const answer: unknown = JSON.parse(await etcd("/v3/kv/range", rangeOf(prefix)));
        return agreedIn(Value.Check(RangeAnswer, answer) ? (answer.kvs ?? []) : [], prefix);
      } catch (error) {
        context.log.debug({ err: error, serviceId }, "etcd does not answer");
        return NOTHING_AGREED;
      }
    },

    async lead(serviceId) {
      try {
        const found = await keyIn(leaderKey(serviceId));
        return found && { holder: found.value, revision: found.revision, lease: found.lease };
      } catch (error) {
        context.log.debug({ err: error, serviceId }, "etcd does not answer");
        return null;
      }
    },

    async releaseLead(serviceId, { holder, revision, lease }) {
      const key = base64(leaderKey(serviceId));
      const member = await keyIn(memberKey(serviceId, holder));
      const answer: unknown = JSON.parse(
        await etcd("/v3/kv/txn", {
          compare: [
            { key, target: "MOD", result: "EQUAL", mod_revision: revision },
            { key, target: "LEASE", result: "EQUAL", lease },
          ],
          // The lead comes last: what wakes the others finds the rest done.
          success: [
            ...(member ? [{ requestTxn: sayDead(serviceId, holder, member) }] : []),
            { requestDeleteRange: { key } },
          ],
        }),
      );
      return Value.Check(TransactionAnswer, answer) && answer.succeeded === true;
    },

    async forget(serviceId) {
      if (!(await findNetwork(docker, names.control))) return;
      await etcd("/v3/kv/deleterange", rangeOf(keysOf(serviceId)));
    },
  };
}

/** Makes the host's etcd run; it keeps its state in a volume, synced at every write. */
export async function ensureEtcd(context: EngineContext): Promise<void> {
  const { docker, names, authority } = context;
  const labels = { ...installationLabels(context), [LABEL.role]: "etcd" };
  const network = await ensureNetwork(context, names.control, labels);
  const existing = docker.getContainer(names.etcd);
  const state = (await inspectOrNull(existing))?.State.Status;
  if (state === "running") return;
  if (state === undefined || state === "created") {
    await docker.createVolume({ Name: names.etcdVolume, Labels: labels });
    const created = await ensureContainer(docker, {
      name: names.etcd,
      Image: context.image,
      // By it the members see that an etcd which has lost its data is another one, and no stale one to stay away from.
      Cmd: [...ETCD_COMMAND, `--initial-cluster-token=${randomId()}`],
      Labels: labels,
      HostConfig: hardened({
        Binds: [`${names.etcdVolume}:/data`],
        Memory: MEMORY_BYTES,
        PidsLimit: 256,
        Ulimits: [{ Name: "nofile", Soft: 16_384, Hard: 16_384 }],
      }),
      NetworkingConfig: {
        EndpointsConfig: {
          [names.control]: { Aliases: [ETCD_HOST], IPAMConfig: { IPv4Address: network.addressOf("etcd") } },
        },
      },
    });
    const certificate = await authority.issue({
      commonName: ETCD_HOST,
      dns: [ETCD_HOST, "localhost"],
      ips: ["127.0.0.1"],
    });
    await placeFiles(created, "/data", "etc", [
      { name: "ca.crt", content: authority.certificatePem },
      { name: "server.crt", content: certificate.certificatePem },
      { name: "server.key", content: certificate.privateKeyPem },
    ]);
  }
  await start(existing);
}

const ETCD_COMMAND = [
  "etcd",
  "--name=etcd",
  "--data-dir=/data/etcd",
  `--listen-client-urls=https://0.0.0.0:${ETCD_PORT}`,
  `--advertise-client-urls=https://${ETCD_HOST}:${ETCD_PORT}`,
  "--listen-peer-urls=http://127.0.0.1:2380",
  "--initial-advertise-peer-urls=http://127.0.0.1:2380",
  "--initial-cluster=etcd=http://127.0.0.1:2380",
  "--client-cert-auth",
  "--trusted-ca-file=/data/etc/ca.crt",
  "--cert-file=/data/etc/server.crt",
  "--key-file=/data/etc/server.key",
  "--auto-compaction-mode=revision",
  "--auto-compaction-retention=1000",
  "--quota-backend-bytes=1073741824",
  "--log-level=warn",
];

async function connectionsTo(authority: Authority): Promise<Agent> {
  const client = await authority.issue({ commonName: "howdah control plane", dns: [], ips: [] });
  return new Agent({
    keepAlive: true,
    maxSockets: MAX_CONNECTIONS,
    ca: authority.certificatePem,
    cert: client.certificatePem,
    key: client.privateKeyPem,
    servername: ETCD_HOST,
  });
}

/** One call to etcd's JSON gateway (https://etcd.io/docs/v3.5/dev-guide/api_grpc_gateway). */
async function call(agent: Agent, host: string, path: string, body: unknown): Promise<string> {
  const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const sent = request({ agent, host, port: ETCD_PORT, path, method: "POST", signal });
  const answered = once(sent, "response");
  sent.end(JSON.stringify(body));
  const response: unknown = (await answered)[0];
  if (!(response instanceof IncomingMessage)) throw new Error("etcd gave no answer");
  const answer = await text(response);
  if (response.statusCode === 200) return answer;
  throw new Error(`etcd answered ${response.statusCode}: ${answer.slice(0, 200)}`);
}

/** All keys with a prefix. */
function rangeOf(prefix: string) {
  return { key: base64(prefix), range_end: base64(afterPrefix(prefix)) };
}

/** The first key after all that begin with a prefix, as etcd wants the end of a range. */
function afterPrefix(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
