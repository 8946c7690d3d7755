/** What services go through, told once; golden.test.ts shows how, interrupted.test.ts cuts every step of them off. */
import type { DesiredService } from "../../src/planner/desired.ts";
import { LARGE, SMALL } from "../support/services.ts";
import type { World } from "../support/world.ts";

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
    name: "primary frozen and later thawed",
    stepless: true,
    start: { replicaCount: 1, syncReplicaCount: 1 },
    before: ready,
    play: async (world) => {
      world.happens("member 0 freezes", () => world.faults.freezeMember(world.serviceId, 0));
      await world.until(() => world.leader === 1);
      await world.until(({ plan }) => plan?.kind === "wait" && plan.reason === "member-frozen");
      await struck(world, "member 0 thaws", () => world.faults.thawMember(world.serviceId, 0));
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
      const hourLater = world.clock.now().getTime() + 3_600_000;
      await world.until(() => world.clock.now().getTime() > hourLater, 2 * 3_600_000);
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
