/** The API's operations on read replica sets as functions. */
import { Type } from "typebox";
import type { CreateReadReplicaSetBody, ResizeReadReplicaSetBody } from "../contract/read-replica-sets.ts";
import { Message, type SetEnvironmentBody } from "../contract/requests.ts";
import { ReadReplicaSetRecord } from "./answers.ts";
import { type CallOptions, type CreateOptions, keyed, READ, servicePath } from "./calls.ts";
import type { Send } from "./http.ts";

/** A read replica set is known by its own id and that of the service that it reads from. */
export interface SetOfService {
  readonly serviceId: string;
  readonly setId: string;
}

/** Every function throws ClientError, or the reason of its signal. */
export interface ReadReplicaSetClient {
  listReadReplicaSets(serviceId: string, options?: CallOptions): Promise<readonly ReadReplicaSetRecord[]>;
  createReadReplicaSet(
    serviceId: string,
    body: CreateReadReplicaSetBody,
    options?: CreateOptions,
  ): Promise<ReadReplicaSetRecord>;
  resizeReadReplicaSet(
    set: SetOfService,
    body: ResizeReadReplicaSetBody,
    options?: CallOptions,
  ): Promise<ReadReplicaSetRecord>;
  deleteReadReplicaSet(set: SetOfService, options?: CallOptions): Promise<ReadReplicaSetRecord>;
  enableReadReplicaSetPooler(set: SetOfService, options?: CallOptions): Promise<Message>;
  disableReadReplicaSetPooler(set: SetOfService, options?: CallOptions): Promise<Message>;
  setReadReplicaSetEnvironment(
    set: SetOfService,
    body: SetEnvironmentBody,
    options?: CallOptions,
  ): Promise<Message>;
}

/** @param project its path, encoded */
export function readReplicaSetClient(send: Send, project: string): ReadReplicaSetClient {
  const sets = (serviceId: string) => servicePath(project, serviceId, "replicaSets");
  const at = ({ serviceId, setId }: SetOfService, operation = "") =>
    `${sets(serviceId)}/${encodeURIComponent(setId)}${operation && `/${operation}`}`;
  const change = { method: "POST", answer: ReadReplicaSetRecord } as const;
  const message = { method: "POST", answer: Message } as const;
  return {
    listReadReplicaSets: (id, call) =>
      send({ ...READ, path: sets(id), answer: Type.Array(ReadReplicaSetRecord), ...call }),
    createReadReplicaSet: (id, body, call) => send({ ...change, path: sets(id), body, ...keyed(call) }),
    resizeReadReplicaSet: (which, body, call) =>
      send({ ...change, path: at(which, "resize"), body, ...call }),
    deleteReadReplicaSet: (which, call) => send({ ...change, method: "DELETE", path: at(which), ...call }),
    enableReadReplicaSetPooler: (which, call) =>
      send({ ...message, path: at(which, "enablePooler"), ...call }),
    disableReadReplicaSetPooler: (which, call) =>
      send({ ...message, path: at(which, "disablePooler"), ...call }),
    setReadReplicaSetEnvironment: (which, body, call) =>
      send({ ...message, path: at(which, "setEnvironment"), body, ...call }),
  };
}
