-- Up Migration

alter table services
  -- desired
  add column hand_over_from integer,

  -- told
  add column settled_sizing jsonb;

-- Who leads is told with the next look.
update services set in_force = in_force || '{"primary": null}' where in_force is not null;

-- Down Migration

alter table services drop column hand_over_from, drop column settled_sizing;
update services set in_force = in_force - 'primary' where in_force is not null;
