import { expect, test } from "vitest";
import { BY_HAND, nodesInWords, planOf, REPLICA_PLANS } from "./replica-plans.ts";

test("numbers are found again as the plan that they are", () => {
  for (const { id, replicas, synchronous } of REPLICA_PLANS) expect(planOf(replicas, synchronous)).toBe(id);
  expect(planOf(3, 1)).toBe(BY_HAND);
});

test("nodes are told one by one", () => {
  expect(nodesInWords(0, 0)).toBe("1 node, the primary");
  expect(nodesInWords(1, 1)).toBe("2 nodes: the primary, and 1 synchronous replica");
  expect(nodesInWords(3, 1)).toBe("4 nodes: the primary, and 1 synchronous and 2 asynchronous replicas");
});
