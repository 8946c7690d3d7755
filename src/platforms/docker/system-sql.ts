/**
 * Everything of ours inside a service's databases, beside what the tenant makes: roles, their passwords, and the schema
 * `howdah` of the database postgres, to which no tenant may connect. Pure.
 */
import type { ServiceSecrets } from "../../lib/service-secrets.ts";
import { MONITOR_ROLE, POOLER_ROLE, REPLICATION_ROLE, REWIND_ROLE } from "./patroni-config.ts";

export const ADMIN_ROLE = "tsdbadmin";

/** Grows with every change of what stands here; databases that tell of another one are brought up to date. */
export const SYSTEM_VERSION = 2;

export interface SystemSqlOptions {
  readonly secrets: ServiceSecrets;
  /** Of tsdbadmin's password. It is set where another one was set last, so that what tenants set themselves stays. */
  readonly passwordVersion: number;
  /** Whether tsdbadmin's password is set whatever the databases tell: they are a copy of another service's. */
  readonly fresh?: boolean;
}

/**
 * Run as the superuser in the database postgres, to the first error. Safe to repeat. One transaction, of which nothing
 * gets into the server's log.
 */
export function renderSystemSql({ secrets, passwordVersion, fresh = false }: SystemSqlOptions): string {
  const adminPassword = `alter role ${ADMIN_ROLE} password ${literal(secrets.adminVerifier)}`;
  return `${[
    "begin;",
    QUIETLY,
    CREATE_ROLES,
    WITHOUT_MEMBERS,
    `alter role ${ADMIN_ROLE} ${MODEST} createdb createrole noreplication;`,
    `alter role ${MONITOR_ROLE} ${POWERLESS} noreplication connection limit 5 password ${literal(secrets.monitorPassword)};`,
    `alter role ${POOLER_ROLE} ${POWERLESS} noreplication connection limit 10 password ${literal(secrets.poolerPassword)};`,
    `alter role ${REWIND_ROLE} ${POWERLESS} noreplication password ${literal(secrets.rewindPassword)};`,
    `alter role ${REPLICATION_ROLE} ${POWERLESS} replication password ${literal(secrets.replicationPassword)};`,
    GRANTS,
    SCHEMA,
    fresh ? `${adminPassword};` : unlessApplied(passwordVersion, adminPassword),
    `insert into howdah.applied (system_version, password_version) values (${SYSTEM_VERSION}, ${passwordVersion})`,
    "  on conflict (only_row) do update",
    "  set (system_version, password_version) = (excluded.system_version, excluded.password_version);",
    "commit;",
  ].join("\n")}\n`;
}

const OWN_ROLES = [MONITOR_ROLE, POOLER_ROLE, REPLICATION_ROLE, REWIND_ROLE];
const OWN_ROLE_LIST = OWN_ROLES.map(literal).join(", ");
/** Said of every role, so that nothing is left over from whoever had the name before. */
const MODEST = "login inherit nosuperuser nobypassrls";
const POWERLESS = `${MODEST} nocreatedb nocreaterole`;

/**
 * A synchronous replica that is away must not hold this up: what a failover loses of it is found missing, and made
 * again.
 */
const QUIETLY = `set local log_statement = none;
set local log_min_error_statement = panic;
set local log_min_duration_statement = -1;
set local log_min_duration_sample = -1;
set local log_transaction_sample_rate = 0;
set local log_duration = off;
set local client_min_messages = warning;
set local password_encryption = 'scram-sha-256';
set local synchronous_commit = local;
set local search_path = pg_catalog;`;

const CREATE_ROLES = run(`declare
  name text;
begin
  foreach name in array array[${OWN_ROLE_LIST}, ${literal(ADMIN_ROLE)}] loop
    if to_regrole(name) is null then
      execute format('create role %I', name);
    end if;
  end loop;
end`);

/** Nobody speaks for a role of ours, not even a tenant who has made a role of its name before we did. */
const WITHOUT_MEMBERS = run(`declare
  revocation text;
begin
  for revocation in
    select format('revoke %s from %s granted by %s cascade', roleid::regrole, member::regrole, grantor::regrole)
      from pg_auth_members
      join pg_roles on pg_roles.oid = roleid
      where rolname in (${OWN_ROLE_LIST})
  loop
    execute revocation;
  end loop;
end`);

/** A tenant who takes every connection there is does not keep out those who have to see it. */
const GRANTS = `grant pg_monitor to ${MONITOR_ROLE};
grant pg_use_reserved_connections to ${MONITOR_ROLE}, ${POOLER_ROLE};
grant set on parameter tsdb_admin.read_only_role to ${ADMIN_ROLE};
revoke all on database postgres, template1 from public;
grant connect on database postgres to ${MONITOR_ROLE}, ${POOLER_ROLE}, ${REWIND_ROLE};`;

/**
 * What the kernel tells of the container's use: the files of one version of control groups are there, those of the other
 * are not. The monitor may read these, and no other file.
 */
const CONTROL_GROUP = `create or replace function howdah.control_group() returns jsonb
  language sql volatile strict security definer set search_path = pg_catalog
begin atomic
  select jsonb_build_object(
    'v1', jsonb_build_object(
      'cpu', pg_read_file('/sys/fs/cgroup/cpuacct/cpuacct.usage', true),
      'memory', pg_read_file('/sys/fs/cgroup/memory/memory.usage_in_bytes', true),
      'inactive', substring(pg_read_file('/sys/fs/cgroup/memory/memory.stat', true) from 'total_inactive_file (\\d+)'),
      'io', pg_read_file('/sys/fs/cgroup/blkio/blkio.throttle.io_service_bytes_recursive', true)),
    'v2', jsonb_build_object(
      'cpu', pg_read_file('/sys/fs/cgroup/cpu.stat', true),
      'memory', pg_read_file('/sys/fs/cgroup/memory.current', true),
      'inactive', substring(pg_read_file('/sys/fs/cgroup/memory.stat', true) from 'inactive_file (\\d+)'),
      'io', pg_read_file('/sys/fs/cgroup/io.stat', true)));
end;`;

/**
 * The pooler asks for whoever logs in, and is told of everybody but the superuser and roles of ours. The function's body
 * is parsed as it is made, so that no search path can change what it means.
 */
const SCHEMA = `create schema if not exists howdah;
create table if not exists howdah.applied (
  only_row boolean primary key default true check (only_row),
  system_version integer not null,
  password_version integer not null
);
create or replace function howdah.pooler_login(login text) returns table (name text, verifier text)
  language sql stable strict security definer set search_path = pg_catalog
begin atomic
  select rolname::text, rolpassword
    from pg_authid
    where rolname = login
      and rolcanlogin and not rolsuper and not rolreplication
      and rolname not in (${OWN_ROLE_LIST})
      and (rolvaliduntil is null or rolvaliduntil > now())
      and starts_with(rolpassword, 'SCRAM-SHA-256$');
end;
${CONTROL_GROUP}
revoke all on schema howdah from public;
revoke all on all tables in schema howdah from public;
revoke all on all functions in schema howdah from public;
grant usage on schema howdah to ${MONITOR_ROLE}, ${POOLER_ROLE};
grant select on howdah.applied to ${MONITOR_ROLE};
grant execute on function howdah.control_group() to ${MONITOR_ROLE};
grant execute on function howdah.pooler_login(text) to ${POOLER_ROLE};`;

/** What goes wrong is told without the statement, which holds a verifier. */
function unlessApplied(passwordVersion: number, statement: string): string {
  return run(`begin
  if not exists (select from howdah.applied where password_version = ${passwordVersion}) then
    ${statement};
  end if;
exception when others then
  raise exception using errcode = sqlstate, message = sqlerrm;
end`);
}

function run(block: string): string {
  return `do ${literal(block)};`;
}

function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
