import type { Queryable } from '../db/database.ts'
import type { DecidedOutcome } from '../domain/decided-outcome.ts'
import type { HandoverKey } from './claim.ts'

/** The result of a hand-over. */
export type HandoverResult =
  /** `reply` is JSON. */
  | { readonly kind: 'handed_over'; readonly reply: string }
  | { readonly kind: 'outcome'; readonly outcome: DecidedOutcome }
  | {
      readonly kind: 'again'
      readonly inMs: number
      readonly reply: string
      /** Null if the server did not speak about this email. */
      readonly deferral: DecidedOutcome | null
    }
  /** There was nothing left to do. */
  | { readonly kind: 'done' }

/** Stores an outcome in a transaction; call the result after the commit. */
export type StoreOutcome = (tx: Queryable, outcome: DecidedOutcome) => Promise<() => void>

/**
 * Writes the result of a hand-over, with its outcome, in one transaction; writes nothing if another process has claimed it. The
 * last recipient's settle deletes the content. It locks the content first, so that one of two concurrent settles is the last.
 * @returns whether this process still held it
 */
export async function settleHandover(
  db: Queryable,
  key: HandoverKey,
  result: HandoverResult,
  store: StoreOutcome,
): Promise<boolean> {
  let afterCommit = (): void => {}
  const isOurs = await db.transaction(async tx => {
    if (result.kind === 'again') {
      const isPostponed = await postpone(tx, key, result)
      if (isPostponed && result.deferral !== null) afterCommit = await store(tx, result.deferral)
      return isPostponed
    }
    await tx.query('select 1 as one from email_content where account_id = $1 and email_id = $2 for update', [
      key.accountId,
      key.emailId,
    ])
    const removed = await tx.query(
      `delete from handover where account_id = $1 and email_id = $2 and number = $3 and claim = $4 returning 1 as one`,
      [key.accountId, key.emailId, key.number, key.claim],
    )
    if (removed.length === 0) return false
    if (result.kind === 'handed_over') await noteHandedOver(tx, key, result.reply)
    if (result.kind === 'outcome') afterCommit = await store(tx, result.outcome)
    await tx.query(
      `delete from email_content c where c.account_id = $1 and c.email_id = $2
         and not exists (select from handover h where h.account_id = $1 and h.email_id = $2)`,
      [key.accountId, key.emailId],
    )
    return true
  })
  afterCommit()
  return isOurs
}

/** Changes only `queued`, because a source may have reported the outcome already. */
async function noteHandedOver(tx: Queryable, key: HandoverKey, reply: string): Promise<void> {
  await tx.query(
    `update email_recipient set state = 'handed_over', reply = $4::json, updated_at = now()
     where account_id = $1 and email_id = $2 and number = $3 and state = 'queued'`,
    [key.accountId, key.emailId, key.number, reply],
  )
}

async function postpone(
  tx: Queryable,
  key: HandoverKey,
  { inMs, reply }: { inMs: number; reply: string },
): Promise<boolean> {
  const rows = await tx.query(
    `update handover set taken_by = null, tries = tries + 1, reply = $6::json,
       due_at = now() + make_interval(secs => $5::float8 / 1000)
     where account_id = $1 and email_id = $2 and number = $3 and claim = $4
     returning 1 as one`,
    [key.accountId, key.emailId, key.number, key.claim, inMs, reply],
  )
  return rows.length > 0
}
