/** What has become of the members and of the lead since the last look; told from what the service's row remembers. Pure. */
import type { InForce, MemberInForce, MemberState } from "../contract/in-force.ts";
import type { DueService } from "../store/due-service.ts";
import type { PassResult } from "../store/pass-result.ts";

type Events = PassResult["events"];

/** What is seen now, with the member that led last carried over the time in which nobody leads. */
export function remember(before: InForce | null, now: InForce | null): InForce | null {
  return now && { ...now, led: now.primary ?? before?.led ?? before?.primary ?? null };
}

/** Each change once: what is compared with is written in the same transaction as what is told. */
export function memberEvents(service: DueService, now: InForce | null): Events {
  const before = service.inForce;
  if (!now?.members || (before && !before.members)) return [];
  return [...changedMembers(before?.members ?? [], now.members), ...changedLead(service, now, now.members)];
}

function changedMembers(before: readonly MemberInForce[], now: readonly MemberInForce[]): Events {
  const ordinals = [...new Set([...before, ...now].map(({ ordinal }) => ordinal))].toSorted((a, b) => a - b);
  return ordinals.flatMap((ordinal) => {
    const from = byOrdinal(before, ordinal)?.state ?? null;
    const to = byOrdinal(now, ordinal)?.state ?? null;
    if (from === to) return [];
    const message = `Member ${ordinal} ${describe(from, to)}.`;
    return [{ type: "service.member", message, data: { member: ordinal, from, to } }];
  });
}

function describe(from: MemberState | null, to: MemberState | null): string {
  if (from === null) return "has appeared";
  switch (to) {
    case null:
      return "is gone";
    case "running":
      return "runs, and its PostgreSQL answers";
    case "silent":
      return from === "running" ? "does not answer any more" : "is starting";
    case "stopped":
      return "has stopped";
    case "frozen":
      return "is frozen";
    case "cut off":
      return "is cut off from the network of its service";
  }
}

function changedLead(service: DueService, now: InForce, members: readonly MemberInForce[]): Events {
  const from = service.inForce?.led ?? service.inForce?.primary ?? null;
  const to = now.primary;
  if (to === null || to === from) return [];
  if (from === null)
    return [{ type: "service.role", message: `Member ${to} leads.`, data: { from, to, reason: "first" } }];
  const { reason, words } = whyLeads(service, from, byOrdinal(members, from));
  const message = `The primary has changed from member ${from} to member ${to}: ${words}.`;
  return [{ type: "service.role", message, data: { from, to, reason } }];
}

function whyLeads(service: DueService, from: number, old: MemberInForce | undefined) {
  const { handOverFrom, generation, settledGeneration } = service;
  if (handOverFrom === from) return { reason: "switchover", words: "a switchover was asked for" };
  const lost = old === undefined || old.state !== "running";
  if (lost || generation === settledGeneration)
    return {
      reason: "failover",
      words: lost ? `member ${from} ${old ? STATES[old.state] : "is gone"}` : `member ${from} was lost`,
    };
  return { reason: "switchover", words: "a change that was asked for needed it" };
}

const STATES: Readonly<Record<MemberState, string>> = {
  running: "runs",
  silent: "does not answer",
  stopped: "has stopped",
  frozen: "is frozen",
  "cut off": "is cut off",
};

function byOrdinal(members: readonly MemberInForce[], ordinal: number): MemberInForce | undefined {
  return members.find((member) => member.ordinal === ordinal);
}
