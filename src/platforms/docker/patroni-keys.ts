/** What the members of a service write into etcd, as Patroni words it. Pure. */
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";

/** Where Patroni keeps what belongs to services. */
export const PATRONI_NAMESPACE = "/howdah/";
const MEMBERS = "members/";

/** All of a service's keys begin so. */
export function keysOf(serviceId: string): string {
  return `${PATRONI_NAMESPACE}${serviceId}/`;
}

export function leaderKey(serviceId: string): string {
  return `${keysOf(serviceId)}leader`;
}

export function memberKey(serviceId: string, name: string): string {
  return `${keysOf(serviceId)}${MEMBERS}${name}`;
}

/** The part of Patroni's `config` key that matters here. */
const DynamicConfiguration = Type.Object({
  synchronous_mode: Type.Optional(Type.Boolean()),
  synchronous_node_count: Type.Optional(Type.Integer()),
  postgresql: Type.Optional(
    Type.Object({
      parameters: Type.Optional(
        Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
      ),
    }),
  ),
});
export type DynamicConfiguration = Static<typeof DynamicConfiguration>;

export interface Agreed {
  /** What they run with. */
  readonly configuration: DynamicConfiguration | null;
  /** The names of members whose data is still being made. */
  readonly unfinished: ReadonlySet<string>;
  /** Who may lead without losing anything, by Patroni's word; null where it does not replicate synchronously. */
  readonly sync: AgreedSync | null;
}

export interface AgreedSync {
  readonly leader: string;
  readonly standbys: readonly string[];
}

export const NOTHING_AGREED: Agreed = { configuration: null, unfinished: new Set(), sync: null };

/** What a member tells of itself while it copies the primary. Its role tells less: every member begins as uninitialized. */
const Unfinished = Type.Object({ state: Type.Literal("creating replica") });

/** Patroni's `sync` key: the standbys are one text, with commas between them. */
const Synchronous = Type.Object({
  leader: Type.String({ minLength: 1 }),
  sync_standby: Type.Union([Type.String(), Type.Null()]),
});

/** @param keys all those of a service, as etcd gives them @param prefix what they begin with */
export function agreedIn(
  keys: readonly { readonly key: string; readonly value: string }[],
  prefix: string,
): Agreed {
  const written = new Map(keys.map(({ key, value }) => [decoded(key).slice(prefix.length), decoded(value)]));
  const configuration: unknown = JSON.parse(written.get("config") ?? "null");
  const unfinished = [...written].filter(
    ([key, value]) => key.startsWith(MEMBERS) && Value.Check(Unfinished, JSON.parse(value)),
  );
  return {
    configuration: Value.Check(DynamicConfiguration, configuration) ? configuration : null,
    unfinished: new Set(unfinished.map(([key]) => key.slice(MEMBERS.length))),
    sync: syncIn(written.get("sync")),
  };
}

function syncIn(written: string | undefined): AgreedSync | null {
  const told: unknown = JSON.parse(written ?? "null");
  if (!Value.Check(Synchronous, told)) return null;
  return {
    leader: told.leader,
    standbys: (told.sync_standby ?? "").split(",").filter((name) => name !== ""),
  };
}

/** A key, decoded, as etcd has it. */
export interface Key {
  readonly value: string;
  readonly revision: string;
  readonly lease: string;
}

const Told = Type.Record(Type.String(), Type.Unknown());

/**
 * Rewrites what a dead member has told of itself, unless it tells something new already. Before a replica takes the lead
 * it asks all who ever were there how far they are, two seconds long where nobody answers. It does not ask one that says
 * itself that it is not to lead, as this says of the dead. Taking the key away would not do: Patroni remembers the member.
 * The key ends with its lease, and the member's next life writes it anew.
 */
export function sayDead(serviceId: string, name: string, { value, revision, lease }: Key) {
  const key = base64(memberKey(serviceId, name));
  const told: unknown = JSON.parse(value);
  const dead = { ...(Value.Check(Told, told) ? told : {}), state: "stopped", tags: { nofailover: true } };
  return {
    compare: [{ key, target: "MOD", result: "EQUAL", mod_revision: revision }],
    success: [{ requestPut: { key, value: base64(JSON.stringify(dead)), lease } }],
  };
}

export function decoded(value: string): string {
  return Buffer.from(value, "base64").toString("utf8");
}

export function base64(value: string): string {
  return Buffer.from(value).toString("base64");
}
