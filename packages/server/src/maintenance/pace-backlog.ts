import type { Queryable } from '../db/database.ts'

/** What is due at one moment. */
export interface Backlog {
  /** Deliveries that are due at enabled endpoints, and at how many; they go out at the drain pace from now on. */
  deliveries: number
  endpoints: number
  /** When the oldest of them was made; null when there is none. */
  oldestAt: Date | null
  /** Recipients whose email is still to be handed to the mail server. */
  emails: number
}

/**
 * Lets every endpoint that has something due get it at the pace of one that was enabled again, all processes together,
 * until its backlog is gone. For what has become due while nothing was sent, above all in a database that was restored:
 * what its backup has in the queue may have been delivered since.
 */
export async function paceBacklog(db: Queryable): Promise<Backlog> {
  return await db.transaction(async tx => {
    const [paced] = await tx.query<Omit<Backlog, 'emails'>>(
      `with backlog as (
         select account_id, endpoint_id, count(*) as deliveries, min(delivery_id::text) as oldest_id
         from queue where due_at <= now() group by account_id, endpoint_id
       ),
       paced as (
         update endpoint e set draining_since = coalesce(e.draining_since, now())
         from backlog b
         where b.account_id = e.account_id and b.endpoint_id = e.id and e.status = 'enabled' and e.deleted_at is null
         returning b.deliveries, b.oldest_id
       )
       select coalesce(sum(deliveries), 0)::int as deliveries, count(*)::int as endpoints,
         -- the first 48 bits of a UUIDv7 are its milliseconds
         to_timestamp(('x' || replace(substr(min(oldest_id), 1, 13), '-', ''))::bit(48)::bigint / 1000.0) as "oldestAt"
       from paced`,
    )
    const [handover] = await tx.query<{ emails: number }>('select count(*) as emails from handover')
    return { deliveries: 0, endpoints: 0, oldestAt: null, ...paced, emails: handover?.emails ?? 0 }
  })
}
