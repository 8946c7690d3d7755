/** From a new service's events to the steps that brought it up, and how long each took. Pure. */
import type { EventRecord, ServiceStory } from "../../../../../src/client/index.ts";

export interface ProgressStep {
  readonly id: string;
  readonly message: string;
  readonly type: string;
  readonly data: EventRecord["data"];
  readonly actor: string;
  /** Seconds from the beginning. */
  readonly after: number;
}

export interface Progress {
  /** Oldest first. */
  readonly steps: readonly ProgressStep[];
  /** Whether clients can connect, and write. */
  readonly connectable: boolean;
  /** Everything that was asked for is in force. */
  readonly ready: boolean;
  /** Seconds from the beginning until it was first ready; null: it was not yet, or nobody knows any more. */
  readonly readyAfter: number | null;
}

/** @param created as the service's record has it */
export function progressOf({ status, conditions, events }: ServiceStory, created: string): Progress {
  const beginning = Date.parse(created);
  const after = (at: string) => Math.max(0, (Date.parse(at) - beginning) / 1_000);
  const oldestFirst = events.toReversed();
  const firstReady = oldestFirst.findIndex(
    ({ type, data }) => type === "service.status" && data["to"] === "READY",
  );
  const first = oldestFirst[firstReady];
  // What happened to it later is no step of its coming up.
  const making = first ? oldestFirst.slice(0, firstReady + 1) : oldestFirst;
  const ready = status === "READY";
  return {
    steps: making
      .filter((event, index) => tells(event) || (!ready && index === making.length - 1))
      .map(({ id, message, type, data, actor, at }) => ({
        id,
        message: message.replace(/^\w+ is True: /, ""),
        type,
        data,
        actor,
        after: after(at),
      })),
    connectable: ready || conditions.some((each) => each.type === "Available" && each.status === "True"),
    ready,
    readyAfter: first ? after(first.at) : null,
  };
}

/** What is more than a consequence of another step. What is waited for is told while it is. */
function tells({ type, data }: EventRecord): boolean {
  if (type === "service.status") return data["to"] === "READY" || data["to"] === "UNSTABLE";
  return type !== "service.member" && type !== "service.waiting";
}

/** "4.2 s", and from a minute on "1 min 5 s". */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
