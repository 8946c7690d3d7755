-- Up Migration

-- Services that were ever sampled. It outlives the service by as long as its samples are kept.
create table sampled_services (
  service_id text primary key,
  sampled_at timestamptz not null,
  -- What the record tells: of the primary's newest sample.
  primary_at timestamptz,
  milli_cpu integer,
  memory_mb integer,
  storage_mb integer
) with (fillfactor = 70);

-- A row is all metrics of a node at a moment, by their places in the contract's list; nulls take no room.
create table metric_samples (
  at timestamptz not null,
  node smallint not null,
  role text not null,
  service_id text not null,
  "values" real[] not null,
  primary key (service_id, at, node)
);

-- The same over longer times, each beginning at `at`.
create table metric_rollups (
  at timestamptz not null,
  width_seconds integer not null,
  node smallint not null,
  samples smallint not null,
  role text not null,
  service_id text not null,
  avg real[] not null,
  min real[] not null,
  max real[] not null,
  last real[] not null,
  primary key (service_id, width_seconds, at, node, role)
);

-- How far each width has got.
create table metric_progress (
  width_seconds integer primary key,
  done_until timestamptz not null
);

-- Down Migration

drop table metric_progress, metric_rollups, metric_samples, sampled_services;
