/** What a member's Patroni is told. Pure: everything that varies is an argument. */
import type { Addon } from "../../contract/service.ts";
import type { ServiceSecrets } from "../../lib/service-secrets.ts";
import type { ClusterConfiguration } from "../../planner/observed.ts";
import { ETCD_PORT } from "./coordination.ts";
import { PATRONI_NAMESPACE } from "./patroni-keys.ts";

export const PATRONI_PORT = 8008;
export const POSTGRES_PORT = 5432;
export const PATRONI_USER = "howdah";
export const MONITOR_ROLE = "howdah_monitor";
/** By which the pooler looks up those who log in. */
export const POOLER_ROLE = "howdah_pooler";
export const REPLICATION_ROLE = "howdah_replication";
export const REWIND_ROLE = "howdah_rewind";
const ETC = "/data/etc";
const LOG_FOLDER = "/data/log";
/** What is kept is in at least so many files, so that little is removed at a time. */
const LOG_FILES = 10;
const LARGEST_LOG_FILE = 10 * 1024 ** 2;

export interface MemberConfiguration {
  readonly serviceId: string;
  /** The service whose primary it follows without ever taking its place; null: it is one of its service's own. */
  readonly readsFrom: { readonly serviceId: string } | null;
  readonly name: string;
  readonly address: string;
  readonly addons: readonly Addon[];
  readonly secrets: ServiceSecrets;
  readonly configuration: ClusterConfiguration;
  readonly data: "new" | "copy" | "fork";
  readonly log: LogBounds;
}

/** How much a member keeps of PostgreSQL's own log, and for how long. */
export interface LogBounds {
  readonly bytes: number;
  readonly seconds: number;
}

/** Patroni reads YAML, of which JSON is a part. */
export function renderPatroniConfig(member: MemberConfiguration): string {
  return JSON.stringify(
    {
      scope: member.readsFrom?.serviceId ?? member.serviceId,
      namespace: PATRONI_NAMESPACE,
      name: member.name,
      log: { level: "INFO" },
      watchdog: { mode: "off" },
      restapi: {
        listen: `0.0.0.0:${PATRONI_PORT}`,
        connect_address: `${member.address}:${PATRONI_PORT}`,
        // Reading is open inside the service's network; what changes something needs the password.
        authentication: { username: PATRONI_USER, password: member.secrets.patroniPassword },
      },
      etcd3: {
        host: `etcd:${ETCD_PORT}`,
        protocol: "https",
        cacert: `${ETC}/ca.crt`,
        cert: `${ETC}/server.crt`,
        key: `${ETC}/server.key`,
      },
      bootstrap: bootstrap(member),
      postgresql: postgresql(member),
      ...(member.readsFrom === null ? {} : { tags: { nofailover: true, nosync: true } }),
      // Not for Patroni, which leaves it alone, but for what trims the log.
      howdah: { log: member.log },
    },
    null,
    2,
  );
}

function bootstrap({ addons, configuration, data }: MemberConfiguration): unknown {
  const dcs = dynamicConfiguration(configuration, addons);
  if (data === "copy") {
    return {
      dcs,
      method: "refuse",
      refuse: { command: "/usr/local/lib/howdah/refuse-bootstrap", no_params: true },
    };
  }
  // What Patroni's initdb does stands in the image's beginning.py: it begins a database early, or adopts a fork's copy.
  return {
    dcs,
    ...(data === "fork" ? { method: "fork" } : {}),
    post_bootstrap: "/usr/local/lib/howdah/post-bootstrap",
  };
}

/** The collector writes JSON, in which each entry is one line whatever is in it. Names of files sort by time. */
function logging({ bytes }: LogBounds): Record<string, string | number> {
  return {
    logging_collector: "on",
    log_destination: "jsonlog",
    log_directory: LOG_FOLDER,
    log_filename: "postgresql-%Y%m%d-%H%M%S.log",
    log_file_mode: "0600",
    log_timezone: "UTC",
    log_rotation_age: "1d",
    log_rotation_size: `${Math.max(64, Math.floor(Math.min(bytes / LOG_FILES, LARGEST_LOG_FILE) / 1024))}kB`,
  };
}

function postgresql({ address, secrets, readsFrom, configuration, log }: MemberConfiguration): unknown {
  const tls = { sslmode: "verify-ca", sslrootcert: `${ETC}/ca.crt` };
  return {
    listen: `0.0.0.0:${POSTGRES_PORT}`,
    connect_address: `${address}:${POSTGRES_PORT}`,
    data_dir: "/data/pg",
    bin_dir: "/usr/lib/postgresql/17/bin",
    pgpass: "/run/pgpass",
    use_unix_socket: true,
    use_unix_socket_repl: false,
    authentication: {
      superuser: { username: "postgres" },
      replication: { username: REPLICATION_ROLE, password: secrets.replicationPassword, ...tls },
      rewind: { username: REWIND_ROLE, password: secrets.rewindPassword, ...tls },
    },
    // The key stays out of etcd, whose keys every member can read.
    parameters: {
      unix_socket_directories: "/run",
      "howdah.pooler_key": secrets.poolerKey,
      // What is told here wins over what all members are told, but for what has to be the same in all of them.
      ...(readsFrom === null ? {} : configuration.settings),
      ...logging(log),
    },
    pg_hba: PG_HBA,
    basebackup: [{ checkpoint: "fast" }],
    remove_data_directory_on_rewind_failure: true,
    remove_data_directory_on_diverged_timelines: true,
  };
}

/**
 * Roles of ours come in only from where they belong and for what they are for; everybody else only by TLS and SCRAM.
 * The superuser has no password and no way in but the container's own socket. The databases postgres and template1 are
 * ours alone.
 */
const PG_HBA = [
  "local all postgres peer",
  `local replication ${REPLICATION_ROLE} scram-sha-256`,
  `hostssl replication ${REPLICATION_ROLE} samenet scram-sha-256`,
  `hostssl postgres ${REWIND_ROLE} samenet scram-sha-256`,
  `hostssl postgres ${MONITOR_ROLE} samenet scram-sha-256`,
  `hostssl postgres ${POOLER_ROLE} samenet scram-sha-256 clientcert=verify-ca`,
  `host all postgres,${REPLICATION_ROLE},${REWIND_ROLE},${MONITOR_ROLE},${POOLER_ROLE} all reject`,
  "host postgres,template1 all all reject",
  "hostssl all all all scram-sha-256",
];

/** The part of the configuration that all members share and that etcd keeps. */
export function dynamicConfiguration(
  configuration: ClusterConfiguration,
  addons: readonly Addon[],
): Record<string, unknown> {
  return {
    ttl: 20,
    loop_wait: 1,
    retry_timeout: 3,
    maximum_lag_on_failover: 1024 * 1024,
    failsafe_mode: true,
    ...NO_OLDER_TIMELINE,
    primary_start_timeout: 300,
    member_slots_ttl: "5min",
    ...synchronousMode(configuration.syncReplicaCount),
    postgresql: {
      use_pg_rewind: true,
      use_slots: true,
      parameters: { ...fixedParameters(addons), ...configuration.settings },
    },
  };
}

/** What a `configure` step changes of it. */
export function configurationPatch(configuration: ClusterConfiguration): Record<string, unknown> {
  return {
    ...NO_OLDER_TIMELINE,
    ...synchronousMode(configuration.syncReplicaCount),
    postgresql: { parameters: configuration.settings },
  };
}

/**
 * Who has not followed the last promotion must not lead: it lacks what was acknowledged since, however little that is. Patroni
 * alone counts bytes. Where nobody who has followed is left, nobody leads, and people decide.
 */
const NO_OLDER_TIMELINE = { check_timeline: true };

function synchronousMode(count: number): Record<string, unknown> {
  return { synchronous_mode: count > 0, synchronous_node_count: Math.max(1, count) };
}

/** What is the same for every service and not for users to change. */
function fixedParameters(addons: readonly Addon[]): Record<string, string | number> {
  return {
    // The guard comes last, so that its hooks are the first to be asked.
    shared_preload_libraries: addons.includes("time-series") ? "timescaledb,howdah_guard" : "howdah_guard",
    ...(addons.includes("time-series")
      ? {
          "timescaledb.max_background_workers": 16,
          "timescaledb.telemetry_level": "off",
        }
      : {}),
    // For the monitor and the pooler's lookups, beside the superuser's own.
    reserved_connections: 5,
    max_worker_processes: 32,
    max_locks_per_transaction: 256,
    max_wal_senders: 48,
    max_replication_slots: 48,
    wal_log_hints: "on",
    wal_keep_size: "256MB",
    // A replica that has missed several promotions follows them one by one, and waits so long at each.
    wal_retrieve_retry_interval: "500ms",
    max_slot_wal_keep_size: "4GB",
    min_wal_size: "256MB",
    password_encryption: "scram-sha-256",
    ssl: "on",
    ssl_cert_file: `${ETC}/server.crt`,
    ssl_key_file: `${ETC}/server.key`,
    ssl_ca_file: `${ETC}/ca.crt`,
    ssl_min_protocol_version: "TLSv1.2",
    tcp_keepalives_idle: 60,
    tcp_keepalives_interval: 10,
    tcp_keepalives_count: 6,
    log_line_prefix: "%m [%p] %q%u@%d ",
  };
}
