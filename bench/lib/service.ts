import type Docker from "dockerode";
import type { CreateServiceBody } from "../../src/contract/requests.ts";
import { LABEL } from "../../src/platforms/docker/names.ts";
import type { Accepted } from "./api.ts";
import { until } from "./deadline.ts";
import type { Bench } from "./measurement.ts";
import type { SqlTarget } from "./sql.ts";

export const CHANGE_DEADLINE_MS = 120_000;
const POLL_MS = 100;

export interface CreatedService extends Accepted {
  readonly id: string;
  /** As its endpoint and password of the 202 say. */
  readonly target: SqlTarget;
}

/** Creates a service, and deletes it whatever comes of its use. It is not READY yet when it is handed over. */
export async function withService<T>(
  bench: Bench,
  body: CreateServiceBody,
  use: (service: CreatedService) => Promise<T>,
): Promise<T> {
  return withAccepted(bench, await bench.controlPlane.api.createService(body), use);
}

/** As withService, for one that was asked for in another way, such as by a fork. */
export async function withAccepted<T>(
  bench: Bench,
  accepted: Accepted,
  use: (service: CreatedService) => Promise<T>,
): Promise<T> {
  const id = accepted.service.service_id;
  try {
    return await use({ ...accepted, id, target: targetOf(accepted) });
  } finally {
    await deleteService(bench, id);
  }
}

/** As withService, with a service that is READY. */
export async function withReadyService<T>(
  bench: Bench,
  body: CreateServiceBody,
  use: (service: CreatedService) => Promise<T>,
): Promise<T> {
  return withService(bench, body, async (service) => {
    await bench.controlPlane.api.untilReady(service.id, CHANGE_DEADLINE_MS);
    return use(service);
  });
}

/** Gone from the API and from the engine, so that its removal does not disturb what is measured next. */
async function deleteService({ engine, controlPlane }: Bench, id: string): Promise<void> {
  await controlPlane.api.deleteService(id, CHANGE_DEADLINE_MS);
  await until(
    {
      what: `the removal of service ${id} from the engine`,
      deadlineMs: CHANGE_DEADLINE_MS,
      everyMs: POLL_MS,
      signal: new AbortController().signal,
    },
    async () => ((await containersOf(engine, id)).length === 0 ? true : undefined),
  );
}

/** The container of a service's only member. */
export async function onlyMember(engine: Docker, id: string): Promise<Docker.Container> {
  const [member, another] = await containersOf(engine, id, `${LABEL.role}=member`);
  if (!member || another) throw new Error(`service ${id} does not have exactly one member`);
  return engine.getContainer(member.Id);
}

/** Of the service's only container with this role, in the service's network. */
export async function addressOf(engine: Docker, id: string, role: "member" | "gateway"): Promise<string> {
  const [found] = await containersOf(engine, id, `${LABEL.role}=${role}`);
  const [network] = Object.values(found?.NetworkSettings.Networks ?? {});
  if (!network) throw new Error(`the ${role} of service ${id} is in no network`);
  return network.IPAddress;
}

/** Those of a service that carry all the labels, whether they run or not. */
export function containersOf(
  engine: Docker,
  id: string,
  ...labels: string[]
): Promise<Docker.ContainerInfo[]> {
  return engine.listContainers({ all: true, filters: { label: [`${LABEL.service}=${id}`, ...labels] } });
}

function targetOf({ service }: Accepted): SqlTarget {
  const { host, port } = service.endpoint ?? {};
  const password = service.initial_password;
  if (host === undefined || port === undefined || password === undefined)
    throw new Error("the answer to a create carries no endpoint or no password");
  return { host, port, database: "tsdb", user: "tsdbadmin", password, tls: true };
}
