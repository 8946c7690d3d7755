/** The SQL that makes a new cluster a service: its roles, its database, its extensions. Pure. */
import type { Addon } from "../../contract/service.ts";
import type { ServiceSecrets } from "../../lib/service-secrets.ts";
import { MONITOR_ROLE } from "./patroni-config.ts";

export const ADMIN_ROLE = "tsdbadmin";
export const DATABASE = "tsdb";

/** Run by psql as the superuser, connected to the database postgres. */
export function renderBootstrapSql(addons: readonly Addon[], secrets: ServiceSecrets): string {
  return `${[
    `create role ${ADMIN_ROLE} login createdb createrole password ${literal(secrets.adminVerifier)};`,
    `create role ${MONITOR_ROLE} login connection limit 5 password ${literal(secrets.monitorPassword)};`,
    `grant pg_monitor to ${MONITOR_ROLE};`,
    "revoke connect on database postgres, template1 from public;",
    `grant connect on database postgres to ${MONITOR_ROLE};`,
    `create database ${DATABASE} owner ${ADMIN_ROLE};`,
    `\\connect ${DATABASE}`,
    "begin;",
    ...extensionsFor(addons).map((extension) => `create extension ${extension};`),
    ...(addons.includes("time-series") ? [WITHOUT_UNLICENSED_JOB] : []),
    "commit;",
  ].join("\n")}\n`;
}

/** TimescaleDB's Apache edition installs a job that only its other edition may run; it would fail every six hours. */
const WITHOUT_UNLICENSED_JOB =
  "delete from _timescaledb_config.bgw_job where proc_name = 'policy_job_stat_history_retention';";

function extensionsFor(addons: readonly Addon[]): string[] {
  return [
    ...(addons.includes("time-series") ? ["timescaledb"] : []),
    ...(addons.includes("ai") ? ["vector"] : []),
  ];
}

function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
