/** Steps made true on the engine; each asks first, or is made of calls whose repetition changes nothing. */
import { setTimeout as delay } from "node:timers/promises";
import type Docker from "dockerode";
import { differingSettings } from "../../planner/settings.ts";
import type { Step, StepOutcome } from "../../planner/step.ts";
import type { ServiceIdentity } from "../platform.ts";
import { ensureRelay, joinVpc, leaveVpc, removeRelay } from "./attachment.ts";
import { inspectOrNull, remove, unlessStatus } from "./container.ts";
import { type Context, serviceFilters, serviceLabels } from "./context.ts";
import { COPIER_ROLE, clearCopy, copyParent } from "./copy-parent.ts";
import { ensureGateway, setAllowList } from "./gateway.ts";
import {
  createMember,
  endMember,
  placeReaderSettings,
  removeMember,
  runningMembers,
  setLimits,
  startMember,
  stopMember,
} from "./member.ts";
import { LABEL, memberName } from "./names.ts";
import { ensureNetwork, findGround, findNetwork, type ServiceNetwork } from "./network.ts";
import {
  type MemberStatus,
  type PatroniAnswer,
  type PatroniClient,
  patroniClient,
} from "./patroni-client.ts";
import { configurationPatch } from "./patroni-config.ts";
import { untilLedTo, whileClientsWait } from "./planned-interruption.ts";
import { ensurePooler, removePooler } from "./pooler.ts";
import type { PostgresProbe } from "./postgres-probe.ts";
import { setRoles } from "./roles.ts";

const DONE: StepOutcome = { kind: "done" };
const TAKEN_UP_WITHIN_MS = 3_000;
const LOOK_AGAIN_MS = 50;

export async function execute(
  context: Context,
  probe: PostgresProbe,
  step: Step,
  service: ServiceIdentity,
): Promise<StepOutcome> {
  const { serviceId } = service;
  switch (step.kind) {
    case "ensureFoundation":
      return ensureFoundation(context, serviceId);
    case "createMember":
      return createMember(context, step, service);
    case "startMember":
      return startMember(context, service, step.ordinal, step.limits);
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
    case "takeUpSettings":
      return takeUpSettings(context, probe, service, step);
    case "restartPostgres":
      return restartPostgres(context, service, step.ordinal);
    case "fitMember":
      return fitMember(context, service, step);
    case "switchover":
      return switchover(context, service, step.from, step.to);
    case "removeMember":
      return removeMember(context, service, step.ordinal);
    case "removeService":
      return removeService(context, service);
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

async function takeUpSettings(
  context: Context,
  probe: PostgresProbe,
  service: ServiceIdentity,
  { ordinal, settings }: Extract<Step, { kind: "takeUpSettings" }>,
): Promise<StepOutcome> {
  const { docker, names } = context;
  const member = await reach(context, service, ordinal);
  const container = await inspectOrNull(docker.getContainer(names.member(service.serviceId, ordinal)));
  if (!member || !container) return doesNotAnswer(ordinal);
  const inForce = await soon(async () => {
    const { monitorPassword } = service.secrets;
    const probed = await probe.read(container.Id, member.address, monitorPassword, Object.keys(settings));
    return probed && differingSettings(settings, probed.settings).length === 0 ? DONE : null;
  });
  return inForce ?? remind(member.patroni, ordinal);
}

async function restartPostgres(
  context: Context,
  service: ServiceIdentity,
  ordinal: number,
): Promise<StepOutcome> {
  const member = await reach(context, service, ordinal);
  if (!member) return doesNotAnswer(ordinal);
  const status = await restartPendsSoon(member.patroni);
  if (!status) return remind(member.patroni, ordinal);
  const restart = async () => outcome(await member.patroni.restart());
  if (status.role !== "primary") return restart();
  const { serviceId } = service;
  return whileClientsWait(context, { serviceId, ...member, from: ordinal, to: ordinal }, restart);
}

async function fitMember(
  context: Context,
  service: ServiceIdentity,
  step: Extract<Step, { kind: "fitMember" }>,
): Promise<StepOutcome> {
  const { ordinal } = step;
  const member = await reach(context, service, ordinal);
  if (!(await member?.patroni.status()) || !member) return doesNotAnswer(ordinal);
  await placeReaderSettings(context, service, member.network, step);
  const reloaded = outcome(await member.patroni.reload());
  if (reloaded.kind !== "done") return reloaded;
  return step.restart && (await restartPendsSoon(member.patroni))
    ? outcome(await member.patroni.restart())
    : takesUp(ordinal);
}

/**
 * Patroni takes up what it is told with its next look, but forgets what it is told while its PostgreSQL starts, and what it
 * cannot ask PostgreSQL about at that moment. Reading everything again makes up for both.
 */
async function remind(patroni: PatroniClient, ordinal: number): Promise<StepOutcome> {
  if (!(await patroni.status())) return doesNotAnswer(ordinal);
  const reloaded = outcome(await patroni.reload());
  return reloaded.kind === "done" ? takesUp(ordinal) : reloaded;
}

/** Only then has Patroni written the settings that a restart is for. */
function restartPendsSoon(patroni: PatroniClient): Promise<MemberStatus | null> {
  return soon(async () => {
    const status = await patroni.status();
    return status?.pending_restart ? status : null;
  });
}

/** What it finds while settings may still be taken up; null: nothing until then. */
async function soon<Found>(find: () => Promise<Found | null>): Promise<Found | null> {
  const deadline = performance.now() + TAKEN_UP_WITHIN_MS;
  while (performance.now() < deadline) {
    const found = await find();
    if (found !== null) return found;
    await delay(LOOK_AGAIN_MS);
  }
  return null;
}

async function switchover(
  context: Context,
  service: ServiceIdentity,
  from: number,
  to: number,
): Promise<StepOutcome> {
  const heir = await reach(context, service, to);
  const status = await heir?.patroni.status();
  if (!heir || !status) return doesNotAnswer(to);
  if (status.role === "primary") return DONE;
  // The one that hands over begins at once where it is asked itself.
  const leader = await reach(context, service, from);
  if (!leader) return doesNotAnswer(from);
  const { serviceId } = service;
  return whileClientsWait(context, { serviceId, ...leader, from, to }, async () => {
    const asked = leader.patroni.switchover(memberName(from), memberName(to)).then(outcome);
    // Patroni looks only once a second whether it is through.
    const seen = untilLedTo(leader.network, to).then((isLed) => (isLed ? DONE : asked));
    return Promise.race([asked, seen]);
  });
}

async function removeService(
  context: Context,
  { serviceId, readsFrom }: ServiceIdentity,
): Promise<StepOutcome> {
  const { docker, names, coordination } = context;
  const filters = serviceFilters(context, serviceId);
  const containers = await docker.listContainers({ all: true, filters });
  await Promise.all(containers.map(({ Id }) => remove(docker.getContainer(Id))));
  if (readsFrom === null) await coordination.forget(serviceId);
  const { Volumes: volumes } = await docker.listVolumes({ filters });
  await Promise.all(volumes.map(({ Name }) => unlessStatus(404, () => docker.getVolume(Name).remove())));
  if (readsFrom !== null) return DONE;
  const network = names.network(serviceId);
  if (await hasReaders(context, network))
    return { kind: "wait", why: "those who read from it are still being removed" };
  await coordination.detach(network);
  await detachOthers(docker, network);
  await unlessStatus(404, () => docker.getNetwork(network).remove());
  return DONE;
}

/**
 * Whether members of read replica sets, their gateways or poolers stand in the network still. The engine loses count of who
 * is in a network where a container is cut off while it is removed, and then keeps that network for good.
 */
async function hasReaders({ docker, installationId, names }: Context, network: string): Promise<boolean> {
  const label = [`${LABEL.installation}=${installationId}`, LABEL.service];
  const inside = await docker.listContainers({ all: true, filters: { label, network: [network] } });
  return inside.some(
    ({ Labels }) =>
      Labels[LABEL.role] !== COPIER_ROLE && names.network(Labels[LABEL.service] ?? "") !== network,
  );
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
  readonly address: string;
  readonly patroni: PatroniClient;
}

/** null where the service has no network. */
async function reach(context: Context, service: ServiceIdentity, ordinal: number): Promise<Reached | null> {
  const network = await findGround(context, service);
  if (!network) return null;
  const address = network.addressOf("firstMember", ordinal);
  return { network, address, patroni: patroniClient(address, service.secrets.patroniPassword) };
}

function takesUp(ordinal: number): StepOutcome {
  return { kind: "wait", why: `member ${ordinal} takes up its settings` };
}

function doesNotAnswer(ordinal: number): StepOutcome {
  return { kind: "wait", why: `member ${ordinal} does not answer` };
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
