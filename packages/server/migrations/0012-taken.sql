-- What a process holds stands in a table of its own: a claim takes rows out of `waiting`, whose indexes are as large as
-- the backlog, instead of giving each a new place in both, and what is handed over at once never gets there. It stays as
-- small as what is under way.
create table taken (
  account_id uuid not null,
  delivery_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  process_id uuid not null,
  -- after this it is due again, whoever holds it
  leased_until timestamptz not null,
  sequence bigint not null,
  claim integer not null,
  lost_claims integer not null default 0,
  attempt_count integer not null default 0,
  retries_used integer not null default 0,
  trigger attempt_trigger not null default 'schedule',
  was_delivered boolean not null default false,
  primary key (account_id, delivery_id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.05);

-- `waiting.taken_by` stays for processes of the release before, which hold their deliveries there until they are replaced.
-- This release marks nothing in it.
alter table waiting reset (fillfactor);

-- What is not finished, whoever holds it. Of what is held nobody can say when it will be due.
create view unfinished as
select account_id, delivery_id, endpoint_id, event_id, sequence, due_at from waiting
union all
select account_id, delivery_id, endpoint_id, event_id, sequence, null from taken;

-- Called inside the settle statement for results in time, so that a late one undoes the whole of it.
create function refuse_late_results() returns void language plpgsql as $$
begin
  raise exception 'a result came after the lease; all are settled by the statement for late ones' using errcode = 'PH002';
end
$$;
