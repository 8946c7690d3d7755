/**
 * The copier: a container that lives for one copy. It stands in the parent's network with the fork's volume, fills it
 * from the parent's primary, and ends. What it needs for that, the parent's password among it, is in a volume of its own
 * that goes with it, and never in the fork's.
 */
import type Docker from "dockerode";
import type { ObservedCopy } from "../../planner/observed.ts";
import type { Step, StepOutcome } from "../../planner/step.ts";
import type { ServiceIdentity } from "../platform.ts";
import {
  ensureContainer,
  hardened,
  inspectOrNull,
  placeFiles,
  remove,
  start,
  statusCode,
  unlessStatus,
} from "./container.ts";
import { type Context, serviceLabels } from "./context.ts";
import { engineLimits, ensureMemberVolume, runningMembers } from "./member.ts";
import { LABEL } from "./names.ts";
import { COPIERS, type FoundNetwork, findNetwork } from "./network.ts";
import { POSTGRES_PORT, REPLICATION_ROLE } from "./patroni-config.ts";

export const COPIER_ROLE = "copier";
const PROGRAM = "/usr/local/lib/howdah/copy-parent";
const FILES = "/copy";
/** The program, pg_basebackup with a thread for the log, a server without clients. */
const PIDS_LIMIT = 64;

type CopyParent = Extract<Step, { kind: "copyParent" }>;

/** Begins a copy, or begins it again after one that failed. */
export async function copyParent(
  context: Context,
  step: CopyParent,
  service: ServiceIdentity,
): Promise<StepOutcome> {
  const { docker, names } = context;
  const password = service.secrets.parent?.replicationPassword;
  if (password === undefined) return { kind: "failed", why: "the parent's password is not known" };
  const name = names.copier(service.serviceId);
  const found = await inspectOrNull(docker.getContainer(name));
  if (found && stateOf(found.State) !== "failed") return { kind: "done" };
  await remove(docker.getContainer(name));

  const network = await findNetwork(docker, names.network(step.parentId));
  if (!network) return { kind: "failed", why: "the parent is not there" };
  const address = freeAddress(network);
  if (!address) return { kind: "wait", why: `${COPIERS} other copies of the parent are being made` };
  const sources = await runningMembers(context, step.parentId, network);
  if (sources.length === 0) return { kind: "wait", why: "the parent does not run" };

  const copier = await createCopier(context, step, service, network, address, sources);
  await placeFiles(copier, FILES, "etc", [
    { name: "ca.crt", content: context.authority.certificatePem },
    { name: "pgpass", content: `*:*:*:${REPLICATION_ROLE}:${password}\n` },
  ]);
  try {
    await start(copier);
    return { kind: "done" };
  } catch (error) {
    await remove(copier);
    if (!(error instanceof Error && /address already in use/i.test(error.message))) throw error;
    return { kind: "wait", why: "another copy of the parent begins" };
  }
}

async function createCopier(
  context: Context,
  step: CopyParent,
  service: ServiceIdentity,
  network: FoundNetwork,
  address: string,
  sources: readonly string[],
): Promise<Docker.Container> {
  const { docker, names } = context;
  const name = names.copier(service.serviceId);
  const labels = { ...serviceLabels(context, service.serviceId), [LABEL.role]: COPIER_ROLE };
  const data = await ensureMemberVolume(context, service, step.ordinal);
  await docker.createVolume({ Name: name, Labels: labels });
  return ensureContainer(docker, {
    name,
    Image: context.image,
    Cmd: [PROGRAM, connectionTo(sources)],
    Labels: labels,
    HostConfig: hardened({
      Binds: [`${data}:/data`, `${name}:${FILES}`],
      RestartPolicy: { Name: "no" },
      ...engineLimits(step.limits),
      PidsLimit: PIDS_LIMIT,
    }),
    NetworkingConfig: {
      EndpointsConfig: { [network.name]: { IPAMConfig: { IPv4Address: address } } },
    },
  });
}

/** Whichever of them is the primary. A network that is taken away ends it within half a minute. */
function connectionTo(addresses: readonly string[]): string {
  const options = {
    host: addresses.join(","),
    port: POSTGRES_PORT,
    user: REPLICATION_ROLE,
    passfile: `${FILES}/etc/pgpass`,
    sslmode: "verify-ca",
    sslrootcert: `${FILES}/etc/ca.crt`,
    target_session_attrs: "primary",
    application_name: "howdah_fork",
    connect_timeout: 5,
    keepalives_idle: 10,
    keepalives_interval: 5,
    keepalives_count: 3,
    tcp_user_timeout: 25_000,
  };
  return Object.entries(options)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}

function freeAddress(network: FoundNetwork): string | undefined {
  const places = Array.from({ length: COPIERS }, (_, index) => network.addressOf("firstCopier", index));
  return places.find((address) => !network.taken.has(address));
}

/** Removes the copier with all that it knew of the parent. */
export async function clearCopy({ docker, names }: Context, serviceId: string): Promise<StepOutcome> {
  const name = names.copier(serviceId);
  await remove(docker.getContainer(name));
  await unlessStatus(404, () => docker.getVolume(name).remove());
  return { kind: "done" };
}

export async function observeCopy(
  docker: Docker,
  containers: readonly Docker.ContainerInfo[],
  volumes: readonly { readonly Labels: Record<string, string> }[],
): Promise<ObservedCopy> {
  const isCopier = ({ Labels }: { Labels: Record<string, string> }) => Labels?.[LABEL.role] === COPIER_ROLE;
  const container = containers.find(isCopier);
  const found = container && (await inspectOrNull(docker.getContainer(container.Id)));
  if (!found) {
    return volumes.some(isCopier) ? { state: "failed", detail: "the copier is gone" } : { state: "absent" };
  }
  const state = stateOf(found.State);
  if (state === "done") return { state };
  const said = await lastLine(docker.getContainer(found.Id));
  // Its own words, unless it was not let finish.
  const { ExitCode: code } = found.State;
  const detail = state === "failed" && code !== 1 ? `the copier ended with ${code}` : said;
  return { state, ...(detail ? { detail } : {}) };
}

/** One that was made and never started lacks its files. */
function stateOf({
  Status,
  Running,
  ExitCode,
}: Docker.ContainerInspectInfo["State"]): "running" | "done" | "failed" {
  if (Running) return "running";
  return Status === "exited" && ExitCode === 0 ? "done" : "failed";
}

/** How many bytes the engine puts before each piece of output. */
const FRAME_HEADER = 8;

async function lastLine(container: Docker.Container): Promise<string> {
  try {
    const output = await container.logs({ stdout: true, stderr: true, tail: 1 });
    return output.subarray(FRAME_HEADER).toString("utf8").trim();
  } catch (error) {
    if (statusCode(error) === 404) return "";
    throw error;
  }
}
