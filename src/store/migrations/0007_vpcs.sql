-- Up Migration

create table vpcs (
  id bigint generated always as identity primary key,
  project_id text not null references projects (id),
  name text not null,
  cidr cidr not null,
  region_code text not null references regions (code),
  created_at timestamptz not null default now(),

  -- told
  network_id text,
  problem text
);
create index on vpcs (project_id, id);
create index on vpcs (region_code, id);

create table peerings (
  id bigint generated always as identity primary key,
  vpc_id bigint not null references vpcs (id),
  peer_account_id text not null,
  peer_region_code text not null,
  peer_vpc_id text not null,
  created_at timestamptz not null default now(),

  -- told: the network that was found, or why it cannot be had; neither before the first look
  network_id text,
  problem text,

  unique (vpc_id, peer_vpc_id)
);

alter table services add column vpc_id bigint references vpcs (id) on delete set null;
create index on services (vpc_id) where vpc_id is not null;

-- What VPCs must not overlap with, as the region's platform has told it.
alter table regions add column used_ranges jsonb not null default '[]';

-- Down Migration

alter table regions drop column used_ranges;
alter table services drop column vpc_id;
drop table peerings;
drop table vpcs;
