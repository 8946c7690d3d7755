import { describe, expect, test } from "vitest";
import type { ServiceRecord } from "../../../../src/client/index.ts";
import { facetValues, shownServices } from "./service-filters.ts";
import { isFiltered, readSearch, withFacet } from "./service-search.ts";

function service(name: string, changes: Partial<ServiceRecord> = {}): ServiceRecord {
  return {
    service_id: `${name}000000000`.slice(0, 10),
    project_id: "p",
    name,
    region_code: "local",
    service_type: "TIMESERIESDB",
    created: "2026-11-21T09:00:00.000Z",
    status: "READY",
    resources: [{ spec: { cpu_millis: 500, memory_gbs: 2 } }],
    endpoint: { host: "127.0.0.1", port: 31_337 },
    metadata: { environment: "DEV" },
    ...changes,
  };
}

const SERVICES = [
  service("orders", { metadata: { environment: "PROD" }, created: "2026-11-21T10:00:00.000Z" }),
  service("billing", { status: "UNSTABLE", metrics: { milli_cpu: 400 } }),
  service("vectors 2", { service_type: "VECTOR", region_code: "north", resources: [{ spec: {} }] }),
  service("vectors 10", { service_type: "VECTOR", status: "PAUSED", ha_replicas: { replica_count: 2 } }),
];
const names = (search: Parameters<typeof shownServices>[1]) =>
  shownServices(SERVICES, search).map(({ name }) => name);

describe("the address", () => {
  test("is read as it was written", () => {
    const search = { q: "orders", status: ["READY", "PAUSED"], region: ["local"], sort: "name" } as const;
    expect(readSearch({ ...search })).toEqual(search);
  });

  test("opens the page whatever stands in it", () => {
    expect(
      readSearch({ q: 7, status: [null, "", "READY", "READY"], type: "VECTOR", sort: "no", more: 1 }),
    ).toEqual({
      status: ["READY"],
      type: ["VECTOR"],
    });
    expect(readSearch({ sort: "newest", q: "" })).toEqual({});
  });

  test("loses a facet of which nothing is chosen any more", () => {
    const search = withFacet({ q: "a" }, "status", ["READY"]);
    expect(search).toEqual({ q: "a", status: ["READY"] });
    expect(withFacet(search, "status", [])).toEqual({ q: "a" });
    expect([isFiltered({ sort: "name" }), isFiltered(search)]).toEqual([false, true]);
  });
});

describe("what is shown", () => {
  test("is everything, newest first, where nothing else is asked for", () => {
    expect(names({})).toEqual(["orders", "billing", "vectors 2", "vectors 10"]);
  });

  test("has every word that is searched for, in whatever is told of a service", () => {
    expect(names({ q: "VECTORS pgvector" })).toEqual(["vectors 2", "vectors 10"]);
    expect(names({ q: "31337 prod" })).toEqual(["orders"]);
    expect(names({ q: "unstable" })).toEqual(["billing"]);
    expect(names({ q: "north" })).toEqual(["vectors 2"]);
    expect(names({ q: "nothing" })).toEqual([]);
  });

  test("has one of the chosen values of each facet", () => {
    expect(names({ type: ["VECTOR"], status: ["READY", "UNSTABLE"] })).toEqual(["vectors 2"]);
    expect(names({ environment: ["PROD"] })).toEqual(["orders"]);
    expect(names({ region: ["north"], q: "orders" })).toEqual([]);
  });

  test.each([
    ["name", ["billing", "orders", "vectors 2", "vectors 10"]],
    ["status", ["billing", "orders", "vectors 2", "vectors 10"]],
    ["size", ["billing", "orders", "vectors 10", "vectors 2"]],
    ["cpu", ["billing", "orders", "vectors 2", "vectors 10"]],
  ] as const)("is ordered by %s", (sort, expected) => {
    expect(names({ sort })).toEqual(expected);
  });
});

test("values to choose are told with how many have them, and a chosen one stays", () => {
  expect(facetValues(SERVICES, "status", ["DELETING"])).toEqual([
    { value: "DELETING", label: "Deleting", count: 0 },
    { value: "READY", label: "Ready", count: 2 },
    { value: "PAUSED", label: "Stopped", count: 1 },
    { value: "UNSTABLE", label: "Unstable", count: 1 },
  ]);
});
