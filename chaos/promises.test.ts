import { expect, test } from "vitest";
import { createPromises } from "./promises.ts";

const ALONE = { replicaCount: 0, syncReplicaCount: 0 };
const ASYNCHRONOUS = { replicaCount: 2, syncReplicaCount: 0 };
const ONE_SYNCHRONOUS = { replicaCount: 2, syncReplicaCount: 1 };
const TWO_SYNCHRONOUS = { replicaCount: 2, syncReplicaCount: 2 };

test.each([
  { ha: ALONE, promised: "alone", keptSince: 7 },
  { ha: ASYNCHRONOUS, promised: "bounded", keptSince: Infinity },
  { ha: ONE_SYNCHRONOUS, promised: "confirmed", keptSince: 7 },
] as const)("$ha promises $promised once it is in force", ({ ha, promised, keptSince }) => {
  const promises = createPromises(() => 7);
  expect(promises.now).toBe("bounded");
  promises.seenInForce(ha);
  expect(promises).toMatchObject({ now: promised, keptSince });
});

test("nothing is promised any more from the moment when less is asked for", () => {
  const promises = createPromises(() => 7);
  promises.seenInForce(ONE_SYNCHRONOUS);
  promises.asks(ASYNCHRONOUS);
  expect(promises).toMatchObject({ now: "bounded", keptSince: Infinity });
});

test("another number of synchronous replicas breaks no promise", () => {
  let now = 1;
  const promises = createPromises(() => now);
  promises.seenInForce(ONE_SYNCHRONOUS);
  now = 2;
  promises.asks(TWO_SYNCHRONOUS);
  promises.seenInForce(TWO_SYNCHRONOUS);
  expect(promises).toMatchObject({ now: "confirmed", keptSince: 1 });
});

test("what is promised again counts from when it is in force again", () => {
  let now = 1;
  const promises = createPromises(() => now);
  promises.seenInForce(ONE_SYNCHRONOUS);
  promises.asks(ALONE);
  now = 2;
  promises.seenInForce(ALONE);
  expect(promises).toMatchObject({ now: "alone", keptSince: 2 });
  promises.asks(ONE_SYNCHRONOUS);
  now = 3;
  promises.seenInForce(ONE_SYNCHRONOUS);
  expect(promises).toMatchObject({ now: "confirmed", keptSince: 3 });
});
