/** What a service promised about acknowledged writes, and when. */

/**
 * `confirmed`: a synchronous replica has every acknowledged write. `alone`: there is one copy, which survives every fault
 * of a run. `bounded`: a failover may lose the last ones.
 */
export type Promised = "confirmed" | "alone" | "bounded";

export interface Ha {
  readonly replicaCount: number;
  readonly syncReplicaCount: number;
}

export interface Promises {
  /** Call it before it is asked for: from then on less may be in force. */
  asks(ha: Ha): void;
  /** It was seen that this is in force; a look that began before the last answer to a request does not count. */
  seenInForce(ha: Ha): void;
  readonly now: Promised;
  /**
   * From when on, without a break until now, every acknowledged write was promised to stay; Infinity where the last one
   * need not.
   */
  readonly keptSince: number;
}

export function createPromises(now: () => number = () => performance.now()): Promises {
  let current: Promised = "bounded";
  let keptSince = Infinity;
  return {
    asks(wanted) {
      if (promisedBy(wanted) === current) return;
      current = "bounded";
      keptSince = Infinity;
    },
    seenInForce(ha) {
      if (promisedBy(ha) === current) return;
      current = promisedBy(ha);
      keptSince = current === "bounded" ? Infinity : now();
    },
    get now() {
      return current;
    },
    get keptSince() {
      return keptSince;
    },
  };
}

function promisedBy({ replicaCount, syncReplicaCount }: Ha): Promised {
  if (syncReplicaCount > 0) return "confirmed";
  return replicaCount === 0 ? "alone" : "bounded";
}
