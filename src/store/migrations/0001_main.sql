-- Up Migration

create table projects (
  id text primary key,
  name text not null,
  created_at timestamptz not null default now()
);

-- Only hashes of the secret halves are kept. The bearer form of a key is derived from both halves.
create table api_keys (
  public_key text primary key,
  project_id text not null references projects,
  name text not null,
  role text not null check (role in ('admin', 'member', 'read_only')),
  secret_hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
create index on api_keys (project_id);

-- What each region's platform last said of itself; written by the control plane, read by the API.
create table regions (
  code text primary key,
  cpu_millis bigint not null,
  memory_bytes bigint not null,
  reported_at timestamptz not null default now()
);

-- Endpoint ports seen free, kept ready so that a create can name its endpoint without asking a platform.
create table ports (
  region_code text not null references regions,
  port integer not null check (port between 1 and 65535),
  service_id text,
  primary key (region_code, port)
);
create index on ports (region_code) where service_id is null;

-- A service is one row: what is desired, what is told, and the reconcile job itself.
create table services (
  id text primary key,
  project_id text not null references projects,
  name text not null,
  region_code text not null references regions,
  addons text[] not null,
  environment text not null check (environment in ('DEV', 'PROD')),
  created_at timestamptz not null default now(),
  endpoint_host text not null,
  endpoint_port integer not null,
  secrets bytea not null,

  -- desired
  generation integer not null default 1,
  presence text not null default 'present' check (presence in ('present', 'absent')),
  cpu_millis integer,
  memory_gbs integer,
  replica_count integer not null check (replica_count >= 0),
  sync_replica_count integer not null check (sync_replica_count >= 0),
  check ((cpu_millis is null) = (memory_gbs is null)),
  check (sync_replica_count <= replica_count),

  -- told
  settled_generation integer not null default 0,
  status text not null,
  status_reason text not null,
  conditions jsonb not null default '[]',
  waiting_reason text,
  waiting_since timestamptz,
  check ((waiting_reason is null) = (waiting_since is null)),

  -- The job. While a lease is held, due_at is infinity until something asks for another pass; a lease that
  -- expired is due by itself. Each claim has its own lease number, so that a late writer is known.
  due_at timestamptz not null default now(),
  attempts integer not null default 0,
  lease bigint not null default 0,
  lease_holder text,
  lease_expires_at timestamptz,
  check ((lease_holder is null) = (lease_expires_at is null))
);
create index on services (project_id, created_at, id);
create index on services (due_at) where lease_holder is null;
create index on services (lease_expires_at) where lease_holder is not null;
create unique index on services (region_code, endpoint_port);

-- What happened, for people and programs. Outlives the service.
create table events (
  id bigint generated always as identity primary key,
  project_id text not null,
  service_id text,
  at timestamptz not null default now(),
  actor text not null,
  type text not null,
  message text not null,
  data jsonb not null default '{}'
);
create index on events (service_id, id);
create index on events (project_id, id);

create table idempotency_keys (
  project_id text not null references projects,
  key text not null,
  request_hash bytea not null,
  -- The whole answer, encrypted: it contains the initial password. Null only inside the transaction that makes it.
  response bytea,
  created_at timestamptz not null default now(),
  primary key (project_id, key)
);
create index on idempotency_keys (created_at);

-- Down Migration

drop table idempotency_keys, events, services, ports, regions, api_keys, projects;
