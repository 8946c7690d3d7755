/** The ranges of addresses from which clients may connect, while they are being changed. Pure. */
import { cidrsOverlap, EVERY_ADDRESS, parseCidr } from "../../../../../src/contract/cidr.ts";

export type Added =
  | { readonly kind: "added"; readonly cidrs: readonly string[] }
  | { readonly kind: "refused"; readonly message: string };

/** More are refused by the API. */
export const MOST_RANGES = 100;

/** With all ranges that a text has, which commas, spaces or line ends stand between. All of them, or none. */
export function withRanges(cidrs: readonly string[], text: string): Added {
  const added: string[] = [];
  for (const part of text.split(/[\s,;]+/).filter(Boolean)) {
    const choice = parseCidr(part);
    if (choice.kind === "refused") return choice;
    added.push(choice.cidr);
  }
  if (added.length === 0)
    return {
      kind: "refused",
      message: "Write an address or a range, such as 192.0.2.0/24 or 2001:db8::/32.",
    };
  const all = [...new Set([...cidrs, ...added])];
  if (all.length > MOST_RANGES)
    return {
      kind: "refused",
      message: `At most ${MOST_RANGES} ranges can be listed; these would be ${all.length}.`,
    };
  return { kind: "added", cidrs: all };
}

/** Those that let every address of their kind in. */
export function openRanges(cidrs: readonly string[]): readonly string[] {
  return cidrs.filter((cidr) => EVERY_ADDRESS.includes(cidr));
}

/** A longer range of the list that has this one in it; null where none has. */
export function coveredBy(cidr: string, cidrs: readonly string[]): string | null {
  const bits = (range: string) => Number(range.split("/")[1]);
  return cidrs.find((other) => bits(other) < bits(cidr) && cidrsOverlap(other, cidr)) ?? null;
}

/** What is to be changed of the list, whatever else becomes of it meanwhile. */
export interface AllowListDraft {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** null: nothing is. */
export function draftOf(saved: readonly string[], cidrs: readonly string[]): AllowListDraft | null {
  const added = cidrs.filter((cidr) => !saved.includes(cidr));
  const removed = saved.filter((cidr) => !cidrs.includes(cidr));
  return added.length === 0 && removed.length === 0 ? null : { added, removed };
}

export function applied(saved: readonly string[], { added, removed }: AllowListDraft): readonly string[] {
  return [...new Set([...saved, ...added])].filter((cidr) => !removed.includes(cidr));
}
