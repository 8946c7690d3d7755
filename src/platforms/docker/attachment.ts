/** The gateway in the network of a VPC, and the relays by which it is reached from networks beyond. */
import type Docker from "dockerode";
import { VPC_POOLER_PORT, VPC_PORT, vpcHost } from "../../contract/vpcs.ts";
import type { ObservedAttachment } from "../../planner/observed.ts";
import type { Step, StepOutcome } from "../../planner/step.ts";
import type { ServiceIdentity } from "../platform.ts";
import { hardened, inspectOrNull, remove, start, statusCode, unlessStatus } from "./container.ts";
import { type Context, serviceLabels } from "./context.ts";
import { hasForm } from "./form.ts";
import { LABEL } from "./names.ts";

/** Grows with every change that a relay made before cannot take up; such a one is made again. */
const RELAY_FORM = "1";
const RELAY_ROLE = "relay";
const RELAY_MEMORY_BYTES = 64 * 1024 ** 2;

/**
 * Live, and without a word to anybody who is connected: the engine gives the container one more interface. Its route to
 * the world and the published ports stay with the service's own network, whose name comes first; see names.ts.
 */
export async function joinVpc(
  { docker, names }: Context,
  { serviceId }: ServiceIdentity,
  vpcId: string,
): Promise<StepOutcome> {
  const Container = names.gateway(serviceId);
  try {
    const EndpointConfig = { Aliases: [vpcHost(serviceId)] };
    await docker.getNetwork(names.vpc(vpcId)).connect({ Container, EndpointConfig });
    return { kind: "done" };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    // Both are what the engine says to a container that stands there already.
    if (/already exists in network|already attached to network/i.test(why)) return { kind: "done" };
    if (statusCode(error) === 404) return { kind: "wait", why: `the network of VPC ${vpcId} is not there` };
    if (/no available.*address/i.test(why))
      return { kind: "wait", why: `every address of VPC ${vpcId} is taken` };
    throw error;
  }
}

export async function leaveVpc(
  { docker, names }: Context,
  { serviceId }: ServiceIdentity,
  vpcId: string,
): Promise<StepOutcome> {
  await disconnect(docker, names.vpc(vpcId), names.gateway(serviceId));
  return { kind: "done" };
}

/** Neither the network nor the container has to be there any more. */
async function disconnect(docker: Docker, network: string, Container: string): Promise<void> {
  try {
    await docker.getNetwork(network).disconnect({ Container, Force: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (statusCode(error) !== 404 && !/is not connected/i.test(why)) throw error;
  }
}

type EnsureRelay = Extract<Step, { kind: "ensureRelay" }>;

/** Made anew in any case: what is not whole may miss a network that went and came back. */
export async function ensureRelay(
  context: Context,
  { serviceId }: ServiceIdentity,
  { peeringId, vpcId, network }: EnsureRelay,
): Promise<StepOutcome> {
  const { docker, names } = context;
  const name = names.relay(serviceId, peeringId);
  const networks = [names.vpc(vpcId), network];
  const container = docker.getContainer(name);
  const found = await inspectOrNull(container);
  if (found && isWhole(found, networks)) return { kind: "done" };
  await remove(container);
  const config = renderRelayConfig(names.gateway(serviceId));
  const labels = {
    ...serviceLabels(context, serviceId),
    [LABEL.role]: RELAY_ROLE,
    [LABEL.peering]: peeringId,
    [LABEL.form]: RELAY_FORM,
  };
  try {
    await docker.createContainer({
      name,
      Image: context.image,
      Cmd: [
        "sh",
        "-c",
        'printf %s "$1" >/run/relay.cfg && exec haproxy -W -db -f /run/relay.cfg',
        "relay",
        config,
      ],
      Labels: labels,
      HostConfig: hardened({
        NetworkMode: names.vpc(vpcId),
        Memory: RELAY_MEMORY_BYTES,
        MemorySwap: RELAY_MEMORY_BYTES,
        PidsLimit: 16,
        Ulimits: [{ Name: "nofile", Soft: 4_096, Hard: 4_096 }],
      }),
    });
    const EndpointConfig = { Aliases: [vpcHost(serviceId)] };
    await docker.getNetwork(network).connect({ Container: name, EndpointConfig });
    await start(container);
    return { kind: "done" };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    await remove(container);
    if (statusCode(error) === 404)
      return { kind: "wait", why: `the network ${network} or the VPC's is not there` };
    // Whatever the other network is like, it is no trouble of the engine's.
    return { kind: "failed", why: why.replaceAll(/\s+/g, " ").trim() };
  }
}

export async function removeRelay(
  { docker, names }: Context,
  { serviceId }: ServiceIdentity,
  peeringId: string,
): Promise<StepOutcome> {
  await remove(docker.getContainer(names.relay(serviceId, peeringId)));
  return { kind: "done" };
}

function isWhole(
  { State, Config, NetworkSettings }: Docker.ContainerInspectInfo,
  networks: readonly string[],
) {
  const inAll = networks.every((network) => NetworkSettings.Networks[network]?.IPAddress);
  return State.Running && inAll && hasForm(Config.Labels, RELAY_FORM);
}

/**
 * TLS passes through as it does at the gateway. The gateway goes by its container's name, which the engine's DNS tells in
 * the VPC alone; by the name that clients use, a relay would also find itself.
 */
export function renderRelayConfig(gateway: string): string {
  const doors = [VPC_PORT, VPC_POOLER_PORT].map(
    (port) => `
listen port-${port}
  bind 0.0.0.0:${port}
  server gateway ${gateway}:${port} resolvers engine resolve-prefer ipv4 init-addr last,libc,none`,
  );
  return `global
  maxconn 1024
  nbthread 1

defaults
  mode tcp
  timeout connect 1s
  timeout client 7d
  timeout server 7d
  timeout client-fin 1s
  timeout server-fin 1s
  retries 3
  option clitcpka
  option srvtcpka

resolvers engine
  parse-resolv-conf
  accepted_payload_size 8192
  timeout resolve 1s
  timeout retry 500ms
  hold valid 1s
${doors.join("\n")}
`;
}

/**
 * What leads to the gateway from VPCs.
 *
 * @param containers those of the service
 * @param gateway the one among them that runs and is up to date; left out: none does
 * @param ranges those of VPCs that it says it lets in
 */
export function observeAttachment(
  { names }: Context,
  containers: readonly Docker.ContainerInfo[],
  gateway: Docker.ContainerInfo | undefined,
  ranges: readonly string[],
): ObservedAttachment | undefined {
  const joined = networksOf(gateway).flatMap((name) =>
    name.startsWith(names.vpc("")) ? [name.slice(names.vpc("").length)] : [],
  );
  const relays = containers.flatMap((container) => {
    const { [LABEL.role]: role, [LABEL.peering]: peeringId } = container.Labels;
    if (role !== RELAY_ROLE || peeringId === undefined) return [];
    // In the VPC and in the other network.
    const connected = networksOf(container).length === 2;
    const running = container.State === "running" && connected && hasForm(container.Labels, RELAY_FORM);
    return [{ peeringId, running }];
  });
  const idle = joined.length === 0 && ranges.length === 0 && relays.length === 0;
  return idle ? undefined : { joined, ranges, relays };
}

/** Those in which it has an address. */
function networksOf(container: Docker.ContainerInfo | undefined): readonly string[] {
  return Object.entries(container?.NetworkSettings.Networks ?? {}).flatMap(([name, { IPAddress }]) =>
    IPAddress ? [name] : [],
  );
}

/**
 * A gateway that does not run is made anew where it stands in other networks than its own: one of them may be gone, and
 * the engine would start it no more. The volume stays, and the planner brings it back into them.
 */
export async function removeIfElsewhere(container: Docker.Container, own: string): Promise<void> {
  const found = await inspectOrNull(container);
  if (!found || found.State.Running) return;
  const elsewhere = Object.keys(found.NetworkSettings.Networks).some((name) => name !== own);
  if (elsewhere) await unlessStatus(404, () => container.remove({ force: true }));
}
