/** The container engine that tests use, and the care that nothing of theirs is left in it. */
import { PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type Docker from "dockerode";
import { LABEL } from "../../src/platforms/docker/names.ts";
import { exitCodeOf } from "../../src/platforms/docker/run-in.ts";

const EXEC_TIMEOUT_MS = 30_000;

/** The container of a service's member. Throws if there is not exactly one. */
export async function memberContainer(
  docker: Docker,
  installationId: string,
  serviceId: string,
  ordinal: number,
): Promise<Docker.Container> {
  const label = [
    `${LABEL.installation}=${installationId}`,
    `${LABEL.service}=${serviceId}`,
    `${LABEL.ordinal}=${ordinal}`,
  ];
  const [found, ...others] = await docker.listContainers({ all: true, filters: { label } });
  if (!found || others.length > 0) throw new Error(`there is not one member ${ordinal} of ${serviceId}`);
  return docker.getContainer(found.Id);
}

/** Runs SQL as the superuser on a member's own socket, and returns what psql prints. Throws if psql fails. */
export async function runSql(container: Docker.Container, sql: string): Promise<string> {
  const exec = await container.exec({
    Cmd: ["psql", "-h", "/run", "-U", "postgres", "-d", "tsdb", "-v", "ON_ERROR_STOP=1", "-qAt", "-c", sql],
    User: "postgres",
    AttachStdout: true,
    AttachStderr: true,
  });
  const abortSignal = AbortSignal.timeout(EXEC_TIMEOUT_MS);
  const stream = await exec.start({ abortSignal });
  const output = new PassThrough();
  container.modem.demuxStream(stream, output, output);
  stream.on("end", () => output.end());
  stream.on("error", (error) => output.destroy(error));
  const chunks: Buffer[] = [];
  for await (const chunk of output) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString().trim();
  const exitCode = await exitCodeOf(exec, abortSignal);
  if (exitCode !== 0) throw new Error(`psql ended with ${exitCode}: ${text}`);
  return text;
}

/** Everything in the engine that carries the label, as `container name`, `network name`, `volume name`. */
export async function whatCarries(docker: Docker, label: string): Promise<readonly string[]> {
  const filters = { label: [label] };
  const [containers, networks, { Volumes: volumes }] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listNetworks({ filters }),
    docker.listVolumes({ filters }),
  ]);
  return [
    ...containers.map(({ Names }) => `container ${Names.join(" ")}`),
    ...networks.map(({ Name }) => `network ${Name}`),
    ...volumes.map(({ Name }) => `volume ${Name}`),
  ];
}

/** Real time, for what waits on real containers. */
export const realPace = {
  now: () => new Date(),
  pass: async (ms: number) => {
    await delay(ms);
  },
};
