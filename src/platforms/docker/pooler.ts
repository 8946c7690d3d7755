/** The pooler: PgBouncer, behind the gateway's second port, in a container of its own while it is wanted. */
import { setTimeout as delay } from "node:timers/promises";
import type Docker from "dockerode";
import type { StepOutcome } from "../../planner/step.ts";
import type { ServiceIdentity } from "../platform.ts";
import {
  ensureContainer,
  hardened,
  inspectOrNull,
  placeFiles,
  remove,
  start,
  unlessStatus,
} from "./container.ts";
import { type Context, serviceLabels } from "./context.ts";
import { endpointNames } from "./endpoint-names.ts";
import { removeOtherForm } from "./form.ts";
import { LABEL } from "./names.ts";
import { findGround, type ServiceNetwork } from "./network.ts";
import {
  POOLER_SUBJECT,
  renderPgbouncerConfig,
  renderPoolerHba,
  renderPoolerUsers,
} from "./pgbouncer-config.ts";

/** Grows with every change that a pooler made before cannot take up; such a one is made again. */
export const POOLER_FORM = "2";
const MEMORY_BYTES = 256 * 1024 ** 2;
/** What transactions that run have left when it goes. */
const FAREWELL_MS = 2_000;
const LOOK_AGAIN_MS = 50;

export async function ensurePooler(context: Context, service: ServiceIdentity): Promise<StepOutcome> {
  const { docker, names } = context;
  const network = await findGround(context, service);
  if (!network) return { kind: "wait", why: "the service's network is not there" };
  await removeOtherForm(docker.getContainer(names.pooler(service.serviceId)), POOLER_FORM);
  const container = await createPooler(context, service, network);
  if ((await container.inspect()).State.Running) return { kind: "done" };
  await placeFiles(container, "/data", "etc", await poolerFiles(context, service, network));
  await start(container);
  return { kind: "done" };
}

async function createPooler(
  context: Context,
  { serviceId }: ServiceIdentity,
  network: ServiceNetwork,
): Promise<Docker.Container> {
  const { docker, names } = context;
  const name = names.pooler(serviceId);
  const labels = {
    ...serviceLabels(context, serviceId),
    [LABEL.role]: "pooler",
    [LABEL.form]: POOLER_FORM,
  };
  await docker.createVolume({ Name: name, Labels: labels });
  return ensureContainer(docker, {
    name,
    Image: context.image,
    Cmd: ["pgbouncer", "/data/etc/pgbouncer.ini"],
    Labels: labels,
    // At once; its own way of ending waits for the last client.
    StopSignal: "SIGQUIT",
    HostConfig: hardened({
      Binds: [`${name}:/data`],
      Memory: MEMORY_BYTES,
      MemorySwap: MEMORY_BYTES,
      PidsLimit: 64,
      Ulimits: [{ Name: "nofile", Soft: 16_384, Hard: 16_384 }],
    }),
    NetworkingConfig: {
      EndpointsConfig: { [network.name]: { IPAMConfig: { IPv4Address: network.addressOf("pooler") } } },
    },
  });
}

async function poolerFiles(
  context: Context,
  { serviceId, secrets, readsFrom }: ServiceIdentity,
  network: ServiceNetwork,
) {
  const { authority } = context;
  const surroundings = { gateway: network.addressOf("gateway"), servesReads: readsFrom !== null };
  const address = network.addressOf("pooler");
  const [endpoint, identity] = await Promise.all([
    authority.issue(endpointNames(context, { serviceId, name: "pooler", address })),
    authority.issue({ commonName: POOLER_SUBJECT, dns: [], ips: [] }),
  ]);
  return [
    { name: "pgbouncer.ini", content: renderPgbouncerConfig(surroundings) },
    { name: "hba.conf", content: renderPoolerHba(surroundings) },
    { name: "users.txt", content: renderPoolerUsers(secrets.poolerPassword) },
    { name: "ca.crt", content: authority.certificatePem },
    { name: "server.crt", content: endpoint.certificatePem },
    { name: "server.key", content: endpoint.privateKeyPem },
    { name: "pooler.crt", content: identity.certificatePem },
    { name: "pooler.key", content: identity.privateKeyPem },
  ];
}

/** Lets no new client in, gives transactions that run a moment to end, and goes. */
export async function removePooler(context: Context, { serviceId }: ServiceIdentity): Promise<StepOutcome> {
  const { docker, names } = context;
  const container = docker.getContainer(names.pooler(serviceId));
  // The engine answers 409 where it does not run.
  await unlessStatus([404, 409], () => container.kill({ signal: "SIGINT" }));
  const deadline = Date.now() + FAREWELL_MS;
  while ((await inspectOrNull(container))?.State.Running && Date.now() < deadline) await delay(LOOK_AGAIN_MS);
  await remove(container);
  await unlessStatus(404, () => docker.getVolume(names.pooler(serviceId)).remove());
  return { kind: "done" };
}
