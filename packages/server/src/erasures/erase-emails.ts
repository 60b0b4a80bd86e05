import type { EmailCreate, Mailbox } from '@posthorn/contract'
import { plainArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import { erasedAddress } from '../domain/erased-address.ts'
import { foldedAddress } from '../domain/folded-address.ts'
import type { RunningErasure } from './advance-erasures.ts'

const batchMax = 100

/**
 * Removes the recipient from the next emails: from their records and, if other recipients still wait for an email, from
 * its content. Posthorn does not send these emails to the recipient any more. The result of a handover in progress is
 * discarded.
 *
 * @returns whether there were emails
 */
export async function eraseEmails(tx: Queryable, erasure: RunningErasure): Promise<boolean> {
  const { account_id: accountId, folded } = erasure
  const emailIds = (
    await tx.query<{ email_id: string }>(
      `select email_id from email_recipient where account_id = $1 and folded_address = $2 order by email_id limit $3`,
      [accountId, folded, batchMax],
    )
  ).map(row => row.email_id)
  if (emailIds.length === 0) return false
  for (const emailId of emailIds) await eraseContent(tx, erasure, emailId)
  await tx.query(
    `update email_recipient
     set address = $3, folded_address = $3, reply = null, state = case when state = 'queued' then 'failed' else state end,
       refused_at = case when state = 'queued' then now() else refused_at end, updated_at = now()
     where account_id = $1 and folded_address = $2 and email_id = any($4::uuid[])`,
    [accountId, folded, erasedAddress, plainArray(emailIds)],
  )
  await tx.query(
    // subject, tags and metadata may contain personal data too
    `update email set subject = '', tags = null, metadata = null, erased_at = now()
     where account_id = $1 and id = any($2::uuid[])`,
    [accountId, plainArray(emailIds)],
  )
  return true
}

/** Locks the content first, as code that stores the result of a handover does. */
async function eraseContent(
  tx: Queryable,
  { account_id: accountId, folded }: RunningErasure,
  emailId: string,
): Promise<void> {
  const [row] = await tx.query<{ content: Uint8Array }>(
    'select content from email_content where account_id = $1 and email_id = $2 for update',
    [accountId, emailId],
  )
  if (row === undefined) return
  await tx.query(
    `delete from handover h using email_recipient r
     where h.account_id = $1 and h.email_id = $2
       and r.account_id = $1 and r.email_id = $2 and r.number = h.number and r.folded_address = $3`,
    [accountId, emailId, folded],
  )
  const email = JSON.parse(Buffer.from(row.content).toString('utf8')) as EmailCreate
  const others = (mailboxes: readonly Mailbox[] = []): Mailbox[] =>
    mailboxes.filter(({ address }) => foldedAddress(address) !== folded)
  const rest = { ...email, to: others(email.to), cc: others(email.cc), bcc: others(email.bcc) }
  await tx.query(
    `with waiting as (select 1 from handover where account_id = $1 and email_id = $2 limit 1),
     kept as (
       update email_content set content = $3 where account_id = $1 and email_id = $2 and exists (select from waiting)
     )
     delete from email_content where account_id = $1 and email_id = $2 and not exists (select from waiting)`,
    [accountId, emailId, Buffer.from(JSON.stringify(rest))],
  )
}
