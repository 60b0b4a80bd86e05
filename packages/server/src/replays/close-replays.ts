import type { Queryable } from '../db/database.ts'

/**
 * Stores the final counts of replays that have ended and have nothing in the queue, and deletes the list of their
 * deliveries. If retention has deleted some of the deliveries, the counts stay unknown.
 */
export async function closeReplays(db: Queryable): Promise<{ closed: number }> {
  let closed = 0
  while (await closeNext(db)) closed++
  return { closed }
}

async function closeNext(db: Queryable): Promise<boolean> {
  return await db.transaction(async tx => {
    const [replay] = await tx.query<{ account_id: string; id: string }>(
      // one lookup per delivery, until the first one in the queue
      `select r.account_id, r.id from replay r
       where r.traced and r.delivered is null and r.state <> 'running'
         -- an account that moves to another shard is changed there
         and exists (select from account a where a.id = r.account_id)
         and not exists (
           select from replay_delivery d
           cross join lateral (
             select from queue q where q.account_id = d.account_id and q.delivery_id = d.delivery_id limit 1
           ) q
           where d.account_id = r.account_id and d.replay_id = r.id
         )
       limit 1
       for update of r skip locked`,
    )
    if (replay === undefined) return false
    const { account_id: accountId, id } = replay
    await tx.query(
      `update replay r
       set traced = counted.queued = counted.found,
         delivered = case when counted.queued = counted.found then counted.delivered end,
         failed = case when counted.queued = counted.found then counted.found - counted.delivered end
       from (
         select count(*) as queued, count(d.state) as found,
           count(*) filter (where d.state = 'delivered') as delivered
         from replay_delivery q
         left join lateral (
           select state from delivery where account_id = q.account_id and id = q.delivery_id limit 1
         ) d on true
         where q.account_id = $1 and q.replay_id = $2
       ) counted
       where r.account_id = $1 and r.id = $2`,
      [accountId, id],
    )
    await tx.query('delete from replay_delivery where account_id = $1 and replay_id = $2', [accountId, id])
    return true
  })
}
