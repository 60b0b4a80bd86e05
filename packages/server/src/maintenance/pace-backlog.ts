import type { Queryable } from '../db/database.ts'

/** Everything that is due now. */
export interface Backlog {
  /** Due deliveries of enabled endpoints. */
  deliveries: number
  /** Endpoints with due deliveries. */
  endpoints: number
  /** When the oldest due delivery was created; null if there is none. */
  oldestAt: Date | null
  /** Recipients whose email is not yet handed over to the mail server. */
  emails: number
}

/**
 * Makes the backlog of every endpoint drain slowly, as after enabling the endpoint. Use it when much became due while nothing
 * was sent, above all after restoring a database: much of its queue may have been delivered since the backup.
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
