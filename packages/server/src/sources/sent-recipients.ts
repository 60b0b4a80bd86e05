import type { Ctx } from '../context.ts'
import { plainArray } from '../db/array-literal.ts'
import { operatorId } from '../domain/operator-id.ts'
import { readMailToken as readToken } from '../domain/mail-token.ts'
import { mailKeysByNumber, type TokenKey } from '../mail/mail-key.ts'
import { isGenuine } from '../mail/mail-token.ts'
import { readMailToken } from '../mail/read-mail-token.ts'

/** The recipient of an email that Posthorn sent, with the data for its events. */
export interface SentRecipient {
  readonly accountId: string
  /** UUIDv7. */
  readonly emailId: string
  readonly number: number
  readonly address: string
  /** Null, like subject and Message-ID, if the email is deleted. */
  readonly from: string | null
  readonly subject: string | null
  readonly messageId: string | null
  readonly tags: Record<string, string> | null
  readonly metadata: Record<string, string | number | boolean | null> | null
}

export interface SentRecipients {
  /** By token. */
  readonly sent: Map<string, SentRecipient>
  /** The genuine tokens of accounts that move or have moved to another shard. */
  readonly away: ReadonlySet<string>
}

/**
 * Finds the recipients for genuine return path tokens. It leaves out forged tokens, erased and deleted emails, and the
 * operator's own emails, which have no events.
 */
export async function findSentRecipients(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  tokens: Iterable<string>,
  onlyAccountId: string | null,
): Promise<SentRecipients> {
  const { genuine, away } = await genuineTokens(ctx, tokens, onlyAccountId)
  if (genuine.length === 0) return { sent: new Map(), away }
  const rows = await ctx.db.query<SentRow>(
    `select i.token, m.account_id, m.id as email_id, r.number, r.address, m.from_address, m.subject, m.message_id, m.tags, m.metadata
     from unnest($1::text[], $2::uuid[], $3::uuid[], $4::int[]) as i (token, account_id, email_id, number)
     join email m on m.account_id = i.account_id and m.id = i.email_id
     join email_recipient r on r.account_id = m.account_id and r.email_id = m.id and r.number = i.number
     where m.account_id <> '${operatorId}' and m.erased_at is null and r.address <> 'erased@erased.invalid'`,
    [
      plainArray(genuine.map(one => one.token)),
      plainArray(genuine.map(one => one.accountId)),
      plainArray(genuine.map(one => one.emailId)),
      plainArray(genuine.map(one => one.number)),
    ],
  )
  return { sent: new Map(rows.map(row => [row.token, sentFrom(row)])), away }
}

/**
 * Finds the recipient for the first genuine unsubscribe token, or null. The token contains its recipient, so it works even
 * after the email is deleted.
 */
export async function findByUnsubscribeToken(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  tokens: readonly string[],
  onlyAccountId: string | null,
): Promise<SentRecipient | null> {
  for (const token of tokens) {
    const named = await readMailToken(ctx, token, 'unsubscribe', onlyAccountId)
    // a complaint of an erased person has no recipient; their unsubscribe link still works
    if (named === null || named.isErased || named.accountId === operatorId) continue
    const { accountId, emailId, recipientNumber: number, address } = named
    const [row] = await ctx.db.query<Omit<SentRow, 'token' | 'number' | 'address'>>(
      `select account_id, id as email_id, from_address, subject, message_id, tags, metadata from email
       where account_id = $1 and id = $2 and erased_at is null`,
      [accountId, emailId],
    )
    return row === undefined
      ? {
          accountId,
          emailId,
          number,
          address,
          from: null,
          subject: null,
          messageId: null,
          tags: null,
          metadata: null,
        }
      : sentFrom({ ...row, token, number, address })
  }
  return null
}

async function genuineTokens(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  tokens: Iterable<string>,
  onlyAccountId: string | null,
) {
  const keysByNumber = new Map<number, TokenKey[]>()
  const away = new Set<string>()
  const genuine: Array<{ token: string; accountId: string; emailId: string; number: number }> = []
  for (const token of new Set(tokens)) {
    const read = readToken(token)
    if (read?.token.purpose !== 'return_path') continue
    const { keyNumber, emailId, recipientNumber } = read.token
    const keys = keysByNumber.get(keyNumber) ?? (await mailKeysByNumber(ctx, keyNumber, onlyAccountId))
    keysByNumber.set(keyNumber, keys)
    const key = keys.find(({ secret }) => isGenuine(read, secret))
    if (key === undefined) continue
    if (key.isAway) away.add(token)
    else genuine.push({ token, accountId: key.accountId, emailId, number: recipientNumber })
  }
  return { genuine, away }
}

interface SentRow {
  token: string
  account_id: string
  email_id: string
  number: number
  address: string
  from_address: string
  subject: string
  message_id: string
  tags: SentRecipient['tags']
  metadata: SentRecipient['metadata']
}

function sentFrom(row: SentRow): SentRecipient {
  const { account_id: accountId, email_id: emailId, from_address: from, message_id: messageId } = row
  const { number, address, subject, tags, metadata } = row
  return { accountId, emailId, number, address, from, subject, messageId, tags, metadata }
}
