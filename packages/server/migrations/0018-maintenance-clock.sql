-- The latest time of the database's clock that maintenance trusted. Nothing is deleted for its age while the clock is far
-- ahead of it: see docs/operating.md.
create table maintenance_clock (
  only_row boolean primary key default true check (only_row),
  seen_at timestamptz not null default now(),
  -- what the clock said when it was found to have jumped ahead
  jumped_at timestamptz
);
insert into maintenance_clock default values;

-- For what expires while a request is served.
create function is_clock_trusted() returns boolean language sql stable
as $$ select jumped_at is null from maintenance_clock $$;
