-- Deliveries as they are now, with the answer to their last attempt: lists show it, and look at no attempt twice.
create or replace view delivery_now as
select d.account_id, d.id, d.endpoint_id, d.event_id, d.type,
  case when l.tells_all then 'delivered' else d.state end as state,
  d.reason, d.sequence,
  case when l.tells_all then 1 else d.attempt_count end as attempt_count,
  d.retries_used, d.claim, d.last_error_code,
  coalesce(d.last_attempt_at, l.told_at) as last_attempt_at,
  coalesce(d.delivered_at, l.told_at) as delivered_at,
  l.status_code as last_status_code,
  l.duration_ms as last_duration_ms
from delivery d
-- attempts stand in the partition of their delivery's day, in the order in which they were made
left join lateral (
  select status_code, duration_ms,
    d.claim = 0 and d.state = 'pending' as tells_all,
    case when d.claim = 0 and d.state = 'pending' then time_of_id(id) + duration_ms * interval '1 millisecond' end as told_at
  from attempt
  where account_id = d.account_id and delivery_id = d.id
  order by id desc
  limit 1
) l on true;
