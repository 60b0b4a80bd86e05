import type { Queryable } from '../db/database.ts'

const batchMax = 5_000

/** In this order, so that rows go before the rows that they refer to. */
const ownedTables = [
  { table: 'queue', key: 'delivery_id' },
  { table: 'attempt', key: 'delivery_id' },
  { table: 'delivery', key: 'id' },
  { table: 'handover', key: 'email_id' },
  { table: 'email_content', key: 'email_id' },
  { table: 'email_recipient', key: 'email_id' },
  { table: 'email', key: 'id' },
  { table: 'suppression', key: 'id' },
  { table: 'sending_domain', key: 'id' },
  { table: 'mail_key', key: 'id' },
  { table: 'event', key: 'id' },
  { table: 'attempt_stat', key: 'at' },
  { table: 'replay_delivery', key: 'replay_id' },
  { table: 'replay', key: 'id' },
  { table: 'erasure', key: 'id' },
  { table: 'endpoint_check', key: 'account_id' },
  { table: 'outcome_key', key: 'digest' },
  { table: 'recipient_state', key: 'digest' },
  { table: 'idempotency_key', key: 'key' },
  { table: 'signing_key', key: 'endpoint_id' },
  { table: 'endpoint', key: 'id' },
  { table: 'session', key: 'id' },
  { table: 'portal_session', key: 'id' },
  { table: 'api_key', key: 'id' },
] as const

/**
 * Deletes every row of deleted accounts, and then the account. It starts an hour after the deletion, when all attempts have
 * ended.
 * @param nowMs from the maintenance gate
 */
export async function purgeDeletedAccounts(
  db: Queryable,
  nowMs: number,
): Promise<{ accounts: number; rows: number }> {
  const due = await db.query<{ id: string }>(
    `select id from account where deleted_at < $1::timestamptz - interval '1 hour' order by deleted_at`,
    [new Date(nowMs)],
  )
  let rows = 0
  for (const { id } of due) {
    for (const { table, key } of ownedTables) rows += await purgeTable(db, id, table, key)
    await purgeAuditLog(db, id)
    await db.query(
      `with gone as (delete from account where id = $1 and deleted_at is not null returning id)
       delete from placement p using gone where p.account_id = gone.id`,
      [id],
    )
  }
  return { accounts: due.length, rows }
}

/** Keeps the entry that says who deleted the account, because it contains none of the account's data. */
async function purgeAuditLog(db: Queryable, accountId: string): Promise<void> {
  await db.query(`delete from audit_entry where account_id = $1 and action <> 'account.deleted'`, [accountId])
}

/**
 * Deletes in batches, because one long statement would keep its locks and its snapshot for minutes. Each batch takes the next
 * range of the primary key, so that it does not scan rows that are already deleted.
 */
async function purgeTable(db: Queryable, accountId: string, table: string, key: string): Promise<number> {
  let purged = 0
  for (;;) {
    const [last] = await db.query<{ key: unknown }>(
      `select ${key} as key from ${table} where account_id = $1 order by ${key} offset $2 limit 1`,
      [accountId, batchMax - 1],
    )
    const rows = await db.query(
      last === undefined
        ? `delete from ${table} where account_id = $1 returning 1 as one`
        : `delete from ${table} where account_id = $1 and ${key} <= $2 returning 1 as one`,
      last === undefined ? [accountId] : [accountId, last.key],
    )
    purged += rows.length
    if (last === undefined) return purged
  }
}
