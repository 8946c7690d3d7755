-- Up Migration

-- The place of an event among all others, given after its commit, one batch after another: ids are handed out before the
-- commit, so whoever remembers the highest one loses what commits late.
alter table events add column seq bigint;
update events set seq = places.place
  from (select id, row_number() over (order by id) as place from events) as places
 where places.id = events.id;
create unique index on events (seq);
create index on events (id) where seq is null;
create index on events (project_id, seq);
create index on events (service_id, seq) where service_id is not null;

-- One row: the last place that was given. Whoever gives the next ones holds its lock until their commit.
create table event_feed (
  is_the_only boolean primary key default true check (is_the_only),
  last_seq bigint not null
);
insert into event_feed (last_seq) select coalesce(max(seq), 0) from events;

create table webhooks (
  id text primary key,
  project_id text not null references projects,
  url text not null,
  description text not null default '',
  event_types text[] not null,
  enabled boolean not null default true,
  disabled_reason text,
  created_at timestamptz not null default now(),
  secret bytea not null,
  -- Signs too for a while after a rotation, so that receivers can change theirs in peace.
  previous_secret bytea,
  previous_secret_until timestamptz,
  check ((previous_secret is null) = (previous_secret_until is null)),
  -- Failures in a row, over all of its deliveries; while it rests, none is tried.
  failures integer not null default 0,
  rests_until timestamptz
);
create index on webhooks (project_id, created_at, id);

-- The queue of what is to be sent, and the log of what was. While a try is under way, due_at is the end of its lease.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id text not null references webhooks on delete cascade,
  message_id text not null,
  event_id bigint,
  event_type text not null,
  body text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  due_at timestamptz not null default now(),
  attempts integer not null default 0,
  last_attempt_at timestamptz,
  response_status integer,
  error text,
  duration_ms integer
);
create index on webhook_deliveries (webhook_id, id);
create index on webhook_deliveries (webhook_id, due_at) where state = 'pending';
create index on webhook_deliveries (expires_at) where state = 'pending';

-- Who did what from where. A row without a status is a request whose outcome nobody wrote down: the process ended first.
create table audit_records (
  id bigint generated always as identity primary key,
  project_id text not null,
  at timestamptz not null default now(),
  public_key text not null,
  key_name text not null,
  operation text not null,
  method text not null,
  path text not null,
  service_id text,
  remote_address text not null,
  request_id text not null,
  status integer,
  error_code text
);
create index on audit_records (project_id, id);

-- Down Migration

drop table audit_records, webhook_deliveries, webhooks, event_feed;
alter table events drop column seq;
