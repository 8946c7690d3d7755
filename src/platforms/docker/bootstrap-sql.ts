/** The SQL that makes a new cluster a service: everything of ours, its database, its extensions. Pure. */
import type { Addon } from "../../contract/service.ts";
import type { ServiceSecrets } from "../../lib/service-secrets.ts";
import { ADMIN_ROLE, renderSystemSql } from "./system-sql.ts";

export const DATABASE = "tsdb";

/** What a service begins with. Where another password has been set meanwhile, that one is found missing later. */
const FIRST_PASSWORD_VERSION = 1;

/** Run by psql as the superuser, connected to the database postgres. */
export function renderBootstrapSql(addons: readonly Addon[], secrets: ServiceSecrets): string {
  return `${renderSystemSql({ secrets, passwordVersion: FIRST_PASSWORD_VERSION })}${[
    `create database ${DATABASE} owner ${ADMIN_ROLE};`,
    `\\connect ${DATABASE}`,
    "begin;",
    ...extensionsFor(addons).map((extension) => `create extension ${extension};`),
    ...(addons.includes("time-series") ? [WITHOUT_UNLICENSED_JOB] : []),
    "commit;",
  ].join("\n")}\n`;
}

/** For what began as a copy of another service: whatever its roles of ours were, they are this service's own now. */
export function renderForkSql(secrets: ServiceSecrets): string {
  return renderSystemSql({ secrets, passwordVersion: FIRST_PASSWORD_VERSION, fresh: true });
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
