import { PATRONI_PORT, POSTGRES_PORT } from "./patroni-config.ts";

export const GATEWAY_PORT = 5432;
export const HEALTH_PORT = 8404;
export const MEMBERS_ALIAS = "members";
/** As many members as a service can have during any change: the primary and MAX_REPLICAS, and some to spare. */
const MEMBER_SLOTS = 12;

/**
 * The gateway passes TLS through to whichever member says it is the primary.
 *
 * Names come from the engine's DNS; what was resolved is kept while the engine is down, so that databases stay
 * reachable then. `on-marked-down shutdown-sessions` ends connections to a former primary, which would otherwise hang.
 * It must not meet retries: in HAProxy 3.0 a connection that waits for its next try while the server is marked down is
 * neither tried again nor closed, ever. Without retries a client is told at once, and tries again itself.
 */
export function renderHaproxyConfig(): string {
  return `global
  maxconn 4096
  nbthread 1

defaults
  mode tcp
  timeout connect 200ms
  timeout check 1s
  timeout client 7d
  timeout server 7d
  retries 0
  option tcpka

resolvers engine
  parse-resolv-conf
  accepted_payload_size 8192
  timeout resolve 1s
  timeout retry 500ms
  hold valid 1s
  hold obsolete 60s
  hold nx 1d
  hold other 1d
  hold refused 1d
  hold timeout 1d

frontend endpoint
  bind :${GATEWAY_PORT}
  default_backend primary

backend primary
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 250ms fastinter 100ms downinter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
  server-template member ${MEMBER_SLOTS} ${MEMBERS_ALIAS}:${POSTGRES_PORT} check port ${PATRONI_PORT} resolvers engine init-addr last,libc,none

frontend health
  mode http
  timeout client 5s
  bind :${HEALTH_PORT}
  monitor-uri /serving
  monitor fail if { nbsrv(primary) lt 1 }
`;
}
