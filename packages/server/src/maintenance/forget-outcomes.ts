import type { Queryable } from '../db/database.ts'

const batchMax = 10_000

/**
 * Deletes the outcome ids and the recipient states of events from before an id, because both are kept as long as their
 * events. The batches scan each primary key once for each dropped day.
 */
export async function forgetOutcomes(
  db: Queryable,
  beforeId: string,
): Promise<{ outcomes: number; recipients: number }> {
  return {
    outcomes: await forget(db, 'outcome_key', beforeId),
    recipients: await forget(db, 'recipient_state', beforeId),
  }
}

async function forget(
  db: Queryable,
  table: 'outcome_key' | 'recipient_state',
  beforeId: string,
): Promise<number> {
  let forgotten = 0
  let at: { account_id: string; digest: Uint8Array } = {
    account_id: '00000000-0000-0000-0000-000000000000',
    digest: new Uint8Array(),
  }
  for (;;) {
    const [last] = await db.query<{ account_id: string; digest: Uint8Array }>(
      `select account_id, digest from ${table}
       where (account_id, digest) > ($1::uuid, $2::bytea)
       order by account_id, digest offset $3 limit 1`,
      [at.account_id, Buffer.from(at.digest), batchMax - 1],
    )
    const rows = await db.query(
      `delete from ${table}
       where (account_id, digest) > ($1::uuid, $2::bytea) and event_id < $3
         and ($4::uuid is null or (account_id, digest) <= ($4::uuid, $5::bytea))
       returning 1 as one`,
      [
        at.account_id,
        Buffer.from(at.digest),
        beforeId,
        last?.account_id ?? null,
        last === undefined ? null : Buffer.from(last.digest),
      ],
    )
    forgotten += rows.length
    if (last === undefined) return forgotten
    at = last
  }
}
