/** Steps made true on the engine; each asks first, or is made of calls whose repetition changes nothing. */
import type { Step, StepOutcome } from "../../planner/step.ts";
import type { ServiceIdentity } from "../platform.ts";
import { remove, unlessStatus } from "./container.ts";
import { type Context, serviceFilters, serviceLabels } from "./context.ts";
import { ensureGateway } from "./gateway.ts";
import { createMember, removeMember, setLimits, startMember } from "./member.ts";
import { LABEL, memberName } from "./names.ts";
import { ensureNetwork, findNetwork } from "./network.ts";
import { type PatroniAnswer, type PatroniClient, patroniClient } from "./patroni-client.ts";
import { configurationPatch } from "./patroni-config.ts";

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
    case "ensureGateway":
      return ensureGateway(context, service);
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
  for (const member of await runningMembers(context, service)) {
    if (!(await member.patroni.status())) continue;
    return outcome(await member.patroni.configure(patch));
  }
  return { kind: "wait", why: "no member answers" };
}

async function restartPostgres(
  context: Context,
  service: ServiceIdentity,
  ordinal: number,
): Promise<StepOutcome> {
  const patroni = await patroniOf(context, service, ordinal);
  const status = await patroni?.status();
  if (!patroni || !status) return { kind: "wait", why: `member ${ordinal} does not answer` };
  // Only then has Patroni written the settings that the restart is for.
  if (!status.pending_restart)
    return { kind: "wait", why: `member ${ordinal} has not taken up its settings yet` };
  return outcome(await patroni.restart());
}

async function switchover(
  context: Context,
  service: ServiceIdentity,
  from: number,
  to: number,
): Promise<StepOutcome> {
  const heir = await patroniOf(context, service, to);
  const status = await heir?.status();
  if (!heir || !status) return { kind: "wait", why: `member ${to} does not answer` };
  if (status.role === "primary") return DONE;
  return outcome(await heir.switchover(memberName(from), memberName(to)));
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
  await unlessStatus(404, () => docker.getNetwork(network).remove());
  return DONE;
}

interface RunningMember {
  readonly ordinal: number;
  readonly patroni: PatroniClient;
}

async function runningMembers(context: Context, service: ServiceIdentity): Promise<RunningMember[]> {
  const { docker, names, installationId } = context;
  const network = await findNetwork(docker, names.network(service.serviceId));
  if (!network) return [];
  const containers = await docker.listContainers({
    filters: {
      label: [
        `${LABEL.installation}=${installationId}`,
        `${LABEL.service}=${service.serviceId}`,
        `${LABEL.role}=member`,
      ],
    },
  });
  return containers.map(({ Labels }) => {
    const ordinal = Number(Labels[LABEL.ordinal]);
    return {
      ordinal,
      patroni: patroniClient(network.addressOf("firstMember", ordinal), service.secrets.patroniPassword),
    };
  });
}

async function patroniOf(
  context: Context,
  service: ServiceIdentity,
  ordinal: number,
): Promise<PatroniClient | null> {
  const members = await runningMembers(context, service);
  return members.find((member) => member.ordinal === ordinal)?.patroni ?? null;
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
