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
 * reachable then.
 *
 * Connections to a former primary end because PostgreSQL or its container ends, and where a network is cut, by
 * TCP's own time limits. `on-marked-down shutdown-sessions` would be quicker in that last case, but HAProxy 3.0 then
 * forgets connections that are just being made: their clients hang for good, at every start and every failover.
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
  retries 5
  option redispatch
  option clitcpka
  option srvtcpka
  srvtcpka-idle 10s
  srvtcpka-intvl 2s
  srvtcpka-cnt 3

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
  default-server inter 250ms fastinter 100ms downinter 250ms fall 2 rise 1 tcp-ut 10s
  server-template member ${MEMBER_SLOTS} ${MEMBERS_ALIAS}:${POSTGRES_PORT} check port ${PATRONI_PORT} resolvers engine init-addr last,libc,none

frontend health
  mode http
  timeout client 5s
  bind :${HEALTH_PORT}
  monitor-uri /serving
  monitor fail if { nbsrv(primary) lt 1 }
`;
}
