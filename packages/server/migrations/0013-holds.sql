-- What a process holds for first attempts, a row for each statement that took some instead of one for each delivery. It goes
-- when all of them are settled or given back; when its lease ends before, those that are not stand in `taken` one by one.
create table hold (
  id uuid primary key,
  process_id uuid not null,
  leased_until timestamptz not null,
  -- pairs: the deliveries' primary keys
  account_ids uuid[] not null,
  delivery_ids uuid[] not null
) with (
  -- a statement's arrays stay in the row, up to a page
  toast_tuple_target = 8160,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_analyze_scale_factor = 0.05
);
alter table hold
  alter column account_ids set storage external,
  alter column delivery_ids set storage external;

-- When a UUIDv7 was made.
create function time_of_id(id uuid) returns timestamptz language sql immutable strict parallel safe as
$$ select to_timestamp(('x' || replace(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0) $$;

-- Deliveries as they are now. One whose first attempt succeeded while it was held together with others is written once: its
-- attempt says the rest. Nothing else leaves a claim of 0 and an attempt.
create view delivery_now as
select d.account_id, d.id, d.endpoint_id, d.event_id, d.type,
  case when a.id is null then d.state else 'delivered' end as state,
  d.reason, d.sequence,
  case when a.id is null then d.attempt_count else 1 end as attempt_count,
  d.retries_used, d.claim, d.last_error_code,
  coalesce(d.last_attempt_at, a.ended_at) as last_attempt_at,
  coalesce(d.delivered_at, a.ended_at) as delivered_at
from delivery d
left join lateral (
  select id, time_of_id(id) + duration_ms * interval '1 millisecond' as ended_at from attempt
  where account_id = d.account_id and delivery_id = d.id and d.claim = 0 and d.state = 'pending'
  limit 1
) a on true;

-- While a process of a release before lives, results are written into deliveries' rows as it reads them.
alter table process add column knows_holds boolean not null default false;

-- What is held together. A delivery with a claim, or with an attempt, is in its hold no more.
create view held_together as
select h.id as hold_id, h.process_id, h.leased_until, m.account_id, m.delivery_id, d.endpoint_id, d.event_id, d.sequence
from hold h
cross join lateral unnest(h.account_ids, h.delivery_ids) as m (account_id, delivery_id)
-- by its primary key, which the limit forces
cross join lateral (
  select endpoint_id, event_id, sequence from delivery
  where account_id = m.account_id and id = m.delivery_id and claim = 0
    and not exists (select from attempt a where a.account_id = m.account_id and a.delivery_id = m.delivery_id)
  limit 1
) d;

-- What processes hold.
create view held as
select account_id, delivery_id, endpoint_id, event_id, sequence from taken
union all
select account_id, delivery_id, endpoint_id, event_id, sequence from held_together;

create or replace view unfinished as
select account_id, delivery_id, endpoint_id, event_id, sequence, due_at from waiting
union all
select account_id, delivery_id, endpoint_id, event_id, sequence, null from held;

-- Each of their deliveries that is not settled is held by itself from now on, by the same process and until the same time.
-- Settlements under way are waited for, and each statement of a volatile function sees what was committed before it.
create function dissolve_holds(ids uuid[]) returns void language plpgsql volatile as $$
begin
  perform from hold h where h.id = any(ids) order by h.id for update;
  insert into taken (account_id, delivery_id, endpoint_id, event_id, process_id, leased_until, sequence, claim)
  select account_id, delivery_id, endpoint_id, event_id, process_id, leased_until, sequence, 1
  from held_together where hold_id = any(ids);
  delete from hold h where h.id = any(ids);
end
$$;
