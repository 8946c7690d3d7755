import {
  catchingUp,
  frozen,
  leaderless,
  NOTHING,
  onFullDisk,
  primary,
  replica,
  silent,
  standing,
  stopped,
  untrusted,
  volume,
  withSettings,
} from "../../test/support/observations.ts";
import { type Case, describeRules, step, wait } from "../../test/support/rules.ts";
import { LARGE, SMALL } from "../../test/support/services.ts";
import { VPC, vpcCases } from "../../test/support/vpc-cases.ts";
import { memberLimits, startLimits } from "./limits.ts";
import { RUNNING } from "./running.ts";
import { settingsFor } from "./settings.ts";

const READY = { settledGeneration: 1 } as const;
const RESUMING = { ...READY, generation: 3, settledPower: "stopped" } as const;
const small = memberLimits(SMALL);
const large = memberLimits(LARGE);
const configuration = { settings: settingsFor(SMALL, {}), syncReplicaCount: 0 };
const CLOSED = { state: "absent", serving: false, allowList: null } as const;

const vpcs = vpcCases(primary(0));

const CASES: Readonly<Record<string, readonly Case[]>> = {
  "The endpoint lets in who may come and nobody else, before anything that may take long or fail.": [
    {
      when: "the list changed",
      desired: { ...READY, allowList: ["192.0.2.0/24"] },
      observed: (desired) =>
        standing(desired, [primary(0)], {
          gateway: { state: "running", serving: true, allowList: ["0.0.0.0/0", "::/0"] },
        }),
      decides: step({ kind: "setAllowList", allowList: ["192.0.2.0/24"] }),
    },
    {
      when: "nobody may come any more, although every member is down",
      desired: { ...READY, allowList: [] },
      observed: (desired) =>
        standing(desired, [stopped(0)], {
          gateway: { state: "running", serving: false, allowList: ["192.0.2.0/24"] },
        }),
      decides: step({ kind: "setAllowList", allowList: [] }),
    },
    {
      when: "the data of the service is gone",
      desired: { ...READY, allowList: ["192.0.2.0/24"] },
      observed: (desired) =>
        standing(desired, [], { gateway: { state: "running", serving: false, allowList: [] } }),
      decides: step({ kind: "setAllowList", allowList: ["192.0.2.0/24"] }),
    },
    ...vpcs.list,
  ],
  "What leads from a VPC to the endpoint and is not wanted any more is cleared away.": vpcs.leave,
  "A service that was ready once and has no volume left is never given a new, empty database in its place.": [
    {
      when: "nothing at all is left",
      desired: READY,
      observed: () => NOTHING,
      decides: wait("data-missing", "every volume of the service is gone from the engine"),
    },
    {
      when: "only a container is left",
      desired: READY,
      observed: (desired) => standing(desired, [{ ...stopped(0), hasVolume: false }]),
      decides: wait("data-missing", "every volume of the service is gone from the engine"),
    },
  ],
  "Network and coordination come first.": [
    {
      when: "nothing is there",
      desired: {},
      observed: () => NOTHING,
      decides: step({ kind: "ensureFoundation" }),
    },
    {
      when: "part of it is gone beneath a running service",
      desired: READY,
      observed: (desired) => standing(desired, [primary(0)], { foundation: "partial" }),
      decides: step({ kind: "ensureFoundation" }),
    },
  ],
  "The first member of a service that never was ready starts a new database.": [
    {
      when: "the foundation stands",
      desired: {},
      observed: () => ({ ...NOTHING, foundation: "present" }),
      decides: step({
        kind: "createMember",
        ordinal: 0,
        limits: startLimits(small),
        configuration,
        data: "new",
      }),
    },
  ],
  "A fork that never was ready begins with a copy of its parent's data.": [
    {
      when: "nothing has been copied yet",
      desired: { forkedFrom: "parent0000" },
      observed: () => ({ ...NOTHING, foundation: "present" }),
      decides: step({ kind: "copyParent", ordinal: 0, limits: startLimits(small), parentId: "parent0000" }),
    },
    {
      when: "it is being copied",
      desired: { forkedFrom: "parent0000" },
      observed: (desired) =>
        standing(desired, [volume(0)], { copy: { state: "running", detail: "3 of 9 MB" } }),
      decides: wait("copy", "3 of 9 MB"),
    },
    {
      when: "the copy failed, it begins again",
      desired: { forkedFrom: "parent0000" },
      observed: (desired) => standing(desired, [volume(0)], { copy: { state: "failed", detail: "killed" } }),
      decides: step({ kind: "copyParent", ordinal: 0, limits: startLimits(small), parentId: "parent0000" }),
    },
    {
      when: "what copied is gone without a trace and left a volume, which is no database of its own",
      desired: { forkedFrom: "parent0000" },
      observed: (desired) => standing(desired, [volume(0)]),
      decides: step({ kind: "copyParent", ordinal: 0, limits: startLimits(small), parentId: "parent0000" }),
    },
    {
      when: "the copy is whole",
      desired: { forkedFrom: "parent0000" },
      observed: (desired) => standing(desired, [volume(0)], { copy: { state: "done" } }),
      decides: step({
        kind: "createMember",
        ordinal: 0,
        limits: startLimits(small),
        configuration,
        data: "fork",
      }),
    },
  ],
  "More CPU or memory is given at once, without a restart.": [
    {
      when: "the size grew",
      desired: { ...READY, size: LARGE },
      observed: (desired) => standing(desired, [primary(0)]),
      decides: step({ kind: "setLimits", ordinal: 0, limits: large }),
    },
    {
      when: "a member that has all CPU needs more memory, it keeps all CPU",
      desired: { ...READY, size: LARGE },
      observed: (desired) => standing(desired, [{ ...primary(0), limits: startLimits(small) }]),
      decides: step({ kind: "setLimits", ordinal: 0, limits: startLimits(large) }),
    },
  ],
  "What is left of a member whose volume is gone is cleared away while another has the data, and made again.":
    [
      {
        when: "a replica's volume is gone",
        desired: { ...READY, replicaCount: 1 },
        observed: (desired) => standing(desired, [primary(0), { ...stopped(1), hasVolume: false }]),
        decides: step({ kind: "removeMember", ordinal: 1 }),
      },
      {
        when: "the only member of a service that never was ready lost its volume",
        desired: {},
        observed: (desired) => standing(desired, [{ ...stopped(0), hasVolume: false }]),
        decides: step({ kind: "removeMember", ordinal: 0 }),
      },
    ],
  "While a primary takes writes, a replica too many that is down is removed, not started first.": [
    {
      when: "one is stopped",
      desired: READY,
      observed: (desired) => standing(desired, [primary(0), stopped(1)]),
      decides: step({ kind: "removeMember", ordinal: 1 }),
    },
    {
      when: "a removal was cut off and left the volume",
      desired: { ...READY, replicaCount: 1 },
      observed: (desired) => standing(desired, [primary(0), volume(1), replica(2)]),
      decides: step({ kind: "removeMember", ordinal: 1 }),
    },
  ],
  "A member whose volume is there runs: its container is made again or started. After a stop, the one that ended last comes first, and the others once it answers, since it alone has everything for certain.":
    [
      {
        when: "its container is stopped",
        desired: READY,
        observed: (desired) => standing(desired, [stopped(0)]),
        decides: step({ kind: "startMember", ordinal: 0, limits: startLimits(small) }),
      },
      {
        when: "its container is gone, from a service that was ready: never a new database",
        desired: READY,
        observed: (desired) => standing(desired, [volume(0)]),
        decides: step({
          kind: "createMember",
          ordinal: 0,
          limits: startLimits(small),
          configuration,
          data: "copy",
        }),
      },
      {
        when: "the very first creation was cut off",
        desired: {},
        observed: (desired) => standing(desired, [volume(0)]),
        decides: step({
          kind: "createMember",
          ordinal: 0,
          limits: startLimits(small),
          configuration,
          data: "new",
        }),
      },
      {
        when: "never ready, but other members are there already: never a second database",
        desired: { replicaCount: 1 },
        observed: (desired) => standing(desired, [volume(0), silent(1)]),
        decides: step({
          kind: "createMember",
          ordinal: 0,
          limits: startLimits(small),
          configuration,
          data: "copy",
        }),
      },
      {
        when: "one too many is down, and it may be the one with the data while nobody leads",
        desired: READY,
        observed: (desired) => standing(desired, [silent(0), stopped(1)]),
        decides: step({ kind: "startMember", ordinal: 1, limits: startLimits(small) }),
      },
      {
        when: "all have crashed, the one that lived longest comes first",
        desired: { ...READY, replicaCount: 2 },
        observed: (desired) => standing(desired, [stopped(0, 10), stopped(1, 30), stopped(2, 20)]),
        decides: step({ kind: "startMember", ordinal: 1, limits: startLimits(small) }),
      },
      {
        when: "others have crashed with it, they do not wait for one that does not answer yet",
        desired: { ...READY, replicaCount: 1 },
        observed: (desired) => standing(desired, [stopped(0), silent(1)]),
        decides: step({ kind: "startMember", ordinal: 0, limits: startLimits(small) }),
      },
      {
        when: "the service resumes, the one that ended last comes first",
        desired: { ...RESUMING, replicaCount: 2 },
        observed: (desired) => standing(desired, [stopped(0, 10), stopped(1, 20), stopped(2, 30)]),
        decides: step({ kind: "startMember", ordinal: 2, limits: startLimits(small) }),
      },
      {
        when: "the service resumes with another size, the first one is given what it had",
        desired: RESUMING,
        observed: (desired) => standing(desired, [{ ...stopped(0), limits: large }]),
        decides: step({ kind: "startMember", ordinal: 0, limits: startLimits(large) }),
      },
      {
        when: "the one that ended last has no whole database, it comes after those that have",
        desired: { ...RESUMING, replicaCount: 1 },
        observed: (desired) =>
          standing(desired, [
            { ...stopped(0, 10), hasDatabase: true },
            { ...stopped(1, 20), hasDatabase: false },
          ]),
        decides: step({ kind: "startMember", ordinal: 0, limits: startLimits(small) }),
      },
      {
        when: "only a member without a whole database runs, it is no reason to wait",
        desired: { ...RESUMING, replicaCount: 1 },
        observed: (desired) => standing(desired, [stopped(0), { ...silent(1), hasDatabase: false }]),
        decides: step({ kind: "startMember", ordinal: 0, limits: startLimits(small) }),
      },
      {
        when: "the first one leads, the others follow in their order",
        desired: { ...RESUMING, replicaCount: 2 },
        observed: (desired) => standing(desired, [stopped(0, 10), stopped(1, 20), primary(2)]),
        decides: step({ kind: "startMember", ordinal: 0, limits: startLimits(small) }),
      },
      {
        when: "the first one answers, but may not lead without another",
        desired: { ...RESUMING, replicaCount: 1, syncReplicaCount: 1 },
        observed: (desired) => standing(desired, [stopped(0), leaderless(1)]),
        decides: step({ kind: "startMember", ordinal: 0, limits: startLimits(small) }),
      },
      {
        when: "the first one was lost after the others had come, it comes back before one of them leads",
        desired: { ...RESUMING, replicaCount: 2 },
        observed: (desired) => standing(desired, [leaderless(0), leaderless(1), stopped(2)]),
        decides: step({ kind: "startMember", ordinal: 2, limits: startLimits(small) }),
      },
    ],
  "A member that is frozen or cut off takes no part: it is ended, and then starts where it belongs.": [
    {
      when: "the service resumes and that member was frozen before it answered",
      desired: { ...RESUMING, replicaCount: 1 },
      observed: (desired) => standing(desired, [stopped(0, 10), frozen(1)]),
      decides: step({ kind: "endMember", ordinal: 1 }),
    },
    {
      when: "the one that led is frozen",
      desired: READY,
      observed: (desired) => standing(desired, [frozen(0)]),
      decides: step({ kind: "endMember", ordinal: 0 }),
    },
    {
      when: "one is frozen",
      desired: { ...READY, replicaCount: 1 },
      observed: (desired) => standing(desired, [primary(0), frozen(1)]),
      decides: step({ kind: "endMember", ordinal: 1 }),
    },
    {
      when: "one is cut off from the others",
      desired: { ...READY, replicaCount: 1 },
      observed: (desired) => standing(desired, [primary(0), { ...silent(1), container: "cut off" }]),
      decides: step({ kind: "endMember", ordinal: 1 }),
    },
  ],
  "The endpoint is open whenever a member is there.": [
    {
      when: "the gateway is missing",
      desired: {},
      observed: (desired) => standing(desired, [silent(0)], { gateway: CLOSED }),
      decides: step({ kind: "ensureGateway", allowList: ["0.0.0.0/0", "::/0"] }),
    },
    {
      when: "the gateway is stopped while no primary is there either",
      desired: READY,
      observed: (desired) =>
        standing(desired, [silent(0)], { gateway: { state: "stopped", serving: false, allowList: null } }),
      decides: step({ kind: "ensureGateway", allowList: ["0.0.0.0/0", "::/0"] }),
    },
  ],
  "An endpoint that does not tell whom it lets in is told so once more.": [
    {
      when: "a change of the list was cut off",
      desired: { ...READY, allowList: ["192.0.2.0/24"] },
      observed: (desired) =>
        standing(desired, [primary(0)], { gateway: { state: "running", serving: true, allowList: null } }),
      decides: step({ kind: "setAllowList", allowList: ["192.0.2.0/24"] }),
    },
    {
      when: "no member leads, which is no reason to wait",
      desired: READY,
      observed: (desired) =>
        standing(desired, [silent(0)], { gateway: { state: "running", serving: false, allowList: null } }),
      decides: step({ kind: "setAllowList", allowList: ["0.0.0.0/0", "::/0"] }),
    },
  ],
  "The endpoint stands in the network of the VPC that the service is attached to.": vpcs.join,
  "Where nobody takes writes, the members are told again what they ran with last, since what they were told instead may be why; who may lead is not touched.":
    [
      {
        when: "the size was taken back, and with the one before nobody starts",
        desired: { ...READY, replicaCount: 1, settledSizing: { size: SMALL, parameters: {} } },
        observed: (desired) =>
          standing(desired, [silent(0), silent(1)], {
            configuration: { settings: settingsFor(LARGE, {}), syncReplicaCount: 1 },
          }),
        decides: step({
          kind: "configure",
          configuration: { settings: settingsFor(SMALL, {}), syncReplicaCount: 1 },
        }),
      },
    ],
  "Everything further is decided with a primary that takes writes; who that is, the members elect.": [
    {
      when: "the service resumes and the member that ended last does not answer yet",
      desired: { ...RESUMING, replicaCount: 1 },
      observed: (desired) => standing(desired, [stopped(0, 10), silent(1)]),
      decides: wait("primary", "no member takes writes yet"),
    },
    {
      when: "no member leads",
      desired: { ...READY, replicaCount: 1 },
      observed: (desired) => standing(desired, [silent(0), silent(1)]),
      decides: wait("primary", "no member takes writes yet"),
    },
    {
      when: "the old primary's volume is gone and nobody leads yet",
      desired: { ...READY, replicaCount: 1 },
      observed: (desired) => standing(desired, [{ ...stopped(0), hasVolume: false }, silent(1)]),
      decides: wait("primary", "no member takes writes yet"),
    },
  ],
  "What has copied a parent's data is cleared away once the copy leads.": [
    {
      when: "the fork leads",
      desired: { forkedFrom: "parent0000" },
      observed: (desired) => standing(desired, [primary(0)], { copy: { state: "done" } }),
      decides: step({ kind: "clearCopy" }),
    },
    {
      when: "the fork was ready already, whatever is left is cleared away",
      desired: { ...READY, forkedFrom: "parent0000" },
      observed: (desired) => standing(desired, [primary(0)], { copy: { state: "failed", detail: "gone" } }),
      decides: step({ kind: "clearCopy" }),
    },
  ],
  "Roles and passwords are those that were set last.": [
    {
      when: "another password was chosen",
      desired: { ...READY, passwordVersion: 2 },
      observed: (desired) =>
        standing(desired, [replica(0), primary(1)], { roles: { current: true, passwordVersion: 1 } }),
      decides: step({ kind: "setRoles", ordinal: 1, passwordVersion: 2 }),
    },
    {
      when: "a failover has lost the password that was chosen",
      desired: { ...READY, passwordVersion: 3 },
      observed: (desired) =>
        standing(desired, [primary(0)], { roles: { current: true, passwordVersion: 2 } }),
      decides: step({ kind: "setRoles", ordinal: 0, passwordVersion: 3 }),
    },
    {
      when: "what is inside the databases is of an older version of the platform",
      desired: READY,
      observed: (desired) =>
        standing(desired, [primary(0)], { roles: { current: false, passwordVersion: 1 } }),
      decides: step({ kind: "setRoles", ordinal: 0, passwordVersion: 1 }),
    },
    {
      when: "the primary tells nothing of them, and the endpoint is blind",
      desired: READY,
      observed: (desired) =>
        standing(desired, [primary(0)], {
          roles: null,
          gateway: { state: "running", serving: false, allowList: desired.allowList },
        }),
      decides: step({ kind: "setRoles", ordinal: 0, passwordVersion: 1 }),
    },
  ],
  "The endpoint leads to the primary.": [
    {
      when: "the gateway is blind",
      desired: READY,
      observed: (desired) =>
        standing(desired, [primary(0)], {
          gateway: { state: "running", serving: false, allowList: ["0.0.0.0/0", "::/0"] },
        }),
      decides: wait("endpoint", "the gateway has not seen the primary yet"),
    },
  ],
  "The pooler runs while it is wanted.": [
    {
      when: "it was switched on",
      desired: { ...READY, pooler: true },
      observed: (desired) => standing(desired, [primary(0)], { pooler: { state: "absent", serving: false } }),
      decides: step({ kind: "ensurePooler" }),
    },
    {
      when: "it died, or its making was cut off",
      desired: { ...READY, pooler: true },
      observed: (desired) =>
        standing(desired, [primary(0)], { pooler: { state: "stopped", serving: false } }),
      decides: step({ kind: "ensurePooler" }),
    },
    {
      when: "it was switched off",
      desired: READY,
      observed: (desired) => standing(desired, [primary(0)], { pooler: { state: "running", serving: true } }),
      decides: step({ kind: "removePooler" }),
    },
    {
      when: "its removal was cut off",
      desired: READY,
      observed: (desired) =>
        standing(desired, [primary(0)], { pooler: { state: "stopped", serving: false } }),
      decides: step({ kind: "removePooler" }),
    },
  ],
  "The members are told the settings of the size and the number of synchronous replicas.": [
    {
      when: "a setting was chosen",
      desired: { ...READY, parameters: { work_mem: "64MB" } },
      observed: (desired) => standing(desired, [primary(0)], { configuration }),
      decides: step({
        kind: "configure",
        configuration: { settings: settingsFor(SMALL, { work_mem: "64MB" }), syncReplicaCount: 0 },
      }),
    },
    {
      when: "a chosen setting was taken back",
      desired: READY,
      observed: (desired) =>
        standing(desired, [primary(0)], {
          configuration: { settings: settingsFor(SMALL, { work_mem: "64MB" }), syncReplicaCount: 0 },
        }),
      decides: step({ kind: "configure", configuration }),
    },
    {
      when: "the configuration cannot be read",
      desired: READY,
      observed: (desired) => standing(desired, [primary(0)], { configuration: null }),
      decides: wait("configuration", "the cluster's configuration cannot be read yet"),
    },
    {
      when: "the size changed, before any replica is added",
      desired: { ...READY, size: LARGE, replicaCount: 1 },
      observed: (desired) => standing(desired, [{ ...primary(0), limits: large }], { configuration }),
      decides: step({
        kind: "configure",
        configuration: { settings: settingsFor(LARGE, {}), syncReplicaCount: 0 },
      }),
    },
    {
      when: "the number of synchronous replicas changed, before any is removed",
      desired: READY,
      observed: (desired) =>
        standing(desired, [primary(0), replica(1, "sync")], {
          configuration: { ...configuration, syncReplicaCount: 1 },
        }),
      decides: step({ kind: "configure", configuration }),
    },
  ],
  "Missing replicas are added.": [
    {
      when: "by the lowest free ordinal",
      desired: { ...READY, replicaCount: 2 },
      observed: (desired) => standing(desired, [replica(0), primary(2)]),
      decides: step({
        kind: "createMember",
        ordinal: 1,
        limits: startLimits(small),
        configuration,
        data: "copy",
      }),
    },
  ],
  "Replicas too many are removed, never the primary and none that commits still wait for.": [
    {
      when: "the primary has the highest ordinal",
      desired: READY,
      observed: (desired) => standing(desired, [replica(0), replica(1), primary(2)]),
      decides: step({ kind: "removeMember", ordinal: 1 }),
    },
    {
      when: "one of them does not stream, it goes first",
      desired: { ...READY, replicaCount: 1 },
      observed: (desired) => standing(desired, [primary(0), catchingUp(1), replica(2)]),
      decides: step({ kind: "removeMember", ordinal: 1 }),
    },
    {
      when: "all of them are still synchronous",
      desired: READY,
      observed: (desired) => standing(desired, [primary(0), replica(1, "sync")]),
      decides: wait("synchronous-set", "the surplus replicas are still synchronous ones"),
    },
  ],
  "Replicas that run with other settings than wanted restart, one at a time, while all others stream; not before a primary that shall have less of what they need at least as much of.":
    [
      {
        when: "all shall have more of what a replica needs at least as much of as its primary",
        desired: { ...READY, replicaCount: 2, parameters: { max_connections: "200" } },
        observed: (desired) => standing(desired, [primary(0), replica(1), replica(2)]),
        decides: step({ kind: "restartPostgres", ordinal: 1 }),
      },
      {
        when: "a replica was restarted already, the next one is",
        desired: { ...READY, replicaCount: 2, parameters: { max_connections: "200" } },
        observed: (desired) =>
          standing(desired, [primary(0), withSettings(replica(1), { max_connections: "200" }), replica(2)]),
        decides: step({ kind: "restartPostgres", ordinal: 2 }),
      },
      {
        when: "the primary has less of it already",
        desired: { ...READY, replicaCount: 2, parameters: { max_connections: "50" } },
        observed: (desired) =>
          standing(desired, [withSettings(primary(0), { max_connections: "50" }), replica(1), replica(2)]),
        decides: step({ kind: "restartPostgres", ordinal: 1 }),
      },
      {
        when: "a failover has let a replica lead that has more of it already, the old primary catches up",
        desired: { ...READY, replicaCount: 1, parameters: { max_connections: "200" } },
        observed: (desired) =>
          standing(desired, [replica(0), withSettings(primary(1), { max_connections: "200" })]),
        decides: step({ kind: "restartPostgres", ordinal: 0 }),
      },
      {
        when: "all stream",
        desired: { ...READY, replicaCount: 2, size: LARGE },
        observed: (desired) =>
          standing(desired, [
            { ...primary(0), limits: large },
            { ...replica(1), limits: large },
            { ...replica(2), limits: large },
          ]),
        decides: step({ kind: "restartPostgres", ordinal: 1 }),
      },
      {
        when: "another one restarts",
        desired: { ...READY, replicaCount: 2, size: LARGE },
        observed: (desired) =>
          standing(desired, [
            { ...primary(0), limits: large },
            { ...silent(1), limits: large },
            { ...replica(2), limits: large },
          ]),
        decides: wait("answer", "member 1 does not answer yet"),
      },
    ],
  "A primary that runs with other settings than wanted hands over to an up-to-date replica; alone, or where it restarts first, it restarts in its place.":
    [
      {
        when: "it is alone",
        desired: { ...READY, size: LARGE },
        observed: (desired) => standing(desired, [{ ...primary(0), limits: large }]),
        decides: step({ kind: "restartPostgres", ordinal: 0 }),
      },
      {
        when: "it shall have less of what a replica needs at least as much of, it restarts first",
        desired: { ...READY, replicaCount: 2, syncReplicaCount: 1, parameters: { max_connections: "50" } },
        observed: (desired) => standing(desired, [primary(0), replica(1, "sync"), replica(2)]),
        decides: step({ kind: "restartPostgres", ordinal: 0 }),
      },
      {
        when: "it shall have less of that and a smaller size, it restarts first all the same",
        desired: { ...READY, replicaCount: 1, parameters: { max_connections: "50" } },
        observed: (desired) => standing(desired, [primary(0, LARGE), replica(1, "async", LARGE)]),
        decides: step({ kind: "restartPostgres", ordinal: 0 }),
      },
      {
        when: "it shall have less of that, but a replica does not stream",
        desired: { ...READY, replicaCount: 1, parameters: { max_connections: "50" } },
        observed: (desired) => standing(desired, [primary(0), silent(1)]),
        decides: wait("answer", "member 1 does not answer yet"),
      },
      {
        when: "all replicas have more of that already",
        desired: { ...READY, replicaCount: 1, parameters: { max_connections: "200" } },
        observed: (desired) =>
          standing(desired, [primary(0), withSettings(replica(1), { max_connections: "200" })]),
        decides: step({ kind: "switchover", from: 0, to: 1 }),
      },
      {
        when: "a synchronous replica is the heir before an asynchronous one",
        desired: { ...READY, size: LARGE, replicaCount: 2, syncReplicaCount: 1 },
        observed: (desired) =>
          standing(desired, [
            { ...primary(0), limits: large },
            replica(1, "async", LARGE),
            replica(2, "sync", LARGE),
          ]),
        decides: step({ kind: "switchover", from: 0, to: 2 }),
      },
      {
        when: "no replica is synchronous yet where one shall be",
        desired: { ...READY, size: LARGE, replicaCount: 1, syncReplicaCount: 1 },
        observed: (desired) =>
          standing(desired, [{ ...primary(0), limits: large }, replica(1, "async", LARGE)]),
        decides: wait("synchronous-set", "0 of 1 replicas are synchronous"),
      },
      {
        when: "a replica does not stream",
        desired: { ...READY, size: LARGE, replicaCount: 1 },
        observed: (desired) =>
          standing(desired, [
            { ...primary(0), limits: large },
            { ...silent(1), limits: large },
          ]),
        decides: wait("answer", "member 1 does not answer yet"),
      },
    ],
  "A primary that was asked to hand over does so, to an up-to-date replica.": [
    {
      when: "the best heir is the synchronous one",
      desired: { ...READY, replicaCount: 2, syncReplicaCount: 1, handOverFrom: 0 },
      observed: (desired) => standing(desired, [primary(0), replica(1), replica(2, "sync")]),
      decides: step({ kind: "switchover", from: 0, to: 2 }),
    },
    {
      when: "the replica is not up to date yet",
      desired: { ...READY, replicaCount: 1, handOverFrom: 0 },
      observed: (desired) => standing(desired, [primary(0), catchingUp(1)]),
      decides: wait("replication", "member 1 does not stream from the primary yet"),
    },
    {
      when: "commits wait for the replica, but the members do not trust it yet",
      desired: { ...READY, replicaCount: 1, syncReplicaCount: 1, handOverFrom: 0 },
      observed: (desired) => standing(desired, [primary(0), untrusted(replica(1, "sync"))]),
      decides: wait("synchronous-set", "0 of 1 replicas are synchronous"),
    },
    {
      when: "no replica is synchronous yet where one shall be",
      desired: { ...READY, replicaCount: 1, syncReplicaCount: 1, handOverFrom: 0 },
      observed: (desired) => standing(desired, [primary(0), replica(1)]),
      decides: wait("synchronous-set", "0 of 1 replicas are synchronous"),
    },
  ],
  "All settings of the size are in force inside every server.": [
    {
      when: "one that needs no restart has not been taken up",
      desired: READY,
      observed: (desired) => standing(desired, [withSettings(primary(0), { work_mem: "64MB" })]),
      decides: step({ kind: "takeUpSettings", ordinal: 0, settings: configuration.settings }),
    },
  ],
  "Every replica streams.": [
    {
      when: "one is still copying",
      desired: { ...READY, replicaCount: 1 },
      observed: (desired) => standing(desired, [primary(0), { ...silent(1), hasDatabase: false }]),
      decides: wait("replication", "member 1 does not stream from the primary yet"),
    },
    {
      when: "one has a database and is silent",
      desired: { ...READY, replicaCount: 1 },
      observed: (desired) => standing(desired, [primary(0), silent(1)]),
      decides: wait("answer", "member 1 does not answer yet"),
    },
    {
      when: "one has no room for what it would stream",
      desired: { ...READY, replicaCount: 1 },
      observed: (desired) => standing(desired, [primary(0), onFullDisk(catchingUp(1))]),
      decides: wait("storage-full", "the one of member 1 has next to no room left"),
    },
  ],
  "CPU and memory are taken away last, when no server needs them any more.": [
    {
      when: "the settings of the smaller size are in force",
      desired: READY,
      observed: (desired) => standing(desired, [{ ...primary(0), limits: large }]),
      decides: step({ kind: "setLimits", ordinal: 0, limits: small }),
    },
  ],
  "As many replicas are synchronous as were asked for.": [
    {
      when: "none is yet",
      desired: { ...READY, replicaCount: 1, syncReplicaCount: 1 },
      observed: (desired) => standing(desired, [primary(0), replica(1)]),
      decides: wait("synchronous-set", "0 of 1 replicas are synchronous"),
    },
  ],
  "The pooler answers; the members' own affairs do not wait for it.": [
    {
      when: "the gateway does not reach it",
      desired: { ...READY, pooler: true },
      observed: (desired) =>
        standing(desired, [primary(0)], { pooler: { state: "running", serving: false } }),
      decides: wait("pooler", "the gateway does not reach it yet"),
    },
  ],
  "Networks that the VPC is peered with reach the endpoint by a relay.": vpcs.relays,
  "Every disk has room; while one has none, everything else is done all the same.": [
    {
      when: "the primary's is full",
      desired: READY,
      observed: (desired) => standing(desired, [onFullDisk(primary(0))]),
      decides: wait("storage-full", "the one of member 0 has next to no room left"),
    },
    {
      when: "a replica's is full, and it streams all the same",
      desired: { ...READY, replicaCount: 1 },
      observed: (desired) => standing(desired, [primary(0), onFullDisk(replica(1))]),
      decides: wait("storage-full", "the one of member 1 has next to no room left"),
    },
  ],
  "A VPC whose network is not there is waited for.": [
    {
      when: "the engine refuses it",
      desired: { ...READY, vpc: { ...VPC, problem: "the engine refuses its network" } },
      observed: (desired) => standing(desired, [primary(0)]),
      decides: wait("vpc", "VPC 7: the engine refuses its network"),
    },
  ],
};

describeRules(RUNNING, CASES);
