/** The tables as Kysely knows them; src/store/migrations is what they follow. */
import type { ColumnType, Generated, Selectable } from "kysely";
import type { Role } from "../contract/account.ts";
import type { Condition } from "../contract/conditions.ts";
import type { InForce } from "../contract/in-force.ts";
import type { Addon, Environment, ServiceStatus } from "../contract/service.ts";
import type { Size } from "../contract/size.ts";

/** The driver would send an array as a PostgreSQL array; JSON is written as text. */
type Json<T> = ColumnType<T, string | undefined, string>;

export interface Tables {
  projects: { id: string; name: string; created_at: Generated<Date> };
  api_keys: ApiKeysTable;
  sign_in_links: SignInLinksTable;
  regions: {
    code: string;
    cpu_millis: number;
    memory_bytes: number;
    reported_at: Generated<Date>;
    problem: ColumnType<string | null, never, string | null>;
    problem_since: ColumnType<Date | null, never, Date | null>;
    used_ranges: Json<UsedRange[]>;
  };
  ports: { region_code: string; port: number; service_id: string | null };
  services: ServicesTable;
  observations: { service_id: string; observed: ColumnType<unknown, string> };
  vpcs: VpcsTable;
  peerings: PeeringsTable;
  events: EventsTable;
  event_feed: { is_the_only: Generated<boolean>; last_seq: number };
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  audit_records: AuditRecordsTable;
  idempotency_keys: IdempotencyKeysTable;
  sampled_services: SampledServicesTable;
}

interface ApiKeysTable {
  public_key: string;
  project_id: string;
  name: string;
  role: Role;
  secret_hash: Buffer;
  created_at: Generated<Date>;
  expires_at: Date | null;
  revoked_at: Date | null;
  issued_by: ColumnType<string | null, string | null | undefined, never>;
}

interface SignInLinksTable {
  token_hash: Buffer;
  public_key: string;
  created_at: Generated<Date>;
  expires_at: Date;
  used_at: Date | null;
}

interface ServicesTable {
  id: string;
  project_id: string;
  name: string;
  region_code: string;
  addons: Addon[];
  environment: Environment;
  created_at: Generated<Date>;
  endpoint_host: string;
  endpoint_port: number;
  pooler_port: number;
  secrets: Buffer;
  generation: Generated<number>;
  presence: Generated<"present" | "absent">;
  cpu_millis: number | null;
  memory_gbs: number | null;
  replica_count: number;
  sync_replica_count: number;
  power: Generated<Power>;
  pooler: Generated<boolean>;
  allow_list: Generated<string[]>;
  parameters: Json<Record<string, string>>;
  password_version: Generated<number>;
  forked_from: string | null;
  read_from: string | null;
  read_place: number | null;
  vpc_id: ColumnType<number | null, number | null | undefined, number | null>;
  hand_over_from: number | null;
  deletion_protection: Generated<boolean>;
  settled_generation: Generated<number>;
  settled_power: Generated<Power>;
  settled_sizing: ColumnType<Sizing | null, string | null | undefined, string | null>;
  status: ServiceStatus;
  status_reason: string;
  conditions: Json<Condition[]>;
  in_force: ColumnType<InForce | null, string | null | undefined, string | null>;
  observed_at: ColumnType<Date | null, never, Date>;
  observed_digest: ColumnType<string | null, never, string>;
  waiting_reason: string | null;
  waiting_since: Date | null;
  due_at: Generated<Date>;
  attempts: Generated<number>;
  lease: Generated<number>;
  lease_holder: string | null;
  lease_expires_at: Date | null;
}

interface VpcsTable {
  id: Generated<number>;
  project_id: string;
  name: string;
  cidr: string;
  region_code: string;
  created_at: Generated<Date>;
  network_id: ColumnType<string | null, string | null | undefined, string | null>;
  problem: ColumnType<string | null, string | null | undefined, string | null>;
}

interface PeeringsTable {
  id: Generated<number>;
  vpc_id: number;
  peer_account_id: string;
  peer_region_code: string;
  peer_vpc_id: string;
  created_at: Generated<Date>;
  network_id: ColumnType<string | null, string | null | undefined, string | null>;
  problem: ColumnType<string | null, string | null | undefined, string | null>;
}

/** A range that VPCs must not overlap with, and in words who has it. */
export interface UsedRange {
  readonly cidr: string;
  readonly usedBy: string;
}

interface EventsTable {
  id: Generated<number>;
  seq: number | null;
  project_id: string;
  service_id: string | null;
  at: Generated<Date>;
  actor: string;
  type: string;
  message: string;
  data: Json<Record<string, unknown>>;
}

interface WebhooksTable {
  id: string;
  project_id: string;
  url: string;
  description: string;
  event_types: string[];
  enabled: boolean;
  disabled_reason: string | null;
  created_at: Generated<Date>;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_until: Date | null;
  failures: Generated<number>;
  rests_until: Date | null;
}

interface WebhookDeliveriesTable {
  id: Generated<number>;
  webhook_id: string;
  message_id: string;
  event_id: number | null;
  event_type: string;
  body: string;
  created_at: Generated<Date>;
  expires_at: Date;
  state: Generated<"pending" | "delivered" | "failed">;
  due_at: Generated<Date>;
  attempts: Generated<number>;
  last_attempt_at: Date | null;
  response_status: number | null;
  error: string | null;
  duration_ms: number | null;
}

interface AuditRecordsTable {
  id: Generated<number>;
  project_id: string;
  at: Generated<Date>;
  public_key: string;
  key_name: string;
  operation: string;
  method: string;
  path: string;
  service_id: string | null;
  remote_address: string;
  request_id: string;
  status: number | null;
  error_code: string | null;
}

interface IdempotencyKeysTable {
  project_id: string;
  key: string;
  request_hash: Buffer;
  response: Buffer | null;
  created_at: Generated<Date>;
}

interface SampledServicesTable {
  service_id: string;
  sampled_at: Date;
  primary_at: Date | null;
  milli_cpu: number | null;
  memory_mb: number | null;
  storage_mb: number | null;
}

/** The part of a service that its servers may turn out not to start with. */
export interface Sizing {
  readonly size: Size;
  /** By PostgreSQL's names, as PostgreSQL prints them. */
  readonly parameters: Readonly<Record<string, string>>;
}

export type Power = "running" | "stopped";

export type ServiceRow = Selectable<ServicesTable>;
export type EventRow = Selectable<EventsTable>;
export type WebhookRow = Selectable<WebhooksTable>;
export type DeliveryRow = Selectable<WebhookDeliveriesTable>;
export type AuditRow = Selectable<AuditRecordsTable>;
