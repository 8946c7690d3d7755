/** The ways by which a service is reached: its endpoint, its pooler, its VPC. Pure. */
import { ADMIN_ROLE, type Connection, DATABASE } from "./connection-forms.ts";

interface Endpoint {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
}

/** A service's record has these fields, a read replica set's most of them. */
export interface ReachableService {
  readonly endpoint?: Endpoint | undefined;
  readonly connection_pooler?: { readonly endpoint?: Endpoint | undefined } | undefined;
  readonly vpc_endpoint?: Endpoint | undefined;
}

export interface Way {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly connection: Omit<Connection, "password">;
}

export function waysOf(service: ReachableService): readonly Way[] {
  const pooler = service.connection_pooler?.endpoint;
  return [
    ...way("direct", "Direct", service.endpoint, DATABASE),
    ...way(
      "transaction",
      "Pooler, transactions",
      pooler,
      `${DATABASE}_transaction`,
      "Many clients share few connections; each transaction may get another one, so nothing of a session lasts.",
    ),
    ...way("session", "Pooler, sessions", pooler, DATABASE, "A connection for as long as a client stays."),
    ...way(
      "vpc",
      "VPC",
      service.vpc_endpoint,
      DATABASE,
      "From containers in the VPC, or in a peered network.",
    ),
  ];
}

function way(
  id: string,
  title: string,
  endpoint: Endpoint | undefined,
  database: string,
  note?: string,
): readonly Way[] {
  if (!endpoint?.host || endpoint.port === undefined) return [];
  const { host, port } = endpoint;
  const connection = { host, port, database, role: ADMIN_ROLE };
  return [{ id, title, ...(note === undefined ? {} : { note }), connection }];
}
