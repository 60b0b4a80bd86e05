import type { Email, EmailRecipient } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { typeId } from '../domain/type-id.ts'
import { AppError } from '../errors.ts'
import { type EmailRow, selectEmails, toEmail } from './row.ts'

/** One email with the state of each recipient. */
export async function getEmail(ctx: Ctx, accountId: string, emailId: string): Promise<Email> {
  const [row] = await ctx.history.query<EmailRow>(
    selectEmails('select * from email where account_id = $1 and id = $2'),
    [accountId, emailId],
  )
  if (row === undefined) {
    throw new AppError(
      'not_found',
      'This email does not exist. Posthorn deletes emails after the retention period.',
    )
  }
  return { ...toEmail(row), recipients: await readRecipients(ctx, accountId, emailId) }
}

/** A source that reported an outcome in the last days will report the next ones too. */
const sourceDays = 7

async function readRecipients(ctx: Ctx, accountId: string, emailId: string): Promise<EmailRecipient[]> {
  const rows = await ctx.history.query<RecipientRow>(
    `select r.address, r.field, r.state, coalesce(h.reply, r.reply) as reply, r.event_id, r.updated_at, h.tries,
       case when h.taken_by is null and h.due_at > now() then h.due_at end as next_try_at,
       exists (select from mail_source where kind = 'deliveries' and last_at > now() - make_interval(days => $3)) as has_source
     from email_recipient r
     left join handover h on h.account_id = r.account_id and h.email_id = r.email_id and h.number = r.number
     where r.account_id = $1 and r.email_id >= $2 and r.email_id <= $2
     order by r.email_id, r.number`,
    [accountId, emailId, sourceDays],
  )
  return rows.map(row => ({
    address: row.address,
    field: row.field,
    state: row.state,
    outcome_expected: row.state === 'queued' || (row.state === 'handed_over' && row.has_source),
    reply: row.reply,
    event_id: row.event_id === null ? null : typeId('evt', row.event_id),
    tries: row.state === 'queued' ? row.tries : null,
    next_try_at: row.state === 'queued' ? (row.next_try_at?.toISOString() ?? null) : null,
    updated_at: row.updated_at.toISOString(),
  }))
}

interface RecipientRow {
  address: string
  field: EmailRecipient['field']
  state: EmailRecipient['state']
  reply: EmailRecipient['reply']
  event_id: string | null
  updated_at: Date
  tries: number | null
  /** Null if a try is due or under way. */
  next_try_at: Date | null
  has_source: boolean
}
