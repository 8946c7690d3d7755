-- Up Migration

alter table api_keys
  drop constraint api_keys_role_check,
  add constraint api_keys_role_check check (role in ('operator', 'admin', 'member', 'read_only')),
  -- Of a key that a sign-in link has made: the key that made the link. It ends with that one.
  add column issued_by text references api_keys on delete cascade;
create index on api_keys (issued_by) where issued_by is not null;

-- Links that sign in to the console once. Only hashes of their tokens are kept.
create table sign_in_links (
  token_hash bytea primary key,
  public_key text not null references api_keys on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index on sign_in_links (expires_at);
create index on sign_in_links (public_key);

-- Why the region's platform does not answer, and since when.
alter table regions
  add column problem text,
  add column problem_since timestamptz,
  add check ((problem is null) = (problem_since is null));

-- The few events among many that tell of a failure: src/store/operator.ts asks for them in these words.
create index events_of_failure on events (id) where
  type in ('service.trouble', 'service.withdrawn', 'webhook.disabled')
  or (type = 'service.status' and data ->> 'to' = 'UNSTABLE')
  or (type = 'service.role' and data ->> 'reason' = 'failover');

-- Down Migration

drop index events_of_failure;
alter table regions drop column problem, drop column problem_since;
drop table sign_in_links;
delete from api_keys where issued_by is not null;
update api_keys set role = 'admin' where role = 'operator';
alter table api_keys
  drop column issued_by,
  drop constraint api_keys_role_check,
  add constraint api_keys_role_check check (role in ('admin', 'member', 'read_only'));
