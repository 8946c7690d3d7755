/** Which lines are asked for. */
import type { LogQuery } from "../../../../../src/client/index.ts";
import { momentFrom } from "../../../data/time-range.ts";
import { SEVERITY_GROUPS, searchWords } from "./log-lines.ts";

export interface LogFilter {
  readonly search: string;
  /** Ids of SEVERITY_GROUPS; empty: all. */
  readonly groups: readonly string[];
  /** The name of a member; empty: all. */
  readonly node: string;
  /** A number of minutes until now, "custom", or empty for any time. */
  readonly range: string;
  /** As an input of the type datetime-local has it, in the viewer's zone; empty: unbounded. */
  readonly from: string;
  readonly to: string;
}

export const NO_FILTER: LogFilter = { search: "", groups: [], node: "", range: "", from: "", to: "" };

export const RANGES = [
  { value: "", label: "Any time" },
  { value: "15", label: "Last 15 minutes" },
  { value: "60", label: "Last hour" },
  { value: "360", label: "Last 6 hours" },
  { value: "1440", label: "Last 24 hours" },
  { value: "custom", label: "From … to" },
] as const;

/** @param now milliseconds of the epoch */
export function queryOf({ search, groups, node, range, from, to }: LogFilter, now: number): LogQuery {
  const words = searchWords(search);
  const chosen = SEVERITY_GROUPS.filter(({ id }) => groups.includes(id));
  const since =
    range === "custom" ? momentFrom(from) : range === "" ? null : minutesBefore(now, Number(range));
  const until = range === "custom" ? momentFrom(to) : null;
  return {
    ...(words.length > 0 ? { search: words } : {}),
    ...(chosen.length > 0 ? { severities: chosen.flatMap(({ severities }) => severities) } : {}),
    ...(node === "" ? {} : { node }),
    ...(since === null ? {} : { since }),
    ...(until === null ? {} : { until }),
  };
}

function minutesBefore(now: number, minutes: number): string {
  return new Date(now - minutes * 60_000).toISOString();
}

/** Lines that are still to be written cannot be among them. */
export function endsBeforeNow({ range, to }: LogFilter): boolean {
  return range === "custom" && to !== "";
}
