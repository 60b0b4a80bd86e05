/** A larger replay is counted only when none of its deliveries is in the queue any more. */
const countedMax = 100_000

/**
 * One row with the results of the deliveries that `replay r` queued; nulls if unknown. The limit forces a lookup by primary
 * key for each delivery.
 */
export const countQueued = `
  select
    case when r.delivered is not null then r.delivered when traced then now_delivered end as delivered,
    case when r.delivered is not null then r.failed when traced then now_failed end as failed,
    case when r.delivered is not null then 0 when traced then now_pending end as pending
  from (
    select r.traced and count(*) <= ${countedMax} as traced,
      count(*) filter (where d.state = 'delivered') as now_delivered,
      count(*) filter (where d.state in ('failed', 'exhausted')) as now_failed,
      count(*) filter (where d.state = 'pending') as now_pending
    from (
      select account_id, delivery_id from replay_delivery
      where account_id = r.account_id and replay_id = r.id
      limit ${countedMax + 1}
    ) q
    cross join lateral (
      select state from delivery where account_id = q.account_id and id = q.delivery_id limit 1
    ) d
  ) counted`
