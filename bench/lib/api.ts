/** The public API as the bench uses it: typed by the contract, timed at the moment of the answer. */
import { type Static, type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import type { CreateServiceBody, ResizeBody, SetHaBody } from "../../src/contract/requests.ts";
import { Service } from "../../src/contract/service.ts";
import { Fatal, until, within } from "./deadline.ts";

const REQUEST_TIMEOUT_MS = 10_000;
/** Seldom enough not to be a load of its own, often enough against times of seconds. */
const POLL_MS = 20;

/** What `start` writes for its person. */
export const Credentials = Type.Object({
  api_url: Type.String(),
  project_id: Type.String(),
  api_key: Type.String(),
});
export type Credentials = Static<typeof Credentials>;

export interface Accepted {
  readonly service: Service;
  /** Both by performance.now(). */
  readonly sentAt: number;
  readonly acceptedAt: number;
}

export interface Api {
  readonly createService: (body: CreateServiceBody) => Promise<Accepted>;
  readonly setHa: (serviceId: string, body: SetHaBody) => Promise<Accepted>;
  readonly resize: (serviceId: string, body: ResizeBody) => Promise<Accepted>;
  /** An operation without a body that is accepted and applied afterwards. */
  readonly change: (serviceId: string, operation: "start" | "stop" | "switchover") => Promise<Accepted>;
  readonly fork: (serviceId: string) => Promise<Accepted>;
  /** Returns once the pooler answers. */
  readonly enablePooler: (serviceId: string) => Promise<Service>;
  /** Waits for a status; returns the moment it was seen. Throws DeadlineExceeded. */
  readonly untilStatus: (serviceId: string, status: Service["status"], deadlineMs: number) => Promise<number>;
  /** Waits for READY; returns the moment it was seen. Throws DeadlineExceeded. */
  readonly untilReady: (serviceId: string, deadlineMs: number) => Promise<number>;
  readonly listServices: () => Promise<readonly Service[]>;
  readonly rename: (serviceId: string, name: string) => Promise<void>;
  /** Deletes, and waits until the API knows the service no more. */
  readonly deleteService: (serviceId: string, deadlineMs: number) => Promise<void>;
  /** These two for what sends requests in its own way. */
  readonly serviceUrl: (serviceId: string) => string;
  readonly servicesUrl: string;
  readonly apiKey: string;
  readonly authorization: { readonly authorization: string };
}

export function createApi(credentials: Credentials, signal: AbortSignal): Api {
  const services = `${credentials.api_url}/projects/${credentials.project_id}/services`;
  const authorization = { authorization: `Bearer ${credentials.api_key}` };
  const serviceUrl = (serviceId: string) => `${services}/${serviceId}`;

  async function change(url: string, body: unknown): Promise<Accepted> {
    const sentAt = performance.now();
    const response = await fetch(url, {
      method: "POST",
      headers: { ...authorization, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: within(REQUEST_TIMEOUT_MS, signal),
    });
    const acceptedAt = performance.now();
    if (response.status !== 202) throw await unexpected(response);
    return { service: await read(Service, response), sentAt, acceptedAt };
  }

  /** Without the bench's signal where the service has to go although a person wants the bench to end. */
  const get = (serviceId: string, stop: AbortSignal) =>
    fetch(serviceUrl(serviceId), { headers: authorization, signal: within(REQUEST_TIMEOUT_MS, stop) });

  const untilStatus: Api["untilStatus"] = (serviceId, wanted, deadlineMs) =>
    until({ what: `${wanted} of service ${serviceId}`, deadlineMs, everyMs: POLL_MS, signal }, async () => {
      const response = await get(serviceId, signal);
      if (response.status === 404) throw new Fatal(await unexpected(response));
      if (response.status !== 200) throw await unexpected(response);
      const { status } = await read(Service, response);
      if (status !== wanted) throw new Error(`it is ${status}`);
      return performance.now();
    });

  return {
    authorization,
    serviceUrl,
    servicesUrl: services,
    apiKey: credentials.api_key,
    createService: (body) => change(services, body),
    setHa: (serviceId, body) => change(`${serviceUrl(serviceId)}/setHA`, body),
    resize: (serviceId, body) => change(`${serviceUrl(serviceId)}/resize`, body),
    change: (serviceId, operation) => change(`${serviceUrl(serviceId)}/${operation}`, {}),
    fork: (serviceId) => change(`${serviceUrl(serviceId)}/forkService`, { fork_strategy: "NOW" }),
    async enablePooler(serviceId) {
      const response = await fetch(`${serviceUrl(serviceId)}/enablePooler`, {
        method: "POST",
        headers: authorization,
        signal: within(REQUEST_TIMEOUT_MS, signal),
      });
      if (response.status !== 200) throw await unexpected(response);
      await response.arrayBuffer();
      return read(Service, await get(serviceId, signal));
    },
    untilStatus,
    untilReady: (serviceId, deadlineMs) => untilStatus(serviceId, "READY", deadlineMs),
    async listServices() {
      const stop = within(REQUEST_TIMEOUT_MS, signal);
      return read(Type.Array(Service), await fetch(services, { headers: authorization, signal: stop }));
    },
    async rename(serviceId, name) {
      const response = await fetch(`${serviceUrl(serviceId)}/rename`, {
        method: "POST",
        headers: { ...authorization, "content-type": "application/json" },
        body: JSON.stringify({ name }),
        signal: within(REQUEST_TIMEOUT_MS, signal),
      });
      if (response.status !== 200) throw await unexpected(response);
      await response.arrayBuffer();
    },
    async deleteService(serviceId, deadlineMs) {
      const response = await fetch(serviceUrl(serviceId), {
        method: "DELETE",
        headers: authorization,
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      });
      await response.arrayBuffer();
      if (response.status !== 202 && response.status !== 404) throw await unexpected(response);
      const never = new AbortController().signal;
      await until(
        { what: `the end of service ${serviceId}`, deadlineMs, everyMs: POLL_MS, signal: never },
        async () => {
          const answer = await get(serviceId, never);
          await answer.arrayBuffer();
          return answer.status === 404 ? true : undefined;
        },
      );
    },
  };
}

async function read<T extends TSchema>(schema: T, response: Response): Promise<Static<T>> {
  return Value.Parse(schema, await response.json());
}

async function unexpected(response: Response): Promise<Error> {
  const body = response.bodyUsed ? "" : await response.text();
  return new Error(`${new URL(response.url).pathname} answered ${response.status}: ${body.slice(0, 500)}`);
}
