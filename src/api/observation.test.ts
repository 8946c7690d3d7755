import { expect, expectTypeOf, test } from "vitest";
import {
  NOTHING,
  onFullDisk,
  primary,
  replica,
  standing,
  stopped,
  volume,
} from "../../test/support/observations.ts";
import { desiredService } from "../../test/support/services.ts";
import type { ObservedService } from "../planner/observed.ts";
import { type Observed, readObservation } from "./observation.ts";

/** With every optional field in it, and none that is read-only, so that nothing of either is missing in the other. */
type Whole<T> = T extends object ? { -readonly [Key in keyof T]-?: Whole<T[Key]> } : T;

test("the schema has everything that can be observed, and nothing else", () => {
  expectTypeOf<Whole<Observed>>().toEqualTypeOf<Whole<ObservedService>>();
});

test.each<[string, ObservedService]>([
  ["nothing", NOTHING],
  [
    "a service with members in every state",
    standing(desiredService({ pooler: true }), [
      primary(0),
      replica(1, "sync"),
      onFullDisk(replica(2)),
      { ...stopped(3), hasDatabase: false },
      volume(4),
    ]),
  ],
  [
    "what engines say",
    {
      ...NOTHING,
      copy: { state: "failed", detail: "no\u0000room" },
      gateway: { ...NOTHING.gateway, problem: "?" },
    },
  ],
])("what was kept of %s is read back as it was", (_what, observed) => {
  expect(readObservation(JSON.parse(JSON.stringify(observed)))).toEqual(observed);
});

test("what another version has kept is not guessed at", () => {
  expect(readObservation(null)).toBeNull();
  expect(readObservation({ ...NOTHING, roles: undefined })).toBeNull();
  expect(readObservation({ ...NOTHING, foundation: "in the air" })).toBeNull();
});
