/** The members of a service in the engine, and who of them leads. */
import type Docker from "dockerode";
import { LABEL } from "../src/platforms/docker/names.ts";
import type { Target } from "./fault.ts";

const PATRONI_PORT = 8008;
const ASK_TIMEOUT_MS = 500;

export interface Member {
  readonly ordinal: number;
  readonly running: boolean;
  /** null: it is in no network. */
  readonly address: string | null;
  readonly container: Docker.Container;
}

/** In order of their ordinals. */
export async function membersOf(engine: Docker, serviceId: string): Promise<readonly Member[]> {
  const label = [`${LABEL.service}=${serviceId}`, `${LABEL.role}=member`];
  const found = await engine.listContainers({ all: true, filters: { label } });
  return found
    .map(({ Id, Labels, State, NetworkSettings }) => ({
      ordinal: Number(Labels[LABEL.ordinal]),
      running: State === "running",
      address: Object.values(NetworkSettings.Networks).find(({ IPAddress }) => IPAddress)?.IPAddress ?? null,
      container: engine.getContainer(Id),
    }))
    .toSorted((a, b) => a.ordinal - b.ordinal);
}

/** A member that runs and is what the target says, or else another one that runs; null where none does. */
export async function memberAt(engine: Docker, serviceId: string, target: Target): Promise<Member | null> {
  const running = (await membersOf(engine, serviceId)).filter((member) => member.running);
  const leading = await Promise.all(running.map(leads));
  const primary = running.find((_, at) => leading[at]);
  const replica = running.find((member) => member !== primary);
  return (target === "primary" ? (primary ?? replica) : (replica ?? primary)) ?? null;
}

async function leads({ address }: Member): Promise<boolean> {
  if (address === null) return false;
  try {
    const response = await fetch(`http://${address}:${PATRONI_PORT}/primary`, {
      signal: AbortSignal.timeout(ASK_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** The container that has a role beside the members, such as `gateway`; null: there is none. */
export async function standIn(
  engine: Docker,
  role: string,
  labels: readonly string[],
): Promise<Docker.Container | null> {
  const label = [`${LABEL.role}=${role}`, ...labels];
  const [found] = await engine.listContainers({ filters: { label } });
  return found ? engine.getContainer(found.Id) : null;
}
