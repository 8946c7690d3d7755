/** What operations work with. */
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import type { QueryAnswer, QueryBody } from "../contract/query.ts";
import type { DedicatedSize } from "../contract/size.ts";
import type { LogQuery, MemberLogs } from "../lib/member-logs.ts";
import type { Store } from "../store/db.ts";
import type { Encryption } from "../store/encryption.ts";
import type { Caller } from "../store/keys.ts";
import type { Audit } from "./audit.ts";
import type { EventHub } from "./event-stream/hub.ts";
import type { Overcommit } from "./room.ts";
import type { Throttle } from "./throttle.ts";

export interface ApiContext {
  readonly store: Store;
  readonly audit: Audit;
  readonly throttle: Throttle;
  readonly encryption: Encryption;
  /** On offer, smallest first. */
  readonly sizes: readonly DedicatedSize[];
  readonly overcommit: Overcommit;
  readonly streams: EventHub;
  /** Where webhooks may go beside the public internet; CIDRs. */
  readonly webhookAllow: readonly string[];
  /** The host name in the endpoints of a region's services. */
  readonly endpointHost: (regionCode: string) => string;
  readonly readLogs: ReadLogs;
  readonly runQuery: RunQuery;
  readonly installation: Installation;
}

/** The process itself, as its operator is told of it. */
export interface Installation {
  readonly version: string;
  readonly startedAt: Date;
  /** Those that decide how it behaves; never a secret. */
  readonly settings: readonly { readonly name: string; readonly value: string; readonly meaning: string }[];
}

/** Asks a region's platform. null: it has no logs. Throws ApiError, and anything else where it does not answer in time. */
export type ReadLogs = (regionCode: string, serviceId: string, query: LogQuery) => Promise<MemberLogs | null>;

/** Runs SQL on a service. null: its region has no databases. Throws ApiError, and the reason of the signal. */
export type RunQuery = (
  service: {
    readonly regionCode: string;
    readonly serviceId: string;
    /** The service that it reads from; null: it has a primary of its own. */
    readonly readsFrom: string | null;
  },
  publicKey: string,
  body: QueryBody,
  signal: AbortSignal,
) => Promise<QueryAnswer | null>;

/** The server as operations register with it: bodies and queries have the types of their schemas. */
export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** What a route asks of its caller. */
export type Access =
  /** Nothing, and it is not counted: for probes. */
  | "probe"
  /** No key. */
  | "public"
  /** A key of the project in the path, of any role. */
  | "read"
  /** One whose role may change things. */
  | "write"
  /** Of any role; what the body asks for tells whether the role is enough, and the operation looks. */
  | "depends"
  /** One with the role admin, to read what is nobody else's business. */
  | "admin"
  /** One with the role operator: it is about the whole installation. */
  | "operator";

declare module "fastify" {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/** Who asks. Throws where the route is open to everybody, which is a mistake of ours. */
export function callerOf(request: Pick<FastifyRequest, "caller">): Caller {
  if (!request.caller) throw new Error("This route needs no key, so it has no caller.");
  return request.caller;
}

/** As events name whoever caused them. */
export function actorOf(request: Pick<FastifyRequest, "caller">): string {
  return `key:${callerOf(request).publicKey}`;
}
