import { expect, it } from "vitest";
import { renderPgbouncerConfig, renderPoolerHba, renderPoolerUsers } from "./pgbouncer-config.ts";

const surroundings = { gateway: "10.213.0.35", servesReads: false };
const config = renderPgbouncerConfig(surroundings);

it("is the text that PgBouncer reads", async () => {
  await expect(config).toMatchFileSnapshot("golden/pgbouncer.ini");
});

it("holds no password", () => {
  expect(config).not.toMatch(/password/i);
});

it("leaves room on a server of 100 connections", () => {
  const most = [...config.matchAll(/max_db_connections=(\d+)/g)].map(([, count]) => Number(count));
  expect(most).toHaveLength(3);
  expect(most.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(65);
});

it("presents the pass before the parameter that the pass unlocks", () => {
  const [, tracked = ""] = /track_extra_parameters = (.*)/.exec(config) ?? [];
  expect(tracked.split(", ")).toEqual([
    "howdah.pooler_pass",
    "tsdb_admin.read_only_connection",
    "IntervalStyle",
  ]);
});

it("does not pass over what clients ask for in their options", () => {
  expect(config).toMatch(/^ignore_startup_parameters = extra_float_digits$/m);
});

it("lets tenants in through the gateway to their databases, and nobody else by the network", () => {
  expect(renderPoolerHba(surroundings)).toBe(
    "hostssl tsdb,tsdb_transaction all 10.213.0.35/32 scram-sha-256\n",
  );
});

it("knows one user without asking the server", () => {
  expect(renderPoolerUsers("secret")).toBe('"howdah_pooler" "secret"\n');
});

it("drops server connections to a standby, except where there are only such", () => {
  expect(config).toContain("pg_is_in_recovery");
  expect(renderPgbouncerConfig({ ...surroundings, servesReads: true })).not.toContain("pg_is_in_recovery");
});
