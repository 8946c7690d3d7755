/** Taking down what an installation has in the engine: stopped with its data kept, or removed for good. */
import type Docker from "dockerode";
import { remove, statusCode, unlessStatus } from "../platforms/docker/container.ts";
import { LABEL } from "../platforms/docker/names.ts";

/** What was removed, by the engine's names. */
export interface Removed {
  readonly containers: readonly string[];
  readonly networks: readonly string[];
  readonly volumes: readonly string[];
  readonly images: readonly string[];
}

const STOP_TIMEOUT_S = 20;
/** PostgreSQL writes everything out as it stops; all at once they would only stand in each other's way. */
const AT_A_TIME = 8;
const IMAGE_NAMES = "howdah/*";

/** What the databases of the services need until they have stopped. */
const GROUND_ROLES: ReadonlySet<string | undefined> = new Set(["etcd", "state"]);
/** What may always run, whether a service is paused or not. */
const EVER_RUNNING_ROLES: ReadonlySet<string | undefined> = new Set([...GROUND_ROLES, "gateway"]);

/** Stops every container of an installation, the services first. Returns how many were running. */
export async function stopContainers(docker: Docker, installationId: string): Promise<number> {
  const running = await docker.listContainers({ filters: { label: [installationLabel(installationId)] } });
  const isGround = ({ Labels }: Docker.ContainerInfo) => GROUND_ROLES.has(Labels[LABEL.role]);
  const services = running.filter((container) => !isGround(container));
  for (const stage of [services, running.filter(isGround)]) {
    await inTurns(stage, ({ Id }) => stop(docker, Id));
  }
  return running.length;
}

/**
 * Starts what an installation always runs: its ground, and the gateways, so that every endpoint is open again. Members
 * are left to the reconciler, who knows which services are paused and which member of a service has to come first.
 */
export async function startContainers(docker: Docker, installationId: string): Promise<void> {
  const label = [installationLabel(installationId)];
  const stopped = await docker.listContainers({ all: true, filters: { label, status: ["exited"] } });
  const everRunning = stopped.filter(({ Labels }) => EVER_RUNNING_ROLES.has(Labels[LABEL.role]));
  await inTurns(everRunning, async ({ Id }) => {
    // One that cannot be started, such as for want of its port, is the reconciler's to deal with.
    await docker
      .getContainer(Id)
      .start()
      .catch(() => undefined);
  });
}

/** Removes everything that carries the installation's label, and nothing else. Safe to repeat. */
export async function purgeEngine(docker: Docker, installationId: string): Promise<Omit<Removed, "images">> {
  return purgeLabelled(docker, installationLabel(installationId));
}

/** Removes every container, network and volume with that label. Throws, at the end of it, where others use a network. */
export async function purgeLabelled(docker: Docker, label: string): Promise<Omit<Removed, "images">> {
  const filters = { label: [label] };
  const containers = await docker.listContainers({ all: true, filters });
  await inTurns(containers, ({ Id }) => remove(docker.getContainer(Id)));
  const networks = await docker.listNetworks({ filters });
  const inUse: string[] = [];
  await inTurns(networks, async ({ Id, Name }) => {
    try {
      await unlessStatus(404, () => docker.getNetwork(Id).remove());
    } catch (error) {
      // Of a VPC, in which people run containers of their own.
      if (statusCode(error) !== 403) throw error;
      inUse.push(`${Name} (${(await namesIn(docker, Name)).join(", ")})`);
    }
  });
  const { Volumes: volumes } = await docker.listVolumes({ filters });
  await inTurns(volumes, ({ Name }) =>
    unlessStatus(404, () => docker.getVolume(Name).remove({ force: true })),
  );
  if (inUse.length > 0) throw new NetworksInUse(inUse);
  return {
    containers: containers.map(nameOf),
    networks: networks.map(({ Name }) => Name),
    volumes: volumes.map(({ Name }) => Name),
  };
}

/** Networks that stay, since containers which are not ours are in them. */
class NetworksInUse extends Error {
  override readonly name = "NetworksInUse";

  constructor(networks: readonly string[]) {
    super(
      `Everything was removed but networks that other containers use: ${networks.join(", ")}.\n` +
        "Stop those containers, and run it once more.",
    );
  }
}

/** Removes the images that Howdah built, unless a container of any installation is still there. */
export async function removeImages(docker: Docker): Promise<readonly string[]> {
  const others = await docker.listContainers({ all: true, filters: { label: [LABEL.installation] } });
  if (others.length > 0) return [];
  const images = await docker.listImages({ filters: { reference: [IMAGE_NAMES] } });
  const references = images.flatMap(({ RepoTags }) => RepoTags ?? []);
  const removed: string[] = [];
  for (const reference of references) {
    try {
      await docker.getImage(reference).remove();
      removed.push(reference);
    } catch (error) {
      // In use by a container that is not ours, or gone already.
      if (statusCode(error) !== 409 && statusCode(error) !== 404) throw error;
    }
  }
  return removed;
}

async function namesIn(docker: Docker, network: string): Promise<readonly string[]> {
  return (await docker.listContainers({ filters: { network: [network] } })).map(nameOf);
}

function nameOf({ Names }: Docker.ContainerInfo): string {
  return (Names[0] ?? "").replace(/^\//, "");
}

function installationLabel(installationId: string): string {
  return `${LABEL.installation}=${installationId}`;
}

async function stop(docker: Docker, id: string): Promise<void> {
  await unlessStatus([304, 404], () => docker.getContainer(id).stop({ t: STOP_TIMEOUT_S }));
}

async function inTurns<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await act(item);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}
