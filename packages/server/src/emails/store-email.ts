import type { EmailCreate, Mailbox, RecipientField } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { normalEmailAddress } from '../domain/email-address.ts'
import { foldedAddress, unquoted } from '../domain/folded-address.ts'
import { messageIdOf } from '../domain/message-id.ts'
import { typeId } from '../domain/type-id.ts'
import { traceparentBytes } from '../domain/traceparent.ts'
import { newId } from '../new-id.ts'

/**
 * Stores an email and queues it for each recipient, in the caller's transaction. The caller must wake the dispatchers
 * after the commit.
 *
 * @param traceparent the trace that its events will belong to
 * @returns the UUID of the email
 */
export async function storeEmail(
  ctx: Pick<Ctx, 'db' | 'clock' | 'random'>,
  accountId: string,
  email: EmailCreate,
  traceparent: string | null = null,
): Promise<string> {
  const id = newId(ctx)
  const emailId = typeId('em', id)
  await ctx.db.query(
    `insert into email (account_id, id, from_address, subject, message_id, tags, metadata, unsubscribable,
         unsubscribe_list, trace_context)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      accountId,
      id,
      asText(email.from),
      email.subject,
      messageIdOf(emailId, normalEmailAddress(email.from.address)),
      asJson(email.tags),
      asJson(email.metadata),
      email.unsubscribe !== undefined,
      email.unsubscribe?.list ?? null,
      traceparent === null ? null : traceparentBytes(traceparent),
    ],
  )
  const recipients = envelopeRecipients(email)
  await ctx.db.query(
    `with recipient as (
         select n::smallint as number, address, folded_address, field
         from unnest($3::text[], $4::text[], $5::text[]) with ordinality as i (address, folded_address, field, n)
       ),
       waiting as (
         insert into handover (account_id, email_id, number) select $1, $2, number from recipient order by number
       )
       insert into email_recipient (account_id, email_id, number, address, folded_address, field)
       select $1, $2, number, address, folded_address, field from recipient order by number`,
    [
      accountId,
      id,
      recipients.map(({ address }) => address),
      recipients.map(({ address }) => foldedAddress(address)),
      recipients.map(({ field }) => field),
    ],
  )
  await ctx.db.query('insert into email_content (account_id, email_id, content) values ($1, $2, $3)', [
    accountId,
    id,
    Buffer.from(JSON.stringify(email)),
  ])
  return id
}

function asJson(record: object | undefined): string | null {
  return record === undefined || Object.keys(record).length === 0 ? null : JSON.stringify(record)
}

function asText({ name, address }: Mailbox): string {
  if (name === null) return address
  const needsQuotes = /["(),:;<>@[\]\\]/.test(name)
  return `${needsQuotes ? `"${name.replace(/["\\]/g, String.raw`\$&`)}"` : name} <${address}>`
}

interface EnvelopeRecipient {
  readonly address: string
  readonly field: RecipientField
}

/** The recipients of an email in the order of its fields, without duplicates. */
export function envelopeRecipients({ to, cc = [], bcc = [] }: EmailCreate): EnvelopeRecipient[] {
  const found = new Map<string, EnvelopeRecipient>()
  const add = (field: RecipientField, mailboxes: readonly Mailbox[]): void => {
    for (const mailbox of mailboxes) {
      const address = normalEmailAddress(mailbox.address)
      const at = address.lastIndexOf('@')
      const mailboxKey = unquoted(address.slice(0, at)) + address.slice(at)
      if (!found.has(mailboxKey)) found.set(mailboxKey, { address, field })
    }
  }
  add('to', to)
  add('cc', cc)
  add('bcc', bcc)
  return [...found.values()]
}
