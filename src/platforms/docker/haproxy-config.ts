import { PATRONI_PORT, POSTGRES_PORT } from "./patroni-config.ts";

/** Inside the container; the host's ports in front of them are the service's. */
export const GATEWAY_PORT = 5432;
export const POOLER_PORT = 6432;
export const STATE_PORT = 8404;
/** As many members as a service can have during any change: the primary and MAX_REPLICAS, and some to spare. */
const MEMBER_SLOTS = 12;

export interface GatewaySurroundings {
  /** The host's address in the service's network. */
  readonly bridge: string;
  readonly pooler: string;
  /** The name that all members have in the service's network. */
  readonly members: string;
  /** Where the gateway leads to: the one primary, or replicas, to whichever has the fewest connections. */
  readonly leadsTo: "primary" | "replica";
}

/** Members that only read stand in the network of another service, beside its own. */
export function membersAlias({
  serviceId,
  readsFrom,
}: {
  readonly serviceId: string;
  readonly readsFrom: unknown;
}): string {
  return readsFrom === null ? "members" : `read-${serviceId}`;
}

/**
 * The gateway passes TLS through to whichever member says it is the primary, and to the pooler while there is one. That of
 * members that only read does the same with all that say they are replicas.
 *
 * A check reads the whole answer before it looks at the status: hanging up on Patroni while it writes makes it log an error.
 *
 * Holding the leader's key is not enough to be one: a primary that comes back after a crash holds it still, and lets
 * clients read for a second or more before it takes writes. What Patroni tells of the server itself counts as well.
 *
 * Names come from the engine's DNS; what was resolved is kept while the engine is down, so that databases stay
 * reachable then.
 *
 * Connections to a former primary end because PostgreSQL or its container ends, and where a network is cut, by
 * TCP's own time limits. `on-marked-down shutdown-sessions` would be quicker in that last case, but HAProxy 3.0 then
 * forgets connections that are just being made: their clients hang for good, at every start and every failover.
 *
 * Clients of PostgreSQL never close one half of a connection alone. Where one half is closed, the other follows within a
 * second without data, and not when a long query of a client that is gone has ended.
 *
 * Who may connect is asked first. Then a connection waits in the image's gateway.lua until there is a primary, for as long
 * as that allows; the inspect-delay is only what HAProxy wants for it, and longer than any wait. One that is past that, and
 * finds no primary any more, waits again: the backup server is the gateway itself.
 *
 * Who may connect stands in one map, which the image's gateway.py writes before the start and changes while HAProxy
 * runs. Each address family has a socket of its own, since a map takes an IPv4 address that came through an IPv6 socket
 * for IPv6, and the map has an entry for the whole of each family, since HAProxy otherwise tries the other family's:
 * `::/0` would let in every IPv4 address.
 */
export function renderHaproxyConfig({ bridge, pooler, members, leadsTo }: GatewaySurroundings): string {
  return `global
  maxconn 5632
  nbthread 1
  stats socket /run/haproxy.sock mode 600 level admin
  lua-load /usr/local/lib/howdah/gateway.lua ${leadsTo}

defaults
  mode tcp
  timeout connect 200ms
  timeout check 1s
  timeout client 7d
  timeout server 7d
  timeout client-fin 1s
  timeout server-fin 1s
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
  maxconn 2048
${binds(GATEWAY_PORT)}
  ${ONLY_ADMITTED}
  ${WAIT_FOR_MEMBER}
  default_backend members

# Those who were already on their way to a primary that then was none any more.
frontend waiting
  maxconn 1024
  bind unix@/run/waiting.sock mode 600 accept-proxy
  ${WAIT_FOR_MEMBER}
  default_backend members

frontend pooled
  maxconn 2304
${binds(POOLER_PORT)}
  ${ONLY_ADMITTED}
  tcp-request connection reject if { nbsrv(pooler) lt 1 }
  default_backend pooler

backend members
  balance leastconn
  option httpchk GET /${leadsTo}
  http-check expect rstring '"state": "running".*"role": "${leadsTo}"'
  http-check expect status 200
  default-server inter 250ms fastinter 100ms downinter 250ms fall 2 rise 1 tcp-ut 10s
  server waiting-room unix@/run/waiting.sock send-proxy-v2 backup
  server-template member ${MEMBER_SLOTS} ${members}:${POSTGRES_PORT} check port ${PATRONI_PORT} resolvers engine resolve-prefer ipv4 init-addr last,libc,none

backend pooler
  server pooler ${pooler}:${POOLER_PORT} check inter 500ms fastinter 100ms downinter 250ms fall 2 rise 1 tcp-ut 10s

# Where gateway.py has a session of its own while it holds the door.
frontend anchor
  bind /run/anchor.sock mode 600
  timeout client 10s
  tcp-request inspect-delay 10s
  tcp-request content reject unless { req.len gt 0 }

# Only the host asks here; what a tenant could make a member connect to, it cannot reach. However many wait at the other
# doors, this one has room left.
frontend state
  mode http
  timeout client 5s
  timeout http-request 5s
  bind :${STATE_PORT}
  tcp-request connection reject unless { src ${bridge} }
  http-request use-service lua.state
`;
}

const ONLY_ADMITTED = "tcp-request connection reject unless { src,map_ip(/run/admitted.map,no) -m str yes }";

const WAIT_FOR_MEMBER = `tcp-request inspect-delay 60s
  tcp-request content lua.wait_for_member`;

/** gateway.py sets the variable where the container has IPv6. */
function binds(port: number): string {
  return `  bind 0.0.0.0:${port}
  .if defined(IPV6)
  bind :::${port} v6only
  .endif`;
}
