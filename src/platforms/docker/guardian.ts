/**
 * Tells the members of a service what the engine knows for certain, so that they need not wait for a lead to lapse: a
 * container that has ended cannot hold it. One that hangs or is cut off could still come back and acknowledge writes that
 * nobody else has, so it is ended first, and seen to be dead, before its lead is taken back.
 *
 * It only makes Patroni quicker, which elects and decides as ever, and fails over by itself where nobody watches.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type Docker from "dockerode";
import { inspectOrNull, unlessStatus } from "./container.ts";
import type { Context } from "./context.ts";
import { readGatewayState } from "./gateway.ts";
import { LABEL, memberName } from "./names.ts";
import { findNetwork } from "./network.ts";
import { PATRONI_PORT } from "./patroni-config.ts";

/** A primary that has not answered so many looks in a row, while the gateway sees none either, hangs or is cut off. */
const MISSES = 3;
const LOOK_EVERY_MS = 500;
const LIVENESS_TIMEOUT_MS = 400;
/** Services looked at side by side. */
const AT_A_TIME = 16;
/** Between two fencings of one service on mere suspicion, so that a machine in trouble is not made busier still. */
const FENCE_AT_MOST_EVERY_MS = 30_000;
const DEATH_POLL_MS = 20;
const DEATH_DEADLINE_MS = 10_000;

export interface Guardian {
  /** A member's container has ended, or was frozen. Never rejects. */
  memberFell(serviceId: string, ordinal: number, how: "ended" | "frozen"): Promise<void>;
  /** Looks at every primary that somebody could stand in for. Never rejects. */
  look(): Promise<void>;
  readonly lookEveryMs: number;
}

interface Watched {
  readonly serviceId: string;
  readonly ordinals: readonly number[];
}

export function createGuardian(context: Context): Guardian {
  const { docker, names, coordination, log } = context;
  const misses = new Map<string, number>();
  const fencedAt = new Map<string, number>();

  const container = (serviceId: string, ordinal: number) =>
    docker.getContainer(names.member(serviceId, ordinal));

  /** Gives the lead of a member back whose container does not run, where another could take it. */
  async function release(serviceId: string, ordinal: number): Promise<void> {
    const lead = await coordination.lead(serviceId);
    if (lead?.holder !== memberName(ordinal)) return;
    // Asked after the lead was read: what has been started since holds another one.
    if ((await inspectOrNull(container(serviceId, ordinal)))?.State.Running) return;
    const heirs = (await runningOrdinals(context, serviceId)).filter((other) => other !== ordinal);
    if (heirs.length === 0) return;
    if (await coordination.releaseLead(serviceId, lead))
      log.info({ service: serviceId, member: ordinal }, "the lead of a dead primary was taken back");
  }

  /** Ends a member that may still believe to lead, and waits until the engine has seen it dead. */
  async function fence(serviceId: string, ordinal: number): Promise<void> {
    log.warn({ service: serviceId, member: ordinal }, "a member that hangs or is cut off is ended");
    await endAtOnce(container(serviceId, ordinal));
    await release(serviceId, ordinal);
  }

  function mayFence(serviceId: string): boolean {
    const before = fencedAt.get(serviceId);
    return before === undefined || performance.now() - before >= FENCE_AT_MOST_EVERY_MS;
  }

  async function lookAt({ serviceId, ordinals }: Watched): Promise<void> {
    const lead = await coordination.lead(serviceId);
    const ordinal = ordinals.find((each) => memberName(each) === lead?.holder);
    const network = ordinal === undefined ? null : await findNetwork(docker, names.network(serviceId));
    if (ordinal === undefined || !network) return void misses.delete(serviceId);
    if (await isAlive(network.addressOf("firstMember", ordinal))) return void misses.delete(serviceId);
    const missed = (misses.get(serviceId) ?? 0) + 1;
    misses.set(serviceId, missed);
    if (missed < MISSES || !mayFence(serviceId)) return;
    // A second pair of eyes, from inside the service's own network: our own may be what is blind.
    const seen = await readGatewayState(network.addressOf("gateway"));
    if (seen === null || seen.serving > 0) return;
    misses.delete(serviceId);
    fencedAt.set(serviceId, performance.now());
    await fence(serviceId, ordinal);
  }

  async function quietly(serviceId: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error, service: serviceId }, "a failover could not be hastened; it goes its own way");
    }
  }

  return {
    lookEveryMs: LOOK_EVERY_MS,

    memberFell: (serviceId, ordinal, how) =>
      quietly(serviceId, () => (how === "ended" ? release(serviceId, ordinal) : fence(serviceId, ordinal))),

    async look() {
      try {
        const watched = await servicesWithHeirs(context);
        const known = new Set(watched.map(({ serviceId }) => serviceId));
        for (const serviceId of misses.keys()) if (!known.has(serviceId)) misses.delete(serviceId);
        for (const serviceId of fencedAt.keys()) if (mayFence(serviceId)) fencedAt.delete(serviceId);
        for (let index = 0; index < watched.length; index += AT_A_TIME) {
          const some = watched.slice(index, index + AT_A_TIME);
          await Promise.all(some.map((each) => quietly(each.serviceId, () => lookAt(each))));
        }
      } catch (error) {
        log.debug({ err: error }, "the engine does not answer");
      }
    },
  };
}

/** Whether Patroni, and with it the member, answers at all. */
async function isAlive(address: string): Promise<boolean> {
  try {
    const response = await fetch(`http://${address}:${PATRONI_PORT}/liveness`, {
      signal: AbortSignal.timeout(LIVENESS_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

/**
 * Kills every process of a container. One that is frozen is thawed by its end, and must not run a moment longer: where the
 * engine's processes are this machine's own, each of them is told to die before it is thawed.
 */
async function endAtOnce(container: Docker.Container): Promise<void> {
  const state = (await inspectOrNull(container))?.State;
  if (!state?.Running) return;
  if (state.Paused) await killProcesses(container);
  // 404: gone; 409: it does not run any more.
  await unlessStatus([404, 409], () => container.kill({ signal: "SIGKILL" }));
  const deadline = performance.now() + DEATH_DEADLINE_MS;
  while ((await inspectOrNull(container))?.State.Running) {
    if (performance.now() > deadline) throw new Error("the container does not die");
    await delay(DEATH_POLL_MS);
  }
}

async function killProcesses(container: Docker.Container): Promise<void> {
  const { Id } = await container.inspect();
  const { Titles: titles, Processes: rows } = await container.top();
  const column = titles.indexOf("PID");
  for (const row of rows) {
    const pid = Number(row[column]);
    try {
      // On an engine elsewhere, that number is another process here.
      const cgroup = await readFile(`/proc/${pid}/cgroup`, "utf8");
      if (cgroup.includes(Id)) process.kill(pid, "SIGKILL");
    } catch {
      // Not ours to kill, or dead already: the engine ends what is left.
    }
  }
}

async function servicesWithHeirs(context: Context): Promise<readonly Watched[]> {
  const running = await listMembers(context, []);
  const byService = Map.groupBy(running, ({ serviceId }) => serviceId);
  return [...byService]
    .map(([serviceId, members]) => ({ serviceId, ordinals: members.map(({ ordinal }) => ordinal) }))
    .filter(({ ordinals }) => ordinals.length > 1);
}

async function runningOrdinals(context: Context, serviceId: string): Promise<readonly number[]> {
  const members = await listMembers(context, [`${LABEL.service}=${serviceId}`]);
  return members.map(({ ordinal }) => ordinal);
}

async function listMembers(context: Context, labels: readonly string[]) {
  const label = [`${LABEL.installation}=${context.installationId}`, `${LABEL.role}=member`, ...labels];
  const found = await context.docker.listContainers({ filters: { label, status: ["running"] } });
  return found.map(({ Labels }) => ({
    serviceId: Labels[LABEL.service] ?? "",
    ordinal: Number(Labels[LABEL.ordinal]),
  }));
}
