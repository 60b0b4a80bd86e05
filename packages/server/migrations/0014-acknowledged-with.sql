-- Deliveries as they are now, with the answer of those that their attempt alone says were acknowledged: who shows answers need
-- not look at that attempt again.
create or replace view delivery_now as
select d.account_id, d.id, d.endpoint_id, d.event_id, d.type,
  case when a.id is null then d.state else 'delivered' end as state,
  d.reason, d.sequence,
  case when a.id is null then d.attempt_count else 1 end as attempt_count,
  d.retries_used, d.claim, d.last_error_code,
  coalesce(d.last_attempt_at, a.ended_at) as last_attempt_at,
  coalesce(d.delivered_at, a.ended_at) as delivered_at,
  a.status_code as acknowledged_with,
  a.duration_ms as acknowledged_after_ms
from delivery d
left join lateral (
  select id, time_of_id(id) + duration_ms * interval '1 millisecond' as ended_at, status_code, duration_ms from attempt
  where account_id = d.account_id and delivery_id = d.id and d.claim = 0 and d.state = 'pending'
  limit 1
) a on true;

-- A plan made while a day is empty is used when it is not, and all indexes of what is empty cost the same: the order forces the
-- primary key.
create or replace view held_together as
select h.id as hold_id, h.process_id, h.leased_until, m.account_id, m.delivery_id, d.endpoint_id, d.event_id, d.sequence
from hold h
cross join lateral unnest(h.account_ids, h.delivery_ids) as m (account_id, delivery_id)
cross join lateral (
  select endpoint_id, event_id, sequence from delivery
  where account_id = m.account_id and id >= m.delivery_id and id <= m.delivery_id and claim = 0
    and not exists (select from attempt a where a.account_id = m.account_id and a.delivery_id = m.delivery_id)
  order by id
  limit 1
) d;
