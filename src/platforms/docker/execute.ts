/** Steps made true on the engine; each asks first, or is made of calls whose repetition changes nothing. */
import type Docker from "dockerode";
import type { Step, StepOutcome } from "../../planner/step.ts";
import type { ServiceIdentity } from "../platform.ts";
import { ensureRelay, joinVpc, leaveVpc, removeRelay } from "./attachment.ts";
import { remove, unlessStatus } from "./container.ts";
import { type Context, serviceFilters, serviceLabels } from "./context.ts";
import { clearCopy, copyParent } from "./copy-parent.ts";
import { ensureGateway, setAllowList } from "./gateway.ts";
import {
  createMember,
  endMember,
  removeMember,
  runningMembers,
  setLimits,
  startMember,
  stopMember,
} from "./member.ts";
import { memberName } from "./names.ts";
import { ensureNetwork, findNetwork, type ServiceNetwork } from "./network.ts";
import { type PatroniAnswer, type PatroniClient, patroniClient } from "./patroni-client.ts";
import { configurationPatch } from "./patroni-config.ts";
import { untilLedTo, whileClientsWait } from "./planned-interruption.ts";
import { ensurePooler, removePooler } from "./pooler.ts";
import { setRoles } from "./roles.ts";

const DONE: StepOutcome = { kind: "done" };

export async function execute(context: Context, step: Step, service: ServiceIdentity): Promise<StepOutcome> {
  const { serviceId } = service;
  switch (step.kind) {
    case "ensureFoundation":
      return ensureFoundation(context, serviceId);
    case "createMember":
      return createMember(context, step, service);
    case "startMember":
      return startMember(context, serviceId, step.ordinal, step.limits);
    case "endMember":
      return endMember(context, serviceId, step.ordinal);
    case "stopMember":
      return stopMember(context, serviceId, step.ordinal);
    case "copyParent":
      return copyParent(context, step, service);
    case "clearCopy":
      return clearCopy(context, serviceId);
    case "setRoles":
      return setRoles(context, step, service);
    case "ensureGateway":
      return ensureGateway(context, service, step.allowList);
    case "setAllowList":
      return setAllowList(context, service, step.allowList, step.vpcRanges ?? []);
    case "joinVpc":
      return joinVpc(context, service, step.vpcId);
    case "leaveVpc":
      return leaveVpc(context, service, step.vpcId);
    case "ensureRelay":
      return ensureRelay(context, service, step);
    case "removeRelay":
      return removeRelay(context, service, step.peeringId);
    case "ensurePooler":
      return ensurePooler(context, service);
    case "removePooler":
      return removePooler(context, service);
    case "setLimits":
      return setLimits(context, serviceId, step.ordinal, step.limits);
    case "configure":
      return configure(context, service, configurationPatch(step.configuration));
    case "restartPostgres":
      return restartPostgres(context, service, step.ordinal);
    case "switchover":
      return switchover(context, service, step.from, step.to);
    case "removeMember":
      return removeMember(context, service, step.ordinal);
    case "removeService":
      return removeService(context, serviceId);
  }
}

async function ensureFoundation(context: Context, serviceId: string): Promise<StepOutcome> {
  const network = await ensureNetwork(
    context,
    context.names.network(serviceId),
    serviceLabels(context, serviceId),
  );
  await context.coordination.attach(network);
  return DONE;
}

/** The configuration is the cluster's: any member that answers passes it on. */
async function configure(
  context: Context,
  service: ServiceIdentity,
  patch: Record<string, unknown>,
): Promise<StepOutcome> {
  const network = await findNetwork(context.docker, context.names.network(service.serviceId));
  for (const address of network ? await runningMembers(context, service.serviceId, network) : []) {
    const patroni = patroniClient(address, service.secrets.patroniPassword);
    if (await patroni.status()) return outcome(await patroni.configure(patch));
  }
  return { kind: "wait", why: "no member answers" };
}

async function restartPostgres(
  context: Context,
  service: ServiceIdentity,
  ordinal: number,
): Promise<StepOutcome> {
  const member = await reach(context, service, ordinal);
  const status = await member?.patroni.status();
  if (!member || !status) return { kind: "wait", why: `member ${ordinal} does not answer` };
  // Only then has Patroni written the settings that the restart is for.
  if (!status.pending_restart)
    return { kind: "wait", why: `member ${ordinal} has not taken up its settings yet` };
  const restart = async () => outcome(await member.patroni.restart());
  if (status.role !== "primary") return restart();
  const { serviceId } = service;
  return whileClientsWait(context, { serviceId, ...member, from: ordinal, to: ordinal }, restart);
}

async function switchover(
  context: Context,
  service: ServiceIdentity,
  from: number,
  to: number,
): Promise<StepOutcome> {
  const heir = await reach(context, service, to);
  const status = await heir?.patroni.status();
  if (!heir || !status) return { kind: "wait", why: `member ${to} does not answer` };
  if (status.role === "primary") return DONE;
  // The one that hands over begins at once where it is asked itself.
  const leader = await reach(context, service, from);
  if (!leader) return { kind: "wait", why: `member ${from} does not answer` };
  const { serviceId } = service;
  return whileClientsWait(context, { serviceId, ...leader, from, to }, async () => {
    const asked = leader.patroni.switchover(memberName(from), memberName(to)).then(outcome);
    // Patroni looks only once a second whether it is through.
    const seen = untilLedTo(leader.network, to).then((isLed) => (isLed ? DONE : asked));
    return Promise.race([asked, seen]);
  });
}

async function removeService(context: Context, serviceId: string): Promise<StepOutcome> {
  const { docker, names, coordination } = context;
  const filters = serviceFilters(context, serviceId);
  const containers = await docker.listContainers({ all: true, filters });
  await Promise.all(containers.map(({ Id }) => remove(docker.getContainer(Id))));
  await coordination.forget(serviceId);
  const { Volumes: volumes } = await docker.listVolumes({ filters });
  await Promise.all(volumes.map(({ Name }) => unlessStatus(404, () => docker.getVolume(Name).remove())));
  const network = names.network(serviceId);
  await coordination.detach(network);
  await detachOthers(docker, network);
  await unlessStatus(404, () => docker.getNetwork(network).remove());
  return DONE;
}

/** A fork that is being copied stands in its parent's network; its copy fails when that goes. */
async function detachOthers(docker: Docker, name: string): Promise<void> {
  const network = await findNetwork(docker, name);
  for (const container of network?.attached ?? []) {
    await unlessStatus(404, () => docker.getNetwork(name).disconnect({ Container: container, Force: true }));
  }
}

interface Reached {
  readonly network: ServiceNetwork;
  readonly patroni: PatroniClient;
}

/** null where the service has no network. */
async function reach(context: Context, service: ServiceIdentity, ordinal: number): Promise<Reached | null> {
  const network = await findNetwork(context.docker, context.names.network(service.serviceId));
  if (!network) return null;
  const address = network.addressOf("firstMember", ordinal);
  return { network, patroni: patroniClient(address, service.secrets.patroniPassword) };
}

function outcome({ verdict, message }: PatroniAnswer): StepOutcome {
  switch (verdict) {
    case "accepted":
      return DONE;
    case "later":
      return { kind: "wait", why: `Patroni: ${message}` };
    case "refused":
      return { kind: "failed", why: `Patroni: ${message}` };
  }
}
