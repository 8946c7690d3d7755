/** What a service's PgBouncer is told. Pure. */
import { DATABASE } from "./bootstrap-sql.ts";
import { GATEWAY_PORT, POOLER_PORT } from "./haproxy-config.ts";
import { POOLER_ROLE } from "./patroni-config.ts";

/** Where everybody else is looked up, and where no tenant comes. */
const LOOKUP_DATABASE = "postgres";
/** By which the servers know the pooler's connections; see image/guard. */
export const POOLER_SUBJECT = "howdah-pooler";
const ETC = "/data/etc";

/**
 * Connections to the server, for each of the two databases. Of the hundred that a server has, sixty go to the pooler
 * at most, two to its lookups, and three are the superuser's; Patroni, replication's rewind and the control plane take
 * a handful. Some thirty are left to direct connections, whatever the pooler's clients do.
 */
const POOL_SIZE = 30;
const LOOKUP_POOL_SIZE = 2;
const MAX_CLIENTS = 2000;

/**
 * A server connection that reaches a standby, because the gateway did not know yet, ends itself at once, and the next
 * try comes soon. It would otherwise stay, and fail every write, for as long as it is used.
 */
const ONLY_PRIMARIES =
  "select pg_catalog.pg_terminate_backend(pg_catalog.pg_backend_pid()) where pg_catalog.pg_is_in_recovery()";

export interface PoolerSurroundings {
  readonly gateway: string;
  /** Whether the gateway leads to members that only read. */
  readonly servesReads: boolean;
}

/**
 * Servers are reached through the gateway, which leads to whichever member is the primary: a failover breaks server
 * connections, and the next ones are made to the new primary.
 *
 * `options` is not among the ignored parameters, so that a client which asks for something there gets it or an error,
 * never silence. What a client may ask for is tracked: PgBouncer sets it anew for every client that a server connection
 * is lent to. The pass has to be presented before the parameter that it unlocks, so it stands first.
 */
export function renderPgbouncerConfig({ gateway, servesReads }: PoolerSurroundings): string {
  const check = servesReads ? "" : ` connect_query='${ONLY_PRIMARIES}'`;
  const server = `host=${gateway} port=${GATEWAY_PORT}${check}`;
  const size = (connections: number) => `pool_size=${connections} max_db_connections=${connections}`;
  return `[databases]
${DATABASE} = ${server} dbname=${DATABASE} pool_mode=session ${size(POOL_SIZE)}
${DATABASE}_transaction = ${server} dbname=${DATABASE} pool_mode=transaction ${size(POOL_SIZE)}
howdah_lookup = ${server} dbname=${LOOKUP_DATABASE} pool_mode=transaction ${size(LOOKUP_POOL_SIZE)}

[pgbouncer]
listen_addr = *
listen_port = ${POOLER_PORT}
unix_socket_dir = /run
unix_socket_mode = 0700

client_tls_sslmode = require
client_tls_cert_file = ${ETC}/server.crt
client_tls_key_file = ${ETC}/server.key
server_tls_sslmode = verify-ca
server_tls_ca_file = ${ETC}/ca.crt
server_tls_cert_file = ${ETC}/pooler.crt
server_tls_key_file = ${ETC}/pooler.key

auth_type = hba
auth_hba_file = ${ETC}/hba.conf
auth_file = ${ETC}/users.txt
auth_user = ${POOLER_ROLE}
auth_dbname = howdah_lookup
auth_query = select * from howdah.pooler_login($1)

max_client_conn = ${MAX_CLIENTS}
max_prepared_statements = 200
track_extra_parameters = howdah.pooler_pass, tsdb_admin.read_only_connection, IntervalStyle
ignore_startup_parameters = extra_float_digits

server_login_retry = 0.1
server_connect_timeout = 2
server_check_delay = 5
query_wait_timeout = 60

log_connections = 0
log_disconnections = 0
log_stats = 0
`;
}

/**
 * Tenants come through the gateway, to their databases. Everything else is refused; but who runs as PgBouncer itself comes
 * to its console by the socket, for which no line is asked.
 */
export function renderPoolerHba({ gateway }: Pick<PoolerSurroundings, "gateway">): string {
  return `hostssl ${DATABASE},${DATABASE}_transaction all ${gateway}/32 scram-sha-256\n`;
}

/** Whom PgBouncer knows without asking the server. The password has to be one without quotation marks. */
export function renderPoolerUsers(password: string): string {
  return `"${POOLER_ROLE}" "${password}"\n`;
}
