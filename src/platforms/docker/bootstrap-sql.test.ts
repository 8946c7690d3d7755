import { expect, it } from "vitest";
import { renderBootstrapSql } from "./bootstrap-sql.ts";

const secrets = {
  adminVerifier: "SCRAM-SHA-256$4096:c2FsdA==$c3RvcmVk:c2VydmVy",
  replicationPassword: "replication secret",
  rewindPassword: "rewind secret",
  monitorPassword: "it's quoted",
  patroniPassword: "patroni secret",
};

it("creates the extensions of the add-ons, and no others", () => {
  const created = (sql: string) => [...sql.matchAll(/create extension (\w+)/g)].map(([, name]) => name);
  expect(created(renderBootstrapSql([], secrets))).toEqual([]);
  expect(created(renderBootstrapSql(["ai"], secrets))).toEqual(["vector"]);
  expect(created(renderBootstrapSql(["ai", "time-series"], secrets))).toEqual(["timescaledb", "vector"]);
});

it("makes tsdbadmin the owner of tsdb, and no superuser", () => {
  const sql = renderBootstrapSql([], secrets);
  expect(sql).toContain("create role tsdbadmin login createdb createrole password 'SCRAM-SHA-256$4096:");
  expect(sql).toContain("create database tsdb owner tsdbadmin;");
  expect(sql).not.toMatch(/superuser/i);
});

it("quotes what it is given", () => {
  expect(renderBootstrapSql([], secrets)).toContain("password 'it''s quoted'");
});
