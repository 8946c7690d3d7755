-- Up Migration

-- What was last seen of each service, apart from its row, which is written in every pass. As json: it is only ever read as
-- a whole, and takes whatever an engine has said.
create table observations (
  service_id text primary key references services on delete cascade,
  observed json not null
);

alter table services
  -- told
  add column observed_at timestamptz,
  -- Of the observation that is kept, so that the same one is not written again.
  add column observed_digest text;

-- Down Migration

alter table services drop column observed_at, drop column observed_digest;
drop table observations;
