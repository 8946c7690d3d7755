-- Up Migration

alter table services
  -- Reserved for the service's whole life, like its first port, whether it has a pooler now or not.
  add column pooler_port integer,

  -- desired
  add column power text not null default 'running' check (power in ('running', 'stopped')),
  add column pooler boolean not null default false,
  add column allow_list text[] not null default array['0.0.0.0/0', '::/0'],
  add column parameters jsonb not null default '{}',
  add column password_version integer not null default 1,
  add column forked_from text,
  add column deletion_protection boolean not null default false,

  -- told
  add column settled_power text not null default 'running' check (settled_power in ('running', 'stopped')),
  add column in_force jsonb;

-- Services that are there already get a port as if they had been created now.
with free as (
  select regions.code, port, row_number() over (partition by regions.code order by port desc) as place
    from regions cross join generate_series(20000, 29999) as port
   where not exists (select from ports where ports.region_code = regions.code and ports.port = port.port)
), waiting as (
  select id, region_code, row_number() over (partition by region_code order by id) as place from services
)
update services set pooler_port = free.port
  from free join waiting on waiting.region_code = free.code and waiting.place = free.place
 where services.id = waiting.id;
insert into ports (region_code, port, service_id) select region_code, pooler_port, id from services;

alter table services alter column pooler_port set not null;
create unique index on services (region_code, pooler_port);
create index on services (forked_from) where forked_from is not null;

-- Down Migration

alter table services
  drop column pooler_port, drop column power, drop column pooler, drop column allow_list, drop column parameters,
  drop column password_version, drop column forked_from, drop column deletion_protection,
  drop column settled_power, drop column in_force;
