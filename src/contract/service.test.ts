import { expect, test } from "vitest";
import { type Addon, serviceType } from "./service.ts";

const CASES: readonly [readonly Addon[], string][] = [
  [[], "POSTGRES"],
  [["ai"], "VECTOR"],
  [["time-series"], "TIMESERIESDB"],
  [["time-series", "ai"], "TIMESERIESDB"],
  [["ai", "time-series"], "TIMESERIESDB"],
];

test.each(CASES)("the add-ons %j make a service of type %s", (addons, type) => {
  expect(serviceType(addons)).toBe(type);
});
