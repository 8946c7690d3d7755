/** The random events of a service's life, for property tests. */
import * as fc from "fast-check";
import { EVERY_ADDRESS } from "../../src/contract/cidr.ts";
import { LARGE, SMALL } from "../support/services.ts";
import { PARENT, type World } from "../support/world.ts";

/** A client's address. */
export const CLIENT = "192.0.2.1/32";

export type Happening = (world: World) => Promise<unknown> | void;

const ordinal = fc.nat({ max: 3 });

const time = fc.nat({ max: 6_000 }).map(
  (ms): Happening =>
    (world) =>
      world.clock.advance(ms),
);

const looks = fc.integer({ min: 1, max: 12 }).map(
  (count): Happening =>
    async (world) => {
      for (let look = 0; look < count; look += 1) await world.look();
    },
);

const setHa = fc
  .nat({ max: 3 })
  .chain((replicaCount) => fc.tuple(fc.constant(replicaCount), fc.nat({ max: replicaCount })))
  .map(
    ([replicaCount, syncReplicaCount]): Happening =>
      (world) => {
        world.want({ replicaCount, syncReplicaCount });
      },
  );

const resize = fc.constantFrom(SMALL, LARGE).map(
  (size): Happening =>
    (world) =>
      world.want({ size }),
);

/** The API refuses what cannot be: stopping what never was ready or rests, starting what runs. */
const power = fc.constant<Happening>((world) => {
  const { power: now, settledGeneration } = world.desired;
  if (now === "stopped") world.want({ power: "running" });
  else if (settledGeneration > 0) world.want({ power: "stopped" });
});

/** The API refuses it where nobody leads. */
const handOver = fc.constant<Happening>((world) => {
  if (world.state.leader) world.want({ handOverFrom: world.leader });
});

const allowList = fc.constantFrom(EVERY_ADDRESS, [CLIENT], ["198.51.100.0/24", CLIENT], []).map(
  (list): Happening =>
    (world) =>
      world.want({ allowList: list }),
);

/** The range of a VPC, in which a client may be. */
export const VPC_RANGE = "10.50.0.0/24";

const vpc = fc
  .record({
    attached: fc.constantFrom("7", "8", null),
    problem: fc.constantFrom(null, null, null, "it is not there"),
    peered: fc.boolean(),
  })
  .map(
    ({ attached, problem, peered }): Happening =>
      (world) => {
        for (const vpcId of ["7", "8"]) world.simulation.vpcs.set(vpcId, VPC_RANGE);
        const peerings = peered ? [{ peeringId: "3", network: "apps" }] : [];
        world.want({
          vpc: attached === null ? null : { vpcId: attached, cidr: VPC_RANGE, problem, peerings },
        });
      },
  );

const pooler = fc.boolean().map(
  (wanted): Happening =>
    (world) =>
      world.want({ pooler: wanted }),
);

const parameters = fc.constantFrom({}, { max_connections: "50" }, { max_connections: "200", jit: "off" }).map(
  (chosen): Happening =>
    (world) =>
      world.want({ parameters: chosen }),
);

const password = fc.constant<Happening>((world) =>
  world.want({ passwordVersion: world.desired.passwordVersion + 1 }),
);

const deletion = fc.constant<Happening>((world) => world.want({ presence: "absent" }));

const write = fc.constant<Happening>((world) => {
  world.faults.write(world.serviceId, CLIENT);
});

const memberFault = (
  name:
    | "killMember"
    | "removeContainer"
    | "loseVolume"
    | "freezeMember"
    | "thawMember"
    | "cutOffMember"
    | "forgetSettings",
) =>
  ordinal.map(
    (at): Happening =>
      (world) =>
        world.happens(`${name} ${at}`, () => world.faults[name](world.serviceId, at)),
  );

const standFault = fc
  .constantFrom(
    "loseGateway" as const,
    "restartGateway" as const,
    "killPooler" as const,
    "cutOffGateway" as const,
    "killRelays" as const,
  )
  .map(
    (name): Happening =>
      (world) =>
        world.happens(name, () => world.faults[name](world.serviceId)),
  );

const engineGone = fc.nat({ max: 10_000 }).map(
  (ms): Happening =>
    (world) =>
      world.happens(`engine gone ${ms} ms`, () => world.faults.engineUnreachable(ms)),
);

const failingSteps = fc.integer({ min: 1, max: 4 }).map(
  (times): Happening =>
    (world) =>
      world.faults.failSteps("any", times),
);

const cutStep = fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 2 })).map(
  ([before, after]): Happening =>
    (world) =>
      world.faults.cutStep(before, after),
);

const EVERYTHING_BUT_LOSS = [
  { weight: 6, arbitrary: time },
  { weight: 6, arbitrary: looks },
  { weight: 3, arbitrary: setHa },
  { weight: 2, arbitrary: resize },
  { weight: 3, arbitrary: write },
  { weight: 2, arbitrary: memberFault("killMember") },
  { weight: 1, arbitrary: memberFault("removeContainer") },
  { weight: 1, arbitrary: memberFault("freezeMember") },
  { weight: 1, arbitrary: memberFault("thawMember") },
  { weight: 1, arbitrary: memberFault("cutOffMember") },
  { weight: 1, arbitrary: memberFault("forgetSettings") },
  { weight: 1, arbitrary: handOver },
  { weight: 2, arbitrary: power },
  { weight: 1, arbitrary: parameters },
  { weight: 1, arbitrary: allowList },
  { weight: 1, arbitrary: pooler },
  { weight: 1, arbitrary: vpc },
  { weight: 1, arbitrary: password },
  { weight: 1, arbitrary: standFault },
  { weight: 1, arbitrary: engineGone },
  { weight: 1, arbitrary: failingSteps },
  { weight: 2, arbitrary: cutStep },
];

/** One look at a time, so that whatever comes next may come between any two steps; a client writes all along. */
const step = fc.integer({ min: 1, max: 3 }).map(
  (count): Happening =>
    async (world) => {
      for (let look = 0; look < count; look += 1) {
        world.faults.write(world.serviceId, CLIENT);
        await world.look();
      }
    },
);

const RESTS_AND_WAKES = [
  { weight: 8, arbitrary: step },
  { weight: 4, arbitrary: power },
  { weight: 1, arbitrary: setHa },
  { weight: 1, arbitrary: resize },
  { weight: 1, arbitrary: parameters },
  { weight: 1, arbitrary: failingSteps },
  { weight: 2, arbitrary: cutStep },
];

/**
 * A life of stops and starts under a control plane that fails, in which one container dies, and nothing that a failover
 * could lose: what has died is seen at once.
 */
export const restlessLife = fc
  .tuple(
    fc.array(fc.oneof(...RESTS_AND_WAKES), { minLength: 5, maxLength: 40, size: "max" }),
    memberFault("killMember"),
    fc.array(fc.oneof(...RESTS_AND_WAKES), { maxLength: 40, size: "max" }),
  )
  .map(([before, fault, after]) => [...before, fault, ...after]);

/** What happens to a fork until it is ready. */
export const beginning = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: looks },
    { weight: 2, arbitrary: time },
    { weight: 3, arbitrary: cutStep },
    { weight: 2, arbitrary: failingSteps },
    { weight: 1, arbitrary: engineGone },
    { weight: 2, arbitrary: memberFault("killMember") },
    { weight: 2, arbitrary: memberFault("removeContainer") },
    { weight: 1, arbitrary: setHa },
    { weight: 1, arbitrary: resize },
    { weight: 2, arbitrary: write },
    {
      weight: 2,
      arbitrary: fc.constant<Happening>((world) =>
        world.happens("the copier is killed", () => world.faults.killCopier(world.serviceId)),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.constant<Happening>((world) =>
        world.happens("the parent's primary is killed", () => world.faults.killMember(PARENT, 0)),
      ),
    },
    { weight: 2, arbitrary: fc.constant<Happening>((world) => void world.faults.write(PARENT, CLIENT)) },
  ),
  { maxLength: 40, size: "max" },
);

/** A life in which every volume survives. */
export const harmlessLife = fc.array(fc.oneof(...EVERYTHING_BUT_LOSS), { maxLength: 40, size: "max" });

/** A life in which volumes are lost as well, and the service may be deleted. */
export const harshLife = fc.array(
  fc.oneof(
    ...EVERYTHING_BUT_LOSS,
    { weight: 2, arbitrary: memberFault("loseVolume") },
    { weight: 1, arbitrary: deletion },
  ),
  { maxLength: 40, size: "max" },
);
