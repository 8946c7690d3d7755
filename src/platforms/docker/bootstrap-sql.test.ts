import { expect, it } from "vitest";
import { renderBootstrapSql } from "./bootstrap-sql.ts";

const secrets = {
  adminVerifier: "SCRAM-SHA-256$4096:c2FsdA==$c3RvcmVk:c2VydmVy",
  replicationPassword: "replication secret",
  rewindPassword: "rewind secret",
  monitorPassword: "monitor secret",
  patroniPassword: "patroni secret",
  poolerPassword: "pooler secret",
  poolerKey: "pooler key",
  parent: null,
};

it("creates the extensions of the add-ons, and no others", () => {
  const created = (sql: string) => [...sql.matchAll(/create extension (\w+)/g)].map(([, name]) => name);
  expect(created(renderBootstrapSql([], secrets))).toEqual([]);
  expect(created(renderBootstrapSql(["ai"], secrets))).toEqual(["vector"]);
  expect(created(renderBootstrapSql(["ai", "time-series"], secrets))).toEqual(["timescaledb", "vector"]);
});

it("makes tsdbadmin before the database that it owns", () => {
  const sql = renderBootstrapSql([], secrets);
  const [role, database] = ["alter role tsdbadmin", "create database tsdb owner tsdbadmin;"].map((part) =>
    sql.indexOf(part),
  );
  expect(role).toBeGreaterThan(-1);
  expect(database).toBeGreaterThan(role ?? Number.POSITIVE_INFINITY);
});

it("makes the database outside of the transaction that makes the rest", () => {
  const [before] = renderBootstrapSql([], secrets).split("create database");
  expect(before?.trimEnd().endsWith("commit;")).toBe(true);
});
