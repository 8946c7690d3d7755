/** Everything that a bench makes in the engine carries its run id, and is found again by it. */
import type Docker from "dockerode";
import { until } from "./deadline.ts";

const REMOVAL_DEADLINE_MS = 60_000;
const POLL_MS = 250;

export function runLabels(runId: string): Record<string, string> {
  return { "howdah.test": runId };
}

/** Removes containers, volumes and networks of a run, also those that something else is about to remove. */
export async function removeAllOfRun(engine: Docker, runId: string): Promise<void> {
  const filters = { label: [`howdah.test=${runId}`] };
  await until(
    {
      what: `the removal of everything labelled howdah.test=${runId}`,
      deadlineMs: REMOVAL_DEADLINE_MS,
      everyMs: POLL_MS,
      signal: new AbortController().signal,
    },
    async () => {
      const containers = await engine.listContainers({ all: true, filters });
      await Promise.all(
        containers.map(({ Id }) => unlessGone(engine.getContainer(Id).remove({ force: true, v: true }))),
      );
      const { Volumes: volumes } = await engine.listVolumes({ filters });
      const networks = await engine.listNetworks({ filters });
      await Promise.all([
        ...volumes.map(({ Name }) => unlessGone(engine.getVolume(Name).remove())),
        ...networks.map(({ Id }) => unlessGone(engine.getNetwork(Id).remove())),
      ]);
      return containers.length + volumes.length + networks.length === 0 ? true : undefined;
    },
  );
}

/** Gone (404) and being removed by another (409) are both looked at again by the caller. */
async function unlessGone(removal: Promise<unknown>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
    if (status !== 404 && status !== 409) throw error;
  }
}
