/** A condition as a short statement. Pure. */

interface Told {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
}

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Available: {
    True: "It takes writes",
    False: "It takes no writes",
    Unknown: "Nobody knows whether it takes writes",
  },
  Replicated: {
    True: "Every replica follows as asked for",
    False: "Not every replica follows",
    Unknown: "Nobody knows whether the replicas follow",
  },
  Settled: {
    True: "Everything asked for is in force",
    False: "Something is still to be done",
    Unknown: "Nobody knows what is still to be done",
  },
};

/** Of read replica sets, where it is something else than of services. */
const READERS: typeof WORDS = {
  Available: {
    True: "It can be read",
    False: "It cannot be read",
    Unknown: "Nobody knows whether it can be read",
  },
  Replicated: {
    True: "Every node follows the primary",
    False: "Not every node follows the primary",
    Unknown: "Nobody knows whether the nodes follow",
  },
};

/** The reason of what is not so because the service was stopped. */
export const STOPPED = "Stopped";

const WHILE_STOPPED: Readonly<Record<string, string>> = {
  Available: "It serves nobody while it is stopped",
  Replicated: "Its replicas are stopped too",
};

/** A condition that this console does not know is told in the API's own words. */
export function conditionWords({ type, status, reason }: Told, readers: boolean): string {
  const stopped = reason === STOPPED ? WHILE_STOPPED[type] : undefined;
  if (stopped !== undefined) return stopped;
  const words = (readers ? READERS[type] : undefined) ?? WORDS[type];
  return words?.[status] ?? `${type}: ${status}`;
}
