/** The gateway: HAProxy with the service's published ports, in front of the primary, or of members that only read. */
import { setTimeout as delay } from "node:timers/promises";
import type Docker from "dockerode";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { StepOutcome } from "../../planner/step.ts";
import type { ServiceIdentity } from "../platform.ts";
import { removeIfElsewhere } from "./attachment.ts";
import { ensureContainer, hardened, placeFiles, start } from "./container.ts";
import { type Context, serviceLabels } from "./context.ts";
import { removeOtherForm } from "./form.ts";
import { admissionFor } from "./gateway-admission.ts";
import {
  GATEWAY_PORT,
  type GatewaySurroundings,
  membersAlias,
  POOLER_PORT,
  renderHaproxyConfig,
  STATE_PORT,
} from "./haproxy-config.ts";
import { LABEL } from "./names.ts";
import { findGround, type ServiceNetwork } from "./network.ts";
import { runIn } from "./run-in.ts";

/** Grows with every change that a gateway made before cannot take up; such a one is made again. */
export const GATEWAY_FORM = "4";
const PROGRAM = ["python3", "/usr/local/lib/howdah/gateway.py"];
const MEMORY_BYTES = 256 * 1024 ** 2;
const STATE_TIMEOUT_MS = 1_000;
/** How long HAProxy may take to begin; whoever comes after finds it still on its way. */
const ANSWERS_WITHIN_MS = 2_000;
const LOOK_AGAIN_MS = 20;
const LONGEST_REASON = 200;
/** As the image's gateway.lua allows it. */
export const LONGEST_HOLD_MS = 30_000;
/** Beyond what gateway.py allows itself. */
const ADMIT_TIMEOUT_MS = 10_000;

/** One of an older form is made again; that ends the connections through it, once. */
export async function ensureGateway(
  context: Context,
  service: ServiceIdentity,
  allowList: readonly string[],
): Promise<StepOutcome> {
  const { docker, names } = context;
  const network = await findGround(context, service);
  if (!network) return { kind: "wait", why: "the service's network is not there" };
  await removeOtherForm(docker.getContainer(names.gateway(service.serviceId)), GATEWAY_FORM);
  await removeIfElsewhere(docker.getContainer(names.gateway(service.serviceId)), network.name);
  const container = await createGateway(context, service, network);
  const found = await container.inspect();
  if (found.State.Running) return { kind: "done" };
  // The configuration holds no secret: TLS ends at the members and the pooler.
  await placeFiles(container, "/data", "etc", [
    { name: "haproxy.cfg", content: renderHaproxyConfig(surroundings(network, service)) },
    { name: "admission.json", content: admission(found, network, allowList) },
  ]);
  try {
    await start(container);
    await untilAnswering(network.addressOf("gateway"));
    return { kind: "done" };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (!/port is already allocated|address already in use/i.test(why)) throw error;
    const port = [service.port, service.poolerPort].find((candidate) => why.includes(`:${candidate}`));
    return { kind: "failed", why: `port ${port ?? service.port} of the host is used by another program` };
  }
}

/** Both ports are open from the first day on, so that a pooler comes and goes without anybody noticing. */
async function createGateway(
  context: Context,
  { serviceId, port, poolerPort }: ServiceIdentity,
  network: ServiceNetwork,
): Promise<Docker.Container> {
  const { docker, names } = context;
  const name = names.gateway(serviceId);
  const labels = {
    ...serviceLabels(context, serviceId),
    [LABEL.role]: "gateway",
    [LABEL.form]: GATEWAY_FORM,
  };
  const published = { [`${GATEWAY_PORT}/tcp`]: port, [`${POOLER_PORT}/tcp`]: poolerPort };
  await docker.createVolume({ Name: name, Labels: labels });
  return ensureContainer(docker, {
    name,
    Image: context.image,
    Cmd: PROGRAM,
    Labels: labels,
    ExposedPorts: Object.fromEntries(Object.keys(published).map((inside) => [inside, {}])),
    HostConfig: hardened({
      Binds: [`${name}:/data`],
      PortBindings: Object.fromEntries(
        Object.entries(published).map(([inside, outside]) => [
          inside,
          [{ HostIp: context.bindHost, HostPort: String(outside) }],
        ]),
      ),
      Memory: MEMORY_BYTES,
      MemorySwap: MEMORY_BYTES,
      PidsLimit: 64,
      Ulimits: [{ Name: "nofile", Soft: 16_384, Hard: 16_384 }],
    }),
    NetworkingConfig: {
      EndpointsConfig: { [network.name]: { IPAMConfig: { IPv4Address: network.addressOf("gateway") } } },
    },
  });
}

/** In force, and the sessions of those who may no longer connect ended, when it is done. */
export async function setAllowList(
  context: Context,
  service: ServiceIdentity,
  allowList: readonly string[],
  vpcRanges: readonly string[] = [],
): Promise<StepOutcome> {
  const { docker, names } = context;
  const network = await findGround(context, service);
  if (!network) return { kind: "wait", why: "the service's network is not there" };
  const container = docker.getContainer(names.gateway(service.serviceId));
  const found = await container.inspect();
  if (!found.State.Running) return { kind: "wait", why: "the gateway does not run" };
  if (!(await readGatewayState(network.addressOf("gateway"))))
    return { kind: "wait", why: "the gateway does not answer yet" };
  const command = [...PROGRAM, "admit", admission(found, network, allowList, vpcRanges)];
  const { exitCode, output } = await runIn(container, command, ADMIT_TIMEOUT_MS);
  return exitCode === 0
    ? { kind: "done" }
    : { kind: "failed", why: `the gateway did not take the list: ${lastLine(output)}` };
}

/** Of a program that ended with an error, what it says in the end is why. */
function lastLine(output: string): string {
  return (output.trim().split("\n").at(-1) ?? "").slice(0, LONGEST_REASON);
}

/** Its start takes HAProxy a moment, and then it tells what it lets in; whoever looked before would tell it again. */
async function untilAnswering(address: string): Promise<void> {
  const deadline = performance.now() + ANSWERS_WITHIN_MS;
  while (performance.now() < deadline && !(await readGatewayState(address))) await delay(LOOK_AGAIN_MS);
}

function surroundings(network: ServiceNetwork, service: ServiceIdentity): GatewaySurroundings {
  const leadsTo = service.readsFrom === null ? "primary" : "replica";
  return { ...neighbours(network), members: membersAlias(service), leadsTo };
}

function neighbours(network: ServiceNetwork) {
  return { bridge: network.addressOf("bridge"), pooler: network.addressOf("pooler") };
}

/** The address on which the endpoint was opened is the container's own, whatever the platform would choose now. */
function admission(
  { HostConfig }: Docker.ContainerInspectInfo,
  network: ServiceNetwork,
  allowList: readonly string[],
  vpcRanges: readonly string[] = [],
): string {
  const bindings: unknown = HostConfig.PortBindings;
  const bindHost = Value.Check(Bindings, bindings) ? bindings[`${GATEWAY_PORT}/tcp`][0]?.HostIp : undefined;
  const asked = { allowList, vpcRanges, bindHost: bindHost ?? "" };
  return JSON.stringify(admissionFor({ ...asked, ...neighbours(network) }));
}

const Bindings = Type.Object({
  [`${GATEWAY_PORT}/tcp`]: Type.Array(Type.Object({ HostIp: Type.Optional(Type.String()) })),
});

/** What HAProxy tells of itself. */
const GatewayState = Type.Object({
  /** The addresses of the members that it leads to. */
  members: Type.Array(Type.String()),
  /** How many poolers it leads to. */
  pooling: Type.Integer(),
  /** null while it changes. */
  allowed: Type.Union([Type.Array(Type.String()), Type.Null()]),
});
export type GatewayState = Static<typeof GatewayState>;

/** null while it does not answer. */
export async function readGatewayState(address: string): Promise<GatewayState | null> {
  try {
    const state: unknown = await (await askGateway(address, "GET", "/")).json();
    return Value.Check(GatewayState, state) ? state : null;
  } catch {
    return null;
  }
}

/** Whether new connections get to this member, and to no other. */
export function leadsOnlyTo(state: GatewayState | null, member: string): boolean {
  return state?.members.length === 1 && state.members[0] === member;
}

/**
 * From now on new connections to the endpoint wait, the pooler's own as well; those that are there stay. A hold ends by
 * itself after `forMs`, LONGEST_HOLD_MS at most; another one takes its place. Throws where the gateway does not take it.
 */
export async function holdDoor(address: string, forMs: number): Promise<void> {
  await tellGateway(address, `/hold?ms=${Math.round(forMs)}`);
}

/** New connections go on, those that wait first. Throws where the gateway does not take it, and the hold then ends in its time. */
export async function releaseDoor(address: string): Promise<void> {
  await tellGateway(address, "/release");
}

/** The gateway leads to this member no more, until it sees it as primary again. Throws where it does not take that. */
export async function tellMemberDead(address: string, member: string): Promise<void> {
  await tellGateway(address, `/dead?address=${member}`);
}

async function tellGateway(address: string, path: string): Promise<void> {
  const response = await askGateway(address, "POST", path);
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the gateway answered ${response.status} to ${path}`);
}

function askGateway(address: string, method: "GET" | "POST", path: string): Promise<Response> {
  const signal = AbortSignal.timeout(STATE_TIMEOUT_MS);
  return fetch(`http://${address}:${STATE_PORT}${path}`, { method, signal });
}
