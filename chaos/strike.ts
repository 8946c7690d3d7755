/** Brings about in the engine what a fault says, and ends it after its time. */
import { setTimeout as delay } from "node:timers/promises";
import type Docker from "dockerode";
import { execIn } from "../bench/lib/exec.ts";
import { LABEL } from "../src/platforms/docker/names.ts";
import type { MemberFault, Processes } from "./fault.ts";
import { type Member, memberAt, standIn } from "./members.ts";

const EXEC_DEADLINE_MS = 5_000;

/** What became of it, such as `member 1`. Throws what the engine says where it cannot be done. */
export type Outcome = string;

/**
 * Strikes a member. Waits until the fault's time is over and then undoes what nobody else has: a container that somebody
 * has ended meanwhile needs no thaw.
 */
export async function strikeMember(
  engine: Docker,
  serviceId: string,
  fault: MemberFault,
  struck: (outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<void> {
  const member = await memberAt(engine, serviceId, fault.target);
  if (!member) return struck("no member runs");
  const heal = await HARMS[fault.kind](engine, member, fault);
  struck(`member ${member.ordinal}`);
  if (!("forMs" in fault)) return;
  await delay(fault.forMs, undefined, { signal }).catch(() => undefined);
  await heal().catch(() => undefined);
}

type Heal = () => Promise<unknown>;
type Harm = (engine: Docker, member: Member, fault: MemberFault) => Promise<Heal>;

const nothing: Heal = async () => undefined;

const HARMS: Readonly<Record<MemberFault["kind"], Harm>> = {
  async killMember(_, { container }) {
    await container.kill();
    return nothing;
  },
  async killPostmaster(engine, { container }) {
    await runIn(engine, container, 'kill -9 "$(head -1 /data/pg/postmaster.pid)"');
    return nothing;
  },
  async pauseMember(_, { container }) {
    await container.pause();
    return () => container.unpause();
  },
  async stopProcesses(engine, { container }, fault) {
    const processes = "processes" in fault ? fault.processes : "all";
    await runIn(engine, container, signalTo("STOP", processes));
    return () => runIn(engine, container, signalTo("CONT", "all"));
  },
  async cutNetwork(engine, { container }) {
    const { NetworkSettings } = await container.inspect();
    const [[name, before] = []] = Object.entries(NetworkSettings.Networks);
    if (name === undefined || before === undefined) throw new Error("it is in no network");
    const { Aliases, IPAMConfig } = before;
    const network = engine.getNetwork(name);
    await network.disconnect({ Container: container.id, Force: true });
    return () => network.connect({ Container: container.id, EndpointConfig: { Aliases, IPAMConfig } });
  },
};

/** Never the init, which would not hear of it. */
function signalTo(name: "STOP" | "CONT", processes: Processes): string {
  if (processes === "all") return `kill -${name} -1`;
  const command = processes === "postgres" ? "postgres" : "python3";
  return `for p in /proc/[0-9]*; do
    [ "$(cat "$p/comm" 2>/dev/null)" = ${command} ] && kill -${name} "\${p#/proc/}"
  done; true`;
}

async function runIn(engine: Docker, container: Docker.Container, script: string): Promise<void> {
  await execIn(engine, container, ["sh", "-c", script], EXEC_DEADLINE_MS, new AbortController().signal);
}

/** Kills a container beside the members. */
export async function killStandIn(
  engine: Docker,
  role: "gateway" | "pooler" | "etcd",
  whose: { readonly installation: string; readonly service?: string },
): Promise<Outcome> {
  const container = await standIn(engine, role, [
    `${LABEL.installation}=${whose.installation}`,
    ...(whose.service === undefined ? [] : [`${LABEL.service}=${whose.service}`]),
  ]);
  if (!container) return "it does not run";
  await container.kill();
  return "killed";
}
