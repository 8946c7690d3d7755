/** The random events of a service's life, for property tests. */
import * as fc from "fast-check";
import { LARGE, SMALL } from "../support/services.ts";
import type { World } from "../support/world.ts";

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

const deletion = fc.constant<Happening>((world) => world.want({ presence: "absent" }));

const write = fc.constant<Happening>((world) => {
  world.faults.write(world.serviceId);
});

const memberFault = (name: "killMember" | "removeContainer" | "loseVolume" | "freezeMember" | "thawMember") =>
  ordinal.map(
    (at): Happening =>
      (world) =>
        world.happens(`${name} ${at}`, () => world.faults[name](world.serviceId, at)),
  );

const loseGateway = fc.constant<Happening>((world) =>
  world.happens("loseGateway", () => world.faults.loseGateway(world.serviceId)),
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
  { weight: 1, arbitrary: loseGateway },
  { weight: 1, arbitrary: engineGone },
  { weight: 1, arbitrary: failingSteps },
  { weight: 2, arbitrary: cutStep },
];

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
