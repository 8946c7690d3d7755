/** What services go through, told once; golden.test.ts shows how, interrupted.test.ts cuts every step of them off. */
import type { DesiredService } from "../../src/planner/desired.ts";
import { LARGE, SMALL } from "../support/services.ts";
import { PEERED, VPC } from "../support/vpc-cases.ts";
import { PARENT, World } from "../support/world.ts";

export interface Scenario {
  readonly name: string;
  readonly start?: Partial<DesiredService>;
  /** Brings about the situation; what is done here is not cut off. */
  readonly before?: (world: World) => Promise<void>;
  readonly play: (world: World) => Promise<void>;
  /** Ends without a single step. */
  readonly stepless?: true;
}

const REPLICATED = { replicaCount: 2, syncReplicaCount: 1 } as const;

const ready = async (world: World) => {
  await world.settled();
};
const settle = ready;

const wrote: Scenario["before"] = async (world) => {
  await world.settled();
  for (let write = 0; write < 3; write += 1) world.faults.write(world.serviceId);
};

const stoppedWithWrites: Scenario["before"] = async (world) => {
  await wrote(world);
  await asked(world, { power: "stopped" });
};

const READS = { readsFrom: PARENT, replicaCount: 1 } as const;

const reads: Scenario["before"] = async (world) => {
  await world.withParent(3);
  await world.settled();
};

const READERS: readonly Scenario[] = [
  {
    name: "read replica set",
    start: READS,
    before: async (world) => void (await world.withParent(3)),
    play: settle,
  },
  {
    name: "read replica set of a service that comes later",
    start: READS,
    before: async () => undefined,
    play: async (world) => {
      await world.until(({ plan }) => plan?.kind === "wait");
      await world.withParent(3);
      await world.settled();
    },
  },
  {
    name: "read replica set gets more nodes",
    start: READS,
    before: reads,
    play: (world) => asked(world, { replicaCount: 3 }),
  },
  {
    name: "read replica set gets fewer nodes",
    start: READS,
    before: reads,
    play: (world) => asked(world, { replicaCount: 0 }),
  },
  {
    name: "read replica set grows and shrinks",
    start: READS,
    before: reads,
    play: async (world) => {
      await asked(world, { size: LARGE });
      await asked(world, { size: SMALL });
    },
  },
  {
    name: "read replica set with a pooler",
    start: READS,
    before: reads,
    play: (world) => asked(world, { pooler: true }),
  },
  {
    name: "node of a read replica set killed",
    start: READS,
    before: reads,
    play: (world) => struck(world, "member 0 is killed", () => world.faults.killMember(world.serviceId, 0)),
  },
  {
    name: "node of a read replica set loses its volume",
    start: READS,
    before: reads,
    play: (world) =>
      struck(world, "the volume of member 0 is lost", () => world.faults.loseVolume(world.serviceId, 0)),
  },
  {
    name: "read replica set follows a failover",
    start: READS,
    play: async (world) => {
      const parent = await world.withParent(3, { replicaCount: 1 });
      await world.settled();
      world.happens("its primary is killed", () => parent.faults.killMember(PARENT, 0));
      await parent.settled();
      await world.settled();
    },
  },
  {
    name: "parent of a read replica set has more connections",
    start: READS,
    play: async (world) => {
      const parent = await world.withParent(3);
      await world.settled();
      for (const connections of ["200", "100"]) {
        parent.want({ parameters: { max_connections: connections } });
        await parent.settled();
        await asked(world, { parameters: { max_connections: connections } });
      }
    },
  },
  {
    name: "read replica set deleted",
    start: READS,
    before: reads,
    play: (world) => asked(world, { presence: "absent" }),
  },
];

const POWER: readonly Scenario[] = [
  { name: "stop", before: wrote, play: (world) => asked(world, { power: "stopped" }) },
  {
    name: "stop with replicas",
    start: REPLICATED,
    before: wrote,
    play: (world) => asked(world, { power: "stopped" }),
  },
  {
    name: "stop when member 2 leads",
    start: REPLICATED,
    before: async (world) => {
      await world.settled();
      await leadBy(world, 2);
    },
    play: (world) => asked(world, { power: "stopped" }),
  },
  {
    name: "stop with the pooler on",
    start: { pooler: true },
    before: wrote,
    play: (world) => asked(world, { power: "stopped" }),
  },
  {
    name: "stop with a frozen replica",
    start: { replicaCount: 1 },
    before: wrote,
    play: async (world) => {
      world.happens("member 1 freezes", () => world.faults.freezeMember(world.serviceId, 1));
      await asked(world, { power: "stopped" });
    },
  },
  {
    name: "primary killed while its replicas stop",
    start: { replicaCount: 2 },
    before: wrote,
    play: async (world) => {
      world.want({ power: "stopped" });
      await world.until(() => world.state.members.some(({ container }) => container === "stopped"));
      await struck(world, "member 0 is killed", () => world.faults.killMember(world.serviceId, 0));
    },
  },
  {
    name: "stop while a replica is copied and its primary killed",
    start: { replicaCount: 0 },
    before: wrote,
    play: async (world) => {
      world.want({ replicaCount: 1 });
      await world.until(({ step }) => step?.kind === "createMember");
      world.happens("member 0 is killed", () => world.faults.killMember(world.serviceId, 0));
      await asked(world, { power: "stopped" });
      await asked(world, { power: "running" });
    },
  },
  { name: "start", before: stoppedWithWrites, play: (world) => asked(world, { power: "running" }) },
  {
    name: "start with replicas",
    start: { replicaCount: 2 },
    before: stoppedWithWrites,
    play: (world) => asked(world, { power: "running" }),
  },
  {
    name: "start when the first member is killed as soon as it leads",
    start: REPLICATED,
    before: stoppedWithWrites,
    play: async (world) => {
      world.want({ power: "running" });
      await world.until(
        ({ observed }) => observed?.members.some(({ postgres }) => postgres?.writable) ?? false,
      );
      await struck(world, "member 0 is killed", () => world.faults.killMember(world.serviceId, 0));
    },
  },
  {
    name: "start taken while the members still stop",
    start: { replicaCount: 2 },
    before: wrote,
    play: async (world) => {
      world.want({ power: "stopped" });
      await world.until(({ step }) => step?.kind === "stopMember" && step.ordinal === 0);
      await asked(world, { power: "running" });
    },
  },
  {
    name: "everything changed while stopped",
    start: { replicaCount: 1 },
    before: stoppedWithWrites,
    play: async (world) => {
      await asked(world, { allowList: ["192.0.2.0/24"] });
      await asked(world, { size: LARGE, passwordVersion: 2, replicaCount: 2, syncReplicaCount: 1 });
      await asked(world, { power: "running" });
    },
  },
  {
    name: "fewer replicas asked for while stopped",
    start: REPLICATED,
    before: stoppedWithWrites,
    play: async (world) => {
      await asked(world, { replicaCount: 0, syncReplicaCount: 0 });
      await asked(world, { power: "running" });
    },
  },
  {
    name: "password and size and stop at once",
    start: { replicaCount: 1 },
    before: wrote,
    play: async (world) => {
      world.want({ passwordVersion: 2 });
      world.want({ size: LARGE });
      await world.until(({ step }) => step?.kind === "restartPostgres");
      await asked(world, { power: "stopped" });
      await asked(world, { power: "running" });
    },
  },
];

const FORK = { forkedFrom: PARENT } as const;

const withParent: Scenario["before"] = async (world) => {
  await world.withParent(3);
};

const FORKS: readonly Scenario[] = [
  { name: "fork", start: FORK, before: withParent, play: settle },
  {
    name: "fork whose copier is killed",
    start: FORK,
    before: withParent,
    play: async (world) => {
      await world.until(({ plan }) => plan?.kind === "wait");
      await struck(world, "the copier is killed", () => world.faults.killCopier(world.serviceId));
    },
  },
  {
    name: "fork whose parent loses its primary for a while",
    start: FORK,
    before: withParent,
    play: async (world) => {
      await world.until(({ plan }) => plan?.kind === "wait");
      world.happens("the parent's primary is killed", () => world.faults.killMember(PARENT, 0));
      await world.until(({ outcome }) => outcome?.kind === "failed");
      const parent = new World({ serviceId: PARENT, settledGeneration: 1 }, undefined, world);
      await parent.settled();
      await world.settled();
    },
  },
  {
    name: "fork that loses its container before it was ready",
    start: FORK,
    before: withParent,
    play: async (world) => {
      await world.until(({ step }) => step?.kind === "clearCopy");
      world.faults.write(world.serviceId);
      await struck(world, "the container of member 0 is removed", () =>
        world.faults.removeContainer(world.serviceId, 0),
      );
    },
  },
  {
    name: "fork with replicas asked for while it is copied",
    start: FORK,
    before: withParent,
    play: async (world) => {
      await world.until(({ plan }) => plan?.kind === "wait");
      await asked(world, { replicaCount: 1, syncReplicaCount: 1 });
    },
  },
];

const withVpc: NonNullable<Scenario["before"]> = async (world) => {
  world.simulation.vpcs.set(VPC.vpcId, VPC.cidr);
  await world.settled();
};

const ACCESS: readonly Scenario[] = [
  { name: "allow-list", before: ready, play: (world) => asked(world, { allowList: ["192.0.2.0/24"] }) },
  {
    name: "allow-list while the gateway restarts",
    before: ready,
    play: async (world) => {
      await asked(world, { allowList: ["192.0.2.0/24"] });
      await struck(world, "the gateway restarts", () => world.faults.restartGateway(world.serviceId));
      await struck(world, "the gateway is removed", () => world.faults.loseGateway(world.serviceId));
    },
  },
  {
    name: "attach to a VPC",
    before: withVpc,
    play: (world) => asked(world, { vpc: VPC }),
  },
  {
    name: "attach to a peered VPC while stopped",
    before: async (world) => {
      await withVpc(world);
      await asked(world, { power: "stopped" });
    },
    play: async (world) => {
      await asked(world, { vpc: PEERED });
      await asked(world, { power: "running" });
    },
  },
  {
    name: "attached service loses its gateway",
    start: { vpc: PEERED, allowList: [] },
    before: withVpc,
    play: (world) => struck(world, "the gateway is removed", () => world.faults.loseGateway(world.serviceId)),
  },
  {
    name: "detach from a peered VPC",
    start: { vpc: PEERED },
    before: withVpc,
    play: (world) => asked(world, { vpc: null }),
  },
  { name: "pooler on", before: ready, play: (world) => asked(world, { pooler: true }) },
  {
    name: "pooler off",
    start: { pooler: true },
    before: ready,
    play: (world) => asked(world, { pooler: false }),
  },
  {
    name: "pooler killed",
    start: { pooler: true },
    before: ready,
    play: (world) => struck(world, "the pooler is killed", () => world.faults.killPooler(world.serviceId)),
  },
  { name: "password", before: ready, play: (world) => asked(world, { passwordVersion: 2 }) },
  {
    name: "more connections with replicas",
    start: REPLICATED,
    before: ready,
    play: (world) => asked(world, { parameters: { max_connections: "200" } }),
  },
  {
    name: "fewer connections with replicas",
    start: REPLICATED,
    before: ready,
    play: (world) => asked(world, { parameters: { max_connections: "50" } }),
  },
  {
    name: "members forget their settings",
    start: REPLICATED,
    before: ready,
    play: async (world) => {
      await struck(world, "member 1 forgets", () => world.faults.forgetSettings(world.serviceId, 1));
      world.happens("member 0 forgets", () => world.faults.forgetSettings(world.serviceId, 0));
      await asked(world, { parameters: { max_connections: "50" } });
    },
  },
];

export const SCENARIOS: readonly Scenario[] = [
  { name: "create", play: settle },
  { name: "create with replicas", start: { replicaCount: 2 }, play: settle },
  {
    name: "first member killed while its database is made",
    play: async (world) => {
      await world.until(({ plan }) => plan?.kind === "wait");
      await struck(world, "member 0 is killed", () => world.faults.killMember(world.serviceId, 0));
    },
  },
  {
    name: "setHA 0 to 2 with one synchronous",
    before: ready,
    play: (world) => asked(world, REPLICATED),
  },
  {
    name: "setHA 2 to 0",
    start: REPLICATED,
    before: ready,
    play: (world) => asked(world, { replicaCount: 0, syncReplicaCount: 0 }),
  },
  {
    name: "setHA 2 to 0 when member 2 leads",
    start: REPLICATED,
    before: async (world) => {
      await world.settled();
      await leadBy(world, 2);
    },
    play: (world) => asked(world, { replicaCount: 0, syncReplicaCount: 0 }),
  },
  {
    name: "setHA 2 to 1 when both are synchronous",
    start: { replicaCount: 2, syncReplicaCount: 2 },
    before: ready,
    play: (world) => asked(world, { replicaCount: 1, syncReplicaCount: 1 }),
  },
  { name: "resize up alone", before: ready, play: (world) => asked(world, { size: LARGE }) },
  {
    name: "resize down alone",
    start: { size: LARGE },
    before: ready,
    play: (world) => asked(world, { size: SMALL }),
  },
  {
    name: "resize up with replicas",
    start: REPLICATED,
    before: ready,
    play: (world) => asked(world, { size: LARGE }),
  },
  {
    name: "resize down with replicas",
    start: { ...REPLICATED, size: LARGE },
    before: ready,
    play: (world) => asked(world, { size: SMALL }),
  },
  {
    name: "resize during setHA",
    before: ready,
    play: async (world) => {
      world.want(REPLICATED);
      await world.until(({ step }) => step?.kind === "createMember");
      await asked(world, { size: LARGE });
    },
  },
  {
    name: "setHA during resize",
    before: ready,
    play: async (world) => {
      world.want({ size: LARGE });
      await world.until(({ step }) => step?.kind === "restartPostgres");
      await asked(world, REPLICATED);
    },
  },
  {
    name: "primary killed with a replica",
    start: { replicaCount: 1, syncReplicaCount: 1 },
    before: ready,
    play: (world) => struck(world, "member 0 is killed", () => world.faults.killMember(world.serviceId, 0)),
  },
  {
    name: "primary lost with its volume",
    start: { replicaCount: 1, syncReplicaCount: 1 },
    before: ready,
    play: (world) =>
      struck(world, "the volume of member 0 is lost", () => world.faults.loseVolume(world.serviceId, 0)),
  },
  {
    name: "primary frozen",
    start: { replicaCount: 1, syncReplicaCount: 1 },
    before: ready,
    play: async (world) => {
      world.happens("member 0 freezes", () => world.faults.freezeMember(world.serviceId, 0));
      await world.settled();
    },
  },
  {
    name: "replica cut off",
    start: { replicaCount: 1 },
    before: ready,
    play: (world) =>
      struck(world, "member 1 is cut off", () => world.faults.cutOffMember(world.serviceId, 1)),
  },
  {
    name: "primary cut off",
    start: { replicaCount: 1, syncReplicaCount: 1 },
    before: ready,
    play: (world) =>
      struck(world, "member 0 is cut off", () => world.faults.cutOffMember(world.serviceId, 0)),
  },
  {
    name: "switchover",
    start: REPLICATED,
    before: wrote,
    play: (world) => asked(world, { handOverFrom: 0 }),
  },
  {
    name: "resize that the engine refuses",
    before: ready,
    play: async (world) => {
      world.happens("limits cannot be set", () => world.faults.failSteps("setLimits", 3));
      await asked(world, { size: LARGE });
    },
  },
  {
    name: "only member killed",
    before: ready,
    play: (world) => struck(world, "member 0 is killed", () => world.faults.killMember(world.serviceId, 0)),
  },
  {
    name: "only member loses its container",
    before: ready,
    play: (world) =>
      struck(world, "the container of member 0 is removed", () =>
        world.faults.removeContainer(world.serviceId, 0),
      ),
  },
  {
    name: "replica loses its volume",
    start: { replicaCount: 1 },
    before: ready,
    play: (world) =>
      struck(world, "the volume of member 1 is lost", () => world.faults.loseVolume(world.serviceId, 1)),
  },
  {
    name: "only member loses its volume",
    stepless: true,
    before: ready,
    play: async (world) => {
      world.happens("the volume of member 0 is lost", () => world.faults.loseVolume(world.serviceId, 0));
      await world.until(({ plan }) => plan?.kind === "wait");
      world.want({ replicaCount: 1 });
      const tenMinutesLater = world.clock.now().getTime() + 600_000;
      await world.until(() => world.clock.now().getTime() > tenMinutesLater, 700_000);
    },
  },
  {
    name: "replica too many is down",
    start: { replicaCount: 1 },
    before: ready,
    play: async (world) => {
      world.happens("member 1 is killed", () => world.faults.killMember(world.serviceId, 1));
      await asked(world, { replicaCount: 0 });
    },
  },
  {
    name: "gateway lost",
    before: ready,
    play: (world) => struck(world, "the gateway is removed", () => world.faults.loseGateway(world.serviceId)),
  },
  {
    name: "engine gone and back",
    before: ready,
    play: async (world) => {
      world.happens("the engine is gone", () => world.faults.engineUnreachable(5_000));
      await world.until(({ observed }) => observed === null);
      await asked(world, { size: LARGE });
    },
  },
  {
    name: "replica that fails to be made",
    before: ready,
    play: async (world) => {
      world.faults.failSteps("createMember", 2);
      await asked(world, { replicaCount: 1 });
    },
  },
  ...READERS,
  ...POWER,
  ...FORKS,
  ...ACCESS,
  { name: "delete", start: REPLICATED, before: ready, play: (world) => asked(world, { presence: "absent" }) },
];

async function asked(world: World, changes: Partial<DesiredService>): Promise<void> {
  world.want(changes);
  await world.settled();
}

async function struck(world: World, name: string, fault: () => void): Promise<void> {
  world.happens(name, fault);
  await world.settled();
}

/** Lets the lead lapse until the member has it. */
async function leadBy(world: World, ordinal: number): Promise<void> {
  for (let tries = 0; world.leader !== ordinal; tries += 1) {
    if (tries === 10) throw new Error(`member ${ordinal} does not come to lead`);
    const { leader } = world;
    const others = world.state.members.filter((it) => it.ordinal !== ordinal && it.ordinal !== leader);
    // Out of the way for long enough to leave the synchronous set to the one that shall lead.
    for (const other of others) world.faults.freezeMember(world.serviceId, other.ordinal);
    world.clock.advance(2_000);
    world.faults.freezeMember(world.serviceId, leader);
    world.clock.advance(25_000);
    for (const it of world.state.members) world.faults.thawMember(world.serviceId, it.ordinal);
    await world.settled();
  }
}
