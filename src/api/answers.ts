/** What an operation can answer, for the OpenAPI document. */
import type { TSchema } from "typebox";
import { ERRORS, ErrorBody, type ErrorCode } from "../contract/errors.ts";
import { type AllowList, Message } from "../contract/requests.ts";
import { ReadReplicaSet, Service } from "../contract/service.ts";
import type { Peering, Vpc } from "../contract/vpcs.ts";

export interface Success {
  readonly status: 200 | 201 | 202 | 204;
  readonly description: string;
  /** Left out: no body. */
  readonly schema?: TSchema;
  readonly example?: unknown;
  /** What it is in other forms, by media type: text, told by an example. */
  readonly otherwise?: Readonly<Record<string, string>>;
  /** Left out: JSON. */
  readonly contentType?: string;
}

interface Answer {
  readonly description: string;
  /** How the generator of the document is told that there is no body. */
  readonly type?: "null";
  readonly content?: Readonly<Record<string, unknown>>;
}

const ANYWHERE: readonly ErrorCode[] = ["UNAUTHORIZED", "TOO_MANY_REQUESTS", "INTERNAL", "UNAVAILABLE"];

/** What else can go wrong, by what an operation has. */
export const ON_A_PROJECT: readonly ErrorCode[] = ["NOT_FOUND"];
export const ON_WRITING: readonly ErrorCode[] = ["FORBIDDEN"];
export const ON_A_BODY: readonly ErrorCode[] = [
  "INVALID_REQUEST",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
];

/** The success or successes and every error, by status; where a status has several codes, each has an example. */
export function answers(
  success: Success | readonly Success[],
  errors: readonly ErrorCode[] = [],
): Record<string, Answer> {
  const successes = "status" in success ? [success] : success;
  const byStatus = Map.groupBy([...ANYWHERE, ...errors], (code) => ERRORS[code].status);
  const failures = [...byStatus].toSorted(([a], [b]) => a - b);
  return {
    ...Object.fromEntries(successes.map((one) => [one.status, describeSuccess(one)])),
    ...Object.fromEntries(failures.map(([status, codes]) => [status, describeErrors(codes)])),
  };
}

export const SERVICE_EXAMPLE: Service = {
  service_id: "k3v9x0q2ab",
  project_id: "p7d2m4n8zz",
  name: "orders",
  region_code: "local",
  service_type: "TIMESERIESDB",
  created: "2026-11-21T09:30:00.000Z",
  status: "QUEUED",
  resources: [{ id: "k3v9x0q2ab", spec: { cpu_millis: 500, memory_gbs: 2, volume_type: "local" } }],
  endpoint: { host: "127.0.0.1", port: 31_337 },
  ha_replicas: { replica_count: 0, sync_replica_count: 0 },
  metadata: { environment: "DEV" },
  read_replica_sets: [],
};

export const READ_REPLICA_SET_EXAMPLE: ReadReplicaSet = {
  id: "r6t1y8u3io",
  name: "reports",
  nodes: 2,
  cpu_millis: 500,
  memory_gbs: 2,
  status: "creating",
  endpoint: { host: "127.0.0.1", port: 31_342 },
  metadata: { environment: "DEV" },
};

/** As accepted, of a read replica set. */
export function acceptedSet(description: string): Success {
  return { status: 202, description, schema: ReadReplicaSet, example: READ_REPLICA_SET_EXAMPLE };
}

export const ALLOW_LIST_EXAMPLE: AllowList = { cidrs: ["192.0.2.0/24", "2001:db8::/32"] };

export const VPC_EXAMPLE: Vpc = { id: "1", name: "backend", cidr: "10.50.0.0/24", region_code: "local" };

export const PEERING_EXAMPLE: Peering = {
  id: "1",
  peer_account_id: "team-a",
  peer_region_code: "local",
  peer_vpc_id: "app_default",
  status: "ACTIVE",
};

/** What says in a sentence that it was done, or what is still to be done. */
export function message(status: 200 | 202, description: string, example: string): Success {
  return { status, description, schema: Message, example: { message: example } };
}

/** A change that was accepted and is applied afterwards. */
export function accepted(description: string): Success {
  return { status: 202, description, schema: Service, example: SERVICE_EXAMPLE };
}

function describeSuccess({
  description,
  schema,
  example,
  contentType = "application/json",
  otherwise = {},
}: Success): Answer {
  if (!schema) return { description, type: "null" };
  const examples = example === undefined ? {} : { example };
  const others = Object.entries(otherwise).map(([type, text]) => [type, { schema: TEXT, example: text }]);
  return {
    description,
    content: { [contentType]: { schema, ...examples }, ...Object.fromEntries(others) },
  };
}

const TEXT = { type: "string" } as const;

function describeErrors(codes: readonly ErrorCode[]): Answer {
  const examples = Object.fromEntries(
    codes.map((code) => [code, { value: { code, message: ERRORS[code].title } }]),
  );
  return {
    description: codes.map((code) => `${code}: ${ERRORS[code].title}`).join(" "),
    content: { "application/json": { schema: ErrorBody, examples } },
  };
}
