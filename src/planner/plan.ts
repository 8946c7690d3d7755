/**
 * The planner: what to do next for one service, from what is wanted and what is observed. Pure: no I/O, no clock,
 * no randomness. Its rules are an ordered table; the first that has something to say decides.
 *
 * The law of the table: every rule may be reached again after any interruption, no rule removes what might be the last
 * good copy of the data, and no rule disturbs a member while another of the service is disturbed.
 */
import type { DesiredService } from "./desired.ts";
import type { ObservedService } from "./observed.ts";
import { READING } from "./reading.ts";
import { RUNNING } from "./running.ts";
import { type Plan, type Rule, situate, step } from "./situation.ts";
import { STOPPING } from "./stopping.ts";

export function plan(desired: DesiredService, observed: ObservedService): Plan {
  const situation = situate(desired, observed);
  for (const rule of rulesFor(desired)) {
    const decision = rule.decide(situation);
    if (decision) return decision;
  }
  return { kind: "settled" };
}

function rulesFor({ presence, power, readsFrom }: DesiredService): readonly Rule[] {
  if (presence === "absent") return REMOVAL;
  if (readsFrom !== null) return READING;
  return power === "stopped" ? STOPPING : RUNNING;
}

const REMOVAL: readonly Rule[] = [
  {
    sentence: "What shall be absent is removed, whatever state it is in.",
    // What only reads stands on the ground of another service.
    decide: ({ desired, observed }) =>
      (observed.foundation === "absent" || desired.readsFrom !== null) &&
      observed.gateway.state === "absent" &&
      observed.pooler.state === "absent" &&
      observed.copy.state === "absent" &&
      observed.members.length === 0 &&
      (observed.vpc?.relays ?? []).length === 0
        ? null
        : step({ kind: "removeService" }),
  },
];
