import { describe, expect, it } from "vitest";
import { summarize } from "./statistics.ts";

describe("summarize", () => {
  it("has nothing to say about no samples", () => {
    expect(summarize([])).toBeNull();
  });

  it("does not care about the order of the samples", () => {
    expect(summarize([3, 1, 2])).toEqual({ samples: 3, min: 1, median: 2, p90: 3, p99: 3, max: 3 });
  });

  it("takes the middle between the two middle ones of an even number", () => {
    expect(summarize([10, 2, 4, 8])?.median).toBe(6);
  });

  it("gives percentiles that were measured, by nearest rank", () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(summarize(hundred)).toMatchObject({ median: 50.5, p90: 90, p99: 99, max: 100 });
  });
});
