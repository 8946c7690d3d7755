/** What clients notice of a plan, in few words. Pure. */
import type { PlanRecord } from "../../../src/client/index.ts";
import type { Mood } from "./mood.ts";

type Interruption = NonNullable<PlanRecord["interruption"]>;

export interface Notice {
  readonly mood: Extract<Mood, "good" | "warn" | "bad">;
  readonly words: string;
}

/** On the direct endpoint. */
export function noticeOf({ kind, seconds, pooled }: Interruption): Notice {
  if (kind === "none")
    return pooled === "outage"
      ? { mood: "warn", words: "Sessions through the pooler end" }
      : { mood: "good", words: "Nobody notices: no session ends" };
  if (kind === "reconnect")
    return { mood: "warn", words: `Sessions end once, and can reconnect at once${writesWait(seconds)}` };
  if (seconds === undefined) return { mood: "bad", words: "Nobody is served meanwhile" };
  return { mood: "bad", words: `Sessions end, and nobody is served for about ${inSeconds(seconds)}` };
}

/** Through the pooler; null where there is none, or where it tells nothing more. */
export function pooledWords({ kind, pooled }: Interruption): string | null {
  if (pooled === undefined || kind === "none") return null;
  if (pooled === "none") return "Through the pooler: nothing is noticed";
  return pooled === "wait" ? "Through the pooler: transactions wait" : "Through the pooler: sessions end";
}

function writesWait(seconds: number | undefined): string {
  return seconds === undefined ? "" : `; writes wait for about ${inSeconds(seconds)}`;
}

function inSeconds(seconds: number): string {
  return seconds === 1 ? "a second" : `${seconds} seconds`;
}
