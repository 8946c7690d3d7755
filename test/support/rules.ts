/** Tests of a table of rules: for each rule, by its sentence, situations in which it is the one that decides. */
import { describe, expect, test } from "vitest";
import type { DesiredService } from "../../src/planner/desired.ts";
import type { ObservedService } from "../../src/planner/observed.ts";
import { plan } from "../../src/planner/plan.ts";
import { type Plan, type Rule, situate } from "../../src/planner/situation.ts";
import { desiredService } from "./services.ts";

export interface Case {
  readonly when: string;
  readonly desired: Partial<DesiredService>;
  readonly observed: (desired: DesiredService) => ObservedService;
  readonly decides: Plan;
}

export const step = <Kind extends object>(next: Kind) => ({ kind: "step", step: next }) as const;
export const wait = <Reason extends string>(reason: Reason, detail: string) =>
  ({ kind: "wait", reason, detail }) as const;

/** @param base what all cases want unless they say otherwise */
export function describeRules(
  table: readonly Rule[],
  cases: Readonly<Record<string, readonly Case[]>>,
  base: Partial<DesiredService> = {},
): void {
  describe.each(Object.entries(cases))("%s", (sentence, shown) => {
    test.each(shown)("$when", ({ desired: changes, observed: observe, decides }) => {
      const desired = desiredService({ ...base, ...changes });
      const observed = observe(desired);
      const situation = situate(desired, observed);
      expect(table.find((rule) => rule.decide(situation) !== null)?.sentence).toBe(sentence);
      expect(plan(desired, observed)).toEqual(decides);
    });
  });

  test("every rule of the table is shown by a situation, in its order", () => {
    expect(Object.keys(cases)).toEqual(table.map(({ sentence }) => sentence));
  });
}
