import { describe, expect, test } from "vitest";
import { primary, replica, standing } from "../../test/support/observations.ts";
import { desiredService } from "../../test/support/services.ts";
import { disturbanceOf, interruptionOf } from "./interruption.ts";

const WRITES = { readsFrom: null };
const SERVING = { out: false, pooled: true };

describe("what a step does to clients", () => {
  const observed = standing(desiredService({ replicaCount: 1, pooler: true }), [primary(0), replica(1)]);

  test("depends on who leads", () => {
    expect(disturbanceOf({ kind: "restartPostgres", ordinal: 0 }, observed, WRITES)).toBe("restart");
    expect(disturbanceOf({ kind: "restartPostgres", ordinal: 1 }, observed, WRITES)).toBeNull();
    expect(disturbanceOf({ kind: "stopMember", ordinal: 0 }, observed, WRITES)).toBe("stop");
    expect(disturbanceOf({ kind: "stopMember", ordinal: 1 }, observed, WRITES)).toBeNull();
  });

  test("is nothing where a pooler goes that nobody was served by", () => {
    expect(disturbanceOf({ kind: "removePooler" }, observed, WRITES)).toBe("pooler-removal");
    const pooler = { state: "stopped", serving: false } as const;
    expect(disturbanceOf({ kind: "removePooler" }, { ...observed, pooler }, WRITES)).toBeNull();
  });
});

describe("what a step does to those who read from a set", () => {
  const reads = { readsFrom: "parent0000" };
  const fit = { kind: "fitMember", ordinal: 0, settings: {}, restart: true } as const;
  const two = standing(desiredService(), [replica(0), replica(1)]);
  const one = standing(desiredService(), [replica(0)]);

  test("depends on whether another node serves them", () => {
    expect(disturbanceOf(fit, two, reads)).toBe("node");
    expect(disturbanceOf(fit, one, reads)).toBe("only-node");
    expect(disturbanceOf({ ...fit, restart: false }, one, reads)).toBeNull();
    expect(disturbanceOf({ kind: "removeMember", ordinal: 1 }, two, reads)).toBe("node");
    expect(disturbanceOf({ kind: "removeMember", ordinal: 1 }, two, WRITES)).toBeNull();
  });
});

describe("the interruption of several steps", () => {
  test("is that of the worst, and lasts as long as all of them", () => {
    expect(interruptionOf([], SERVING)).toEqual({
      kind: "none",
      pooled: "none",
      message: "Nobody notices: no session ends.",
    });
    expect(interruptionOf(["switchover"], SERVING)).toMatchObject({
      kind: "reconnect",
      seconds: 1,
      pooled: "wait",
    });
    expect(interruptionOf(["switchover", "restart"], SERVING)).toMatchObject({
      kind: "outage",
      seconds: 3,
      pooled: "wait",
    });
  });

  test("has no seconds where nobody can say how long it lasts", () => {
    expect(interruptionOf(["switchover", "stop"], SERVING)).not.toHaveProperty("seconds");
    expect(interruptionOf([], { out: true, pooled: true })).toEqual({
      kind: "outage",
      pooled: "outage",
      message: "Nobody is served now, until the endpoint leads to a member.",
    });
  });

  test("says nothing of a pooler that is not there", () => {
    const alone = interruptionOf(["switchover"], { out: false, pooled: false });
    expect(alone).not.toHaveProperty("pooled");
    expect(alone.message).not.toContain("pooler");
  });

  test("tells each thing once", () => {
    const twice = interruptionOf(["restart", "restart"], SERVING);
    expect(twice.message).toBe(interruptionOf(["restart"], SERVING).message);
    expect(twice.seconds).toBe(4);
  });
});
