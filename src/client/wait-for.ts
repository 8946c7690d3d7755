/** Follows a service after a change, telling each step, until there is nothing more to wait for. */
import type { ServiceStatus } from "../contract/service.ts";
import type { ServiceEvent } from "../contract/service-events.ts";
import type { ServiceRecord } from "./answers.ts";
import type { Client } from "./client.ts";
import { ClientError } from "./client-error.ts";
import { pause } from "./pause.ts";

export type Goal = "READY" | "PAUSED" | "GONE";

export interface WaitProgress {
  readonly status: string;
  /** Why it is not there yet, in a sentence. */
  readonly reason: string;
  /** Why the API could not be asked just now; null: it answered. */
  readonly problem: string | null;
  /** Not told before, oldest first. */
  readonly events: readonly ServiceEvent[];
}

export interface WaitOptions {
  /** After how long to give up. The service goes on. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
  /** Called after every look. */
  readonly onProgress?: (progress: WaitProgress) => void;
}

export type WaitOutcome =
  /** null: it is gone, as was wanted. */
  | { readonly kind: "reached"; readonly service: ServiceRecord | null }
  /** Waiting any longer leads nowhere. */
  | { readonly kind: "cannot"; readonly status: string; readonly why: string }
  | { readonly kind: "overdue"; readonly status: string; readonly why: string }
  | { readonly kind: "aborted" };

type Meaning = "reached" | "on-the-way" | "cannot";

/** What each status means to somebody who waits: the compiler sees to it that none is forgotten. */
const MEANINGS: Readonly<Record<Goal, Readonly<Record<ServiceStatus, Meaning>>>> = {
  READY: {
    QUEUED: "on-the-way",
    CONFIGURING: "on-the-way",
    READY: "reached",
    // It mends itself, or stays so until the deadline.
    UNSTABLE: "on-the-way",
    PAUSING: "on-the-way",
    PAUSED: "cannot",
    RESUMING: "on-the-way",
    UPGRADING: "on-the-way",
    OPTIMIZING: "on-the-way",
    DELETING: "cannot",
    DELETED: "cannot",
  },
  PAUSED: {
    QUEUED: "on-the-way",
    CONFIGURING: "on-the-way",
    READY: "cannot",
    UNSTABLE: "on-the-way",
    PAUSING: "on-the-way",
    PAUSED: "reached",
    RESUMING: "cannot",
    UPGRADING: "on-the-way",
    OPTIMIZING: "on-the-way",
    DELETING: "cannot",
    DELETED: "cannot",
  },
  GONE: {
    QUEUED: "on-the-way",
    CONFIGURING: "on-the-way",
    READY: "on-the-way",
    UNSTABLE: "on-the-way",
    PAUSING: "on-the-way",
    PAUSED: "on-the-way",
    RESUMING: "on-the-way",
    UPGRADING: "on-the-way",
    OPTIMIZING: "on-the-way",
    DELETING: "on-the-way",
    DELETED: "reached",
  },
};

/** How long a status that this client does not know is taken for one on the way. */
const UNKNOWN_STATUS_PATIENCE_MS = 60_000;
/** How long the API may be away: long enough for it to be restarted. */
const SILENCE_PATIENCE_MS = 60_000;
const FIRST_POLL_MS = 150;
const POLL_GROWTH = 1.25;
const LONGEST_POLL_MS = 1_000;
/** A service tells a few events a second at most. */
const EVENTS_A_LOOK = 100;
const CONTROL_PLANE = "howdah";

type Asked = Pick<Client, "getService" | "getServiceEvents">;

/** Throws ClientError where the API refuses, or has been silent for a minute. */
export async function waitFor(
  client: Asked,
  serviceId: string,
  until: Goal,
  options: WaitOptions,
): Promise<WaitOutcome> {
  const giveUpAt = performance.now() + options.deadlineMs;
  const ended = AbortSignal.any([
    AbortSignal.timeout(options.deadlineMs),
    ...(options.signal ? [options.signal] : []),
  ]);
  const watch = createWatch(client, serviceId, until, ended);
  let pollMs = FIRST_POLL_MS;
  for (;;) {
    try {
      const { outcome, progress } = await watch.look();
      if (progress) options.onProgress?.(progress);
      if (outcome) return outcome;
      await pause(Math.min(pollMs, Math.max(0, giveUpAt - performance.now())), ended);
    } catch (error) {
      if (options.signal?.aborted) return { kind: "aborted" };
      if (!ended.aborted) throw error;
    }
    if (performance.now() >= giveUpAt || ended.aborted) return { kind: "overdue", ...watch.last() };
    pollMs = Math.min(LONGEST_POLL_MS, pollMs * POLL_GROWTH);
  }
}

interface Look {
  /** null: to be looked again. */
  readonly outcome: WaitOutcome | null;
  /** null: nothing was told. */
  readonly progress: WaitProgress | null;
}

interface Watch {
  look(): Promise<Look>;
  last(): { readonly status: string; readonly why: string };
}

function createWatch(client: Asked, serviceId: string, until: Goal, signal: AbortSignal): Watch {
  const news = createNews();
  const silence = createPatience(SILENCE_PATIENCE_MS);
  const unknown = createPatience(UNKNOWN_STATUS_PATIENCE_MS);
  let status = "unknown";
  let why = "The API has not told yet.";

  async function meet(): Promise<Look> {
    const story = await client.getServiceEvents(serviceId, { limit: EVENTS_A_LOOK }, { signal });
    silence.end();
    status = story.status;
    why = story.status_reason;
    const events = news.since(story.events);
    return { outcome: await judge(), progress: { status, reason: why, problem: null, events } };
  }

  async function judge(): Promise<WaitOutcome | null> {
    const meaning = meaningOf(until, status);
    if (meaning !== "unknown") unknown.end();
    switch (meaning) {
      case "on-the-way":
        return null;
      case "cannot":
        return { kind: "cannot", status, why };
      case "unknown":
        return unknown.isOver()
          ? { kind: "cannot", status, why: `This client does not know the status ${status}. ${why}` }
          : null;
      case "reached": {
        // The record is what counts; it may have moved on since.
        const service = await client.getService(serviceId, { signal });
        return meaningOf(until, service.status) === "reached" ? { kind: "reached", service } : null;
      }
    }
  }

  return {
    last: () => ({ status, why }),
    async look() {
      try {
        return await meet();
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        if (error.code === "NOT_FOUND") return { outcome: gone(until), progress: null };
        if (!isPassing(error) || silence.isOver()) throw error;
        const progress = { status, reason: why, problem: error.message, events: [] };
        return { outcome: null, progress };
      }
    },
  };
}

function meaningOf(until: Goal, status: string): Meaning | "unknown" {
  const meanings: Readonly<Partial<Record<string, Meaning>>> = MEANINGS[until];
  return Object.hasOwn(meanings, status) ? (meanings[status] ?? "unknown") : "unknown";
}

function gone(until: Goal): WaitOutcome {
  return until === "GONE"
    ? { kind: "reached", service: null }
    : { kind: "cannot", status: "DELETED", why: "The service is gone." };
}

/** The API is away or busy; a refusal would stay one. */
function isPassing({ status, code }: ClientError): boolean {
  return status === null ? code !== "UNEXPECTED_ANSWER" : status === 429 || status >= 500;
}

/** Counts from the first time it is asked after an end. */
function createPatience(ms: number) {
  let since: number | null = null;
  return {
    end() {
      since = null;
    },
    isOver(): boolean {
      since ??= performance.now();
      return performance.now() - since >= ms;
    },
  };
}

/** Tells events once. What came before the latest request of a client is old when the watch begins. */
function createNews() {
  let seen: number | null = null;
  return {
    since(newestFirst: readonly ServiceEvent[]): readonly ServiceEvent[] {
      const isNew =
        seen === null ? untilRequest(newestFirst) : newestFirst.filter(({ id }) => Number(id) > (seen ?? 0));
      seen = Math.max(seen ?? 0, ...newestFirst.map(({ id }) => Number(id)));
      return isNew.toReversed();
    },
  };
}

function untilRequest(newestFirst: readonly ServiceEvent[]): readonly ServiceEvent[] {
  const request = newestFirst.findIndex(({ actor }) => actor !== CONTROL_PLANE);
  return request === -1 ? newestFirst : newestFirst.slice(0, request);
}
