/** What a number of replicas is good for and what it costs, in plain words. Pure. */

export interface Explained {
  readonly survives: string;
  readonly writes: string;
  readonly loss: string;
}

/** @param synchronous how many of `count` */
export function explainReplicas(count: number, synchronous: number): Explained {
  return {
    survives: survives(count),
    loss: loss(count, synchronous),
    writes: writes(synchronous),
  };
}

function survives(count: number): string {
  if (count === 0)
    return "Without a replica nothing can take over: when the primary's server ends, it is restarted on its own volume, in seconds.";
  const members = count === 1 ? "one member" : `up to ${count} members, one after another`;
  return `Survives the loss of ${members}: a replica takes over within about a second.`;
}

function loss(count: number, synchronous: number): string {
  if (count === 0) return "What was committed is on one volume alone.";
  if (synchronous === 0)
    return "Asynchronous: when the primary is lost, the very last commits may be lost with it.";
  if (synchronous === 1)
    return "Synchronous: no acknowledged commit is lost with the primary, since a synchronous replica has each of them.";
  return `Synchronous: ${synchronous} replicas have each acknowledged commit, so that none is lost with any ${synchronous} members.`;
}

function writes(synchronous: number): string {
  if (synchronous === 0) return "A commit waits for no replica.";
  const whom = synchronous === 1 ? "a replica" : `the slowest of ${synchronous} replicas`;
  return `Each commit waits for ${whom}: one round trip more.`;
}
