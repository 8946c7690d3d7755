-- Up Migration

-- A read replica set is a service without a primary of its own: its members follow that of another one.
alter table services
  add column read_from text,
  -- Which of the places in the other service's network is its own.
  add column read_place integer,
  add check ((read_from is null) = (read_place is null));
create unique index on services (read_from, read_place) where read_from is not null;

-- Down Migration

alter table services drop column read_from, drop column read_place;
