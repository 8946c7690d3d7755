/** Whether a region has room for a service, and what would fit where it has not. Pure. */
import { type DedicatedSize, SHARED_SIZE, type Size, sizeNotation } from "../contract/size.ts";
import { type Amount, type Room, SHARED_SHARE } from "../store/regions.ts";
import type { Shape } from "../store/service-row.ts";
import type { NoRoom } from "../store/services.ts";

const GIB = 1024 ** 3;

/** How many times over what a region has may be promised. */
export interface Overcommit {
  readonly cpu: number;
  readonly memory: number;
}

type Wanted = Pick<Shape, "size" | "replicaCount">;

/**
 * null where it fits.
 *
 * @param room without the service's own share, where it has one already
 * @param sizes on offer, to name one that would fit
 */
export function noRoom(
  room: Room,
  wanted: Wanted,
  overcommit: Overcommit,
  sizes: readonly DedicatedSize[],
): NoRoom | null {
  if (fits(room, wanted, overcommit)) return null;
  const alternatives = whatWouldFit(room, wanted, overcommit, sizes).map(describe);
  const advice =
    alternatives.length > 0
      ? `${alternatives.join(" or ")} would fit`
      : "nothing on offer would fit until other services are made smaller or deleted";
  return {
    message: `The region ${room.code} has no room for ${describe(wanted)}; ${advice}.`,
    details:
      `One member can have at most ${describeAmount(room.capacity)}, as the region's machine does. ` +
      `${describeAmount(left(room, overcommit))} can still be promised.`,
  };
}

function fits(room: Room, { size, replicaCount }: Wanted, overcommit: Overcommit): boolean {
  const member = shareOf(size);
  const members = 1 + replicaCount;
  const free = left(room, overcommit);
  return (
    covers(room.capacity, member) &&
    covers(free, {
      cpuMillis: members * member.cpuMillis,
      memoryBytes: members * member.memoryBytes,
    })
  );
}

/** The most replicas of the size asked for, and the largest size with the replicas asked for; failing both, alone. */
function whatWouldFit(
  room: Room,
  { size, replicaCount }: Wanted,
  overcommit: Overcommit,
  sizes: readonly DedicatedSize[],
): readonly Wanted[] {
  const fewer = Array.from({ length: replicaCount }, (_, index) => ({
    size,
    replicaCount: replicaCount - 1 - index,
  }));
  const sizesDown: readonly Size[] = [...sizes.toReversed(), SHARED_SIZE];
  const smaller = sizesDown.map((candidate) => ({ size: candidate, replicaCount }));
  const alone = sizesDown.map((candidate) => ({ size: candidate, replicaCount: 0 }));
  const best = (candidates: readonly Wanted[]) =>
    candidates.find((candidate) => fits(room, candidate, overcommit));
  const found = [best(fewer), best(smaller)].filter((wanted) => wanted !== undefined);
  return found.length > 0 ? found : [best(alone)].filter((wanted) => wanted !== undefined);
}

/** How many members of a size can still be promised; none where one alone exceeds what the region has. */
export function membersLeft(room: Room, size: Size, overcommit: Overcommit): number {
  const member = shareOf(size);
  if (!covers(room.capacity, member)) return 0;
  const free = left(room, overcommit);
  return Math.floor(Math.min(free.cpuMillis / member.cpuMillis, free.memoryBytes / member.memoryBytes));
}

export function left({ capacity, promised }: Room, overcommit: Overcommit): Amount {
  return {
    cpuMillis: Math.max(0, capacity.cpuMillis * overcommit.cpu - promised.cpuMillis),
    memoryBytes: Math.max(0, capacity.memoryBytes * overcommit.memory - promised.memoryBytes),
  };
}

function shareOf(size: Size): Amount {
  return size.kind === "shared"
    ? { cpuMillis: SHARED_SHARE.cpuMillis, memoryBytes: SHARED_SHARE.memoryGbs * GIB }
    : { cpuMillis: size.cpuMillis, memoryBytes: size.memoryGbs * GIB };
}

function covers(amount: Amount, needed: Amount): boolean {
  return amount.cpuMillis >= needed.cpuMillis && amount.memoryBytes >= needed.memoryBytes;
}

function describe({ size, replicaCount }: Wanted): string {
  return `${sizeNotation(size)} with ${replicaCount} ${replicaCount === 1 ? "replica" : "replicas"}`;
}

function describeAmount({ cpuMillis, memoryBytes }: Amount): string {
  return `${Math.floor(cpuMillis)} millicores and ${Math.floor(memoryBytes / GIB)} GiB`;
}
