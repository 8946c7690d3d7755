/**
 * Tells the members of a service what the engine knows for certain, so that they need not wait for a lead to lapse: a
 * container that has ended cannot hold it. One that is frozen, cut off or hangs could still come back and acknowledge
 * writes that nobody else has, so it is ended first, and seen to be dead, before its lead is taken back.
 *
 * It only makes Patroni quicker, which elects and decides as ever, and fails over by itself where nobody watches.
 */
import { setTimeout as delay } from "node:timers/promises";
import { conditionOf, inspectOrNull } from "./container.ts";
import type { Context } from "./context.ts";
import type { Lead } from "./coordination.ts";
import { killAtOnce } from "./end-at-once.ts";
import { readGatewayState, tellMemberDead } from "./gateway.ts";
import { LABEL, memberName } from "./names.ts";
import { findNetwork } from "./network.ts";
import { PATRONI_PORT } from "./patroni-config.ts";

const LOOK_EVERY_MS = 500;
/**
 * A primary that lets so many questions in a row wait so long, while the gateway sees none either, hangs. Long enough for a
 * machine that has far too much to do.
 */
const QUESTIONS = 2;
const ANSWER_WITHIN_MS = 1_000;
const GATEWAY_NOTICES_WITHIN_MS = 1_000;
const GATEWAY_POLL_MS = 50;
/** Primaries asked side by side. */
const AT_A_TIME = 16;
/** Shorter than any start of a container, and of Patroni in it. */
const NEWS_FOR_MS = 300;
/** Between two fencings of one service on mere suspicion, so that a machine in trouble is not made busier still. */
const FENCE_AT_MOST_EVERY_MS = 30_000;

/** That a container has ended, as the engine told it. */
export interface Death {
  readonly ordinal: number;
  /** By the engine's clock. */
  readonly atMs: number;
}

export interface Guardian {
  /** Something has happened to a member of this service. Settles when all is done that can be. Never rejects. */
  attend(serviceId: string, death?: Death): Promise<void>;
  /** Looks at every service, for what no event has told. Never rejects. */
  look(): Promise<void>;
  readonly lookEveryMs: number;
}

/** Whether one that runs hangs, the engine does not know. */
type Condition = ReturnType<typeof conditionOf>;

interface Member {
  readonly serviceId: string;
  readonly ordinal: number;
  readonly condition: Condition;
  /** When its container began its present life, or its last one. */
  readonly startedAt: string;
}

export function createGuardian(context: Context): Guardian {
  const { docker, names, coordination, log } = context;
  const questioned = new Set<string>();
  const beingEnded = new Map<string, Promise<boolean>>();
  const fencedAt = new Map<string, number>();

  /**
   * Asked about a container that has just ended, the engine answers when it has cleaned up after it, and that takes it half of
   * the time that a failover takes. What it has just told is as good: so soon, nothing can have been started anew and have
   * the lead.
   */
  async function bury(serviceId: string, { ordinal, atMs }: Death): Promise<void> {
    const lead = await coordination.lead(serviceId);
    const ageMs = Date.now() - atMs;
    if (lead?.holder !== memberName(ordinal) || ageMs < 0 || ageMs > NEWS_FOR_MS) return;
    const listed = await listMembers(context, serviceId);
    const hasHeirs = listed.some((other) => other.ordinal !== ordinal && other.condition === "running");
    await takeBack(lead, { serviceId, ordinal }, hasHeirs);
  }

  async function attend(serviceId: string): Promise<void> {
    // Read before the engine is asked: what has been started since holds another one.
    const lead = await coordination.lead(serviceId);
    const members = await membersOf(context, serviceId);
    const dead = await Promise.all(members.map((member) => isDead(member)));
    const holder = members.find(({ ordinal }, index) => dead[index] && memberName(ordinal) === lead?.holder);
    if (lead && holder) await takeBack(lead, holder, dead.includes(false));
  }

  /** Ends it where it must not go on. */
  async function isDead(member: Member): Promise<boolean> {
    if (member.condition === "running") return false;
    return member.condition === "stopped" || fence(member, member.condition);
  }

  /** Ends a member that may still believe to lead. False where it could not be seen dead. */
  function fence({ serviceId, ordinal, startedAt }: Member, why: string): Promise<boolean> {
    const name = names.member(serviceId, ordinal);
    const already = beingEnded.get(name);
    if (already) return already;
    log.warn({ service: serviceId, member: ordinal, why }, "a member that cannot be reached is ended");
    const ended = quietly(serviceId, () => killAtOnce(docker.getContainer(name), startedAt));
    beingEnded.set(name, ended);
    return ended.finally(() => beingEnded.delete(name));
  }

  /** Takes the lead of a dead member back, where another could take it. */
  async function takeBack(
    lead: Lead,
    { serviceId, ordinal }: Pick<Member, "serviceId" | "ordinal">,
    hasHeirs: boolean,
  ): Promise<void> {
    await Promise.all([
      quietly(serviceId, async () => {
        const network = await findNetwork(docker, names.network(serviceId));
        if (network)
          await tellMemberDead(network.addressOf("gateway"), network.addressOf("firstMember", ordinal));
      }),
      quietly(serviceId, async () => {
        if (hasHeirs && (await coordination.releaseLead(serviceId, lead)))
          log.info({ service: serviceId, member: ordinal }, "the lead of a dead primary was taken back");
      }),
    ]);
  }

  function mayFence(serviceId: string): boolean {
    const before = fencedAt.get(serviceId);
    return before === undefined || performance.now() - before >= FENCE_AT_MOST_EVERY_MS;
  }

  /** Ends the primary where it hangs. */
  async function question(serviceId: string, addresses: ReadonlyMap<string, string>): Promise<void> {
    const lead = await coordination.lead(serviceId);
    const address = lead && addresses.get(lead.holder);
    if (!address || (await answers(address)) || !mayFence(serviceId)) return;
    const before = await membersOf(context, serviceId);
    for (let left = QUESTIONS - 1; left > 0; left -= 1) if (await answers(address)) return;
    // A second pair of eyes, from inside the service's own network: our own may be what is blind.
    const network = await findNetwork(docker, names.network(serviceId));
    if (!network || !(await gatewaySeesNone(network.addressOf("gateway")))) return;
    // Whoever has been started anew meanwhile, or has lost the lead, is not the one that hangs.
    if ((await coordination.lead(serviceId))?.revision !== lead.revision) return;
    const now = await membersOf(context, serviceId);
    const holder = now.find(({ ordinal }) => memberName(ordinal) === lead.holder);
    const same = before.some(
      ({ ordinal, startedAt }) => ordinal === holder?.ordinal && startedAt === holder.startedAt,
    );
    if (holder?.condition !== "running" || !same) return;
    fencedAt.set(serviceId, performance.now());
    if (await fence(holder, "it hangs")) await takeBack(lead, holder, true);
  }

  async function lookAt(serviceId: string, members: readonly Listed[]): Promise<void> {
    const running = members.filter(({ condition }) => condition === "running");
    const astray = members.some(({ condition }) => condition === "frozen" || condition === "cut off");
    if (astray || (running.length > 0 && running.length < members.length)) await attend(serviceId);
    if (running.length < 2 || questioned.has(serviceId)) return;
    questioned.add(serviceId);
    const addresses = new Map(running.map(({ ordinal, address }) => [memberName(ordinal), address]));
    await question(serviceId, addresses).finally(() => questioned.delete(serviceId));
  }

  /** Whether it was done. */
  async function quietly(serviceId: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      log.warn({ err: error, service: serviceId }, "a failover could not be hastened; it goes its own way");
      return false;
    }
  }

  return {
    lookEveryMs: LOOK_EVERY_MS,

    async attend(serviceId, death) {
      if (death) await quietly(serviceId, () => bury(serviceId, death));
      await quietly(serviceId, () => attend(serviceId));
    },

    async look() {
      try {
        const services = [...Map.groupBy(await listMembers(context), ({ serviceId }) => serviceId)];
        for (const serviceId of fencedAt.keys()) if (mayFence(serviceId)) fencedAt.delete(serviceId);
        for (let index = 0; index < services.length; index += AT_A_TIME) {
          const looks = services
            .slice(index, index + AT_A_TIME)
            .map(([serviceId, members]) => quietly(serviceId, () => lookAt(serviceId, members)));
          // One that hangs must not keep the others from being looked at.
          await Promise.race([Promise.all(looks), delay(LOOK_EVERY_MS)]);
        }
      } catch (error) {
        log.debug({ err: error }, "the engine does not answer");
      }
    },
  };
}

/** Whether Patroni, and with it the member, answers at all. One that refuses at once has the whole time, too. */
async function answers(address: string): Promise<boolean> {
  const asked = performance.now();
  try {
    const response = await fetch(`http://${address}:${PATRONI_PORT}/liveness`, {
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    await response.body?.cancel();
    return true;
  } catch {
    await delay(Math.max(0, asked + ANSWER_WITHIN_MS - performance.now()));
    return false;
  }
}

/** Its checks have a rhythm of their own. */
async function gatewaySeesNone(address: string): Promise<boolean> {
  const deadline = performance.now() + GATEWAY_NOTICES_WITHIN_MS;
  for (;;) {
    const seen = await readGatewayState(address);
    if (seen?.members.length === 0) return true;
    if (performance.now() > deadline) return false;
    await delay(GATEWAY_POLL_MS);
  }
}

/** As the engine's list has it, which may be some milliseconds old. */
interface Listed {
  readonly serviceId: string;
  readonly ordinal: number;
  readonly condition: Condition;
  /** Empty where it has none. */
  readonly address: string;
}

/** Those of one service, or of all. */
async function listMembers(context: Context, serviceId?: string): Promise<readonly Listed[]> {
  const found = await listContainers(context, serviceId);
  return found.map(({ Labels, State, NetworkSettings }) => {
    const serviceId = Labels[LABEL.service] ?? "";
    const network = NetworkSettings?.Networks[context.names.network(serviceId)];
    return {
      serviceId,
      ordinal: Number(Labels[LABEL.ordinal]),
      condition: conditionIn(State, network !== undefined),
      address: network?.IPAddress ?? "",
    };
  });
}

/** As the engine knows them at this moment; one that goes meanwhile is left out. */
async function membersOf(context: Context, serviceId: string): Promise<readonly Member[]> {
  const { docker, names } = context;
  const found = await listContainers(context, serviceId);
  const inspected = await Promise.all(found.map(({ Id }) => inspectOrNull(docker.getContainer(Id))));
  return inspected
    .filter((each) => each !== null)
    .map(({ Config, State, NetworkSettings }) => ({
      serviceId,
      ordinal: Number(Config.Labels[LABEL.ordinal]),
      condition: conditionIn(State.Status, names.network(serviceId) in NetworkSettings.Networks),
      startedAt: State.StartedAt,
    }));
}

function listContainers({ docker, installationId }: Context, serviceId?: string) {
  const label = [`${LABEL.installation}=${installationId}`, `${LABEL.role}=member`];
  if (serviceId !== undefined) label.push(`${LABEL.service}=${serviceId}`);
  return docker.listContainers({ all: true, filters: { label } });
}

function conditionIn(status: string, isAttached: boolean): Condition {
  return conditionOf({ isPaused: status === "paused", isRunning: status === "running" }, isAttached);
}
