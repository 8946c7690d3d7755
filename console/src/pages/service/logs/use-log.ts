/** A service's log: the newest page, older ones when they are asked for, and what is written from now on. */
import { useEffect, useEffectEvent, useReducer, useRef, useState } from "react";
import { type Client, ClientError, type LogQuery } from "../../../../../src/client/index.ts";
import { pause } from "../../../../../src/client/pause.ts";
import { useClient } from "../../../session/client.tsx";
import { now } from "../../../session/clock.ts";
import { type LogFilter, queryOf } from "./log-filter.ts";
import { type Gathered, gather, type LogLine, NOTHING_GATHERED, trimmed } from "./log-lines.ts";

/** Nothing tells of new lines, and each look is a program that runs inside every member. */
const FOLLOW_EVERY_MS = 3_000;
const AFTER_ERROR_MS = 10_000;
/** How far back is asked again, since members do not write at the same moment. */
const OVERLAP_MS = 5_000;
/** More new lines than that at once are not read by anybody. */
const MOST_PAGES = 4;

export interface LogState {
  readonly gathered: Gathered;
  /** Where older lines are; null: there are none. */
  readonly cursor: string | null;
  /** Whether the first page has come. */
  readonly loaded: boolean;
  readonly loadingOlder: boolean;
  readonly error: Error | null;
}

type Happening =
  | { readonly kind: "began" }
  | { readonly kind: "first"; readonly lines: readonly LogLine[]; readonly cursor: string | null }
  | { readonly kind: "older"; readonly lines: readonly LogLine[]; readonly cursor: string | null }
  | { readonly kind: "newer"; readonly lines: readonly LogLine[]; readonly trim: boolean }
  | { readonly kind: "asking older" }
  | { readonly kind: "failed"; readonly error: Error };

const BEGINNING: LogState = {
  gathered: NOTHING_GATHERED,
  cursor: null,
  loaded: false,
  loadingOlder: false,
  error: null,
};

function reduce(state: LogState, happening: Happening): LogState {
  switch (happening.kind) {
    case "began":
      return BEGINNING;
    case "asking older":
      return { ...state, loadingOlder: true };
    case "failed":
      return { ...state, loadingOlder: false, error: happening.error };
    case "newer": {
      const gathered = gather(state.gathered, happening.lines);
      return { ...state, error: null, gathered: happening.trim ? trimmed(gathered) : gathered };
    }
    case "first":
    case "older": {
      const gathered = gather(state.gathered, happening.lines);
      return { gathered, cursor: happening.cursor, loaded: true, loadingOlder: false, error: null };
    }
  }
}

export interface LogOptions {
  readonly serviceId: string;
  readonly filter: LogFilter;
  /** Whether what is written from now on is added. */
  readonly live: boolean;
  /** Whether the oldest lines may go: not while somebody reads them. */
  readonly mayTrim: () => boolean;
}

export function useLog({ serviceId, filter, live, mayTrim }: LogOptions) {
  const client = useClient();
  const [state, tell] = useReducer(reduce, BEGINNING);
  const [turn, setTurn] = useState(0);
  const asked = useRef<LogQuery>({});
  const trim = useEffectEvent(mayTrim);
  const newestMs = useEffectEvent(() => Date.parse(state.gathered.lines.at(-1)?.timestamp ?? ""));

  useEffect(() => {
    const stop = new AbortController();
    asked.current = queryOf(filter, now());
    tell({ kind: "began" });
    client
      .getServiceLogs(serviceId, asked.current, { signal: stop.signal })
      .then(({ entries, last_cursor = null }) => tell({ kind: "first", lines: entries, cursor: last_cursor }))
      .catch((error: unknown) => report(error, stop.signal));
    return () => stop.abort();
    // Asked for again by `turn`, though the filter is the same.
  }, [client, serviceId, filter, turn]);

  const { loaded } = state;
  useEffect(() => {
    if (!live || !loaded) return undefined;
    const stop = new AbortController();
    void follow(stop.signal);
    return () => stop.abort();

    async function follow(signal: AbortSignal): Promise<void> {
      let waitMs = FOLLOW_EVERY_MS;
      while (!signal.aborted) {
        await pause(waitMs, signal).catch(() => undefined);
        if (signal.aborted) return;
        if (document.hidden) continue;
        try {
          const lines = await since(client, serviceId, asked.current, newestMs(), signal);
          tell({ kind: "newer", lines, trim: trim() });
          waitMs = FOLLOW_EVERY_MS;
        } catch (error) {
          report(error, signal);
          waitMs = AFTER_ERROR_MS;
        }
      }
    }
  }, [client, serviceId, filter, turn, live, loaded]);

  function report(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    if (!(error instanceof ClientError)) throw error;
    tell({ kind: "failed", error });
  }

  async function loadOlder(): Promise<void> {
    if (state.cursor === null || state.loadingOlder) return;
    const query = asked.current;
    tell({ kind: "asking older" });
    try {
      const page = await client.getServiceLogs(serviceId, { ...query, cursor: state.cursor });
      // The filter may have changed meanwhile: these lines then belong to nothing.
      if (asked.current === query)
        tell({ kind: "older", lines: page.entries, cursor: page.last_cursor ?? null });
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      if (asked.current === query) tell({ kind: "failed", error });
    }
  }

  return { state, loadOlder, reload: () => setTurn(turn + 1) };
}

/** What was written after the newest known line, and a little before it. Newest first. */
async function since(
  client: Client,
  serviceId: string,
  query: LogQuery,
  newestMs: number,
  signal: AbortSignal,
): Promise<readonly LogLine[]> {
  const from = (Number.isNaN(newestMs) ? now() : newestMs) - OVERLAP_MS;
  const begin = new Date(Math.max(from, Date.parse(query.since ?? "") || 0)).toISOString();
  const lines: LogLine[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const asked = { ...query, since: begin, ...(cursor ? { cursor } : {}) };
    const found = await client.getServiceLogs(serviceId, asked, { signal });
    lines.push(...found.entries);
    cursor = found.last_cursor;
    if (cursor === undefined) break;
  }
  return lines;
}
