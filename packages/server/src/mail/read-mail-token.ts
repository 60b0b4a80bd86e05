import type { Ctx } from '../context.ts'
import { accountMoving } from '../errors.ts'
import { type MailToken, type MailTokenPurpose, readMailToken as readToken } from '../domain/mail-token.ts'
import { openFromLink } from '../seal/mail-mac.ts'
import { findAddressMac } from '../suppressions/address-mac.ts'
import { type MailKey, mailKeysByNumber } from './mail-key.ts'
import { isGenuine, type UnsubscribeTarget } from './mail-token.ts'

/** The recipient that a genuine token names. */
export interface MailRecipient extends UnsubscribeTarget {
  readonly accountId: string
  /** UUIDv7. The email itself may already be deleted. */
  readonly emailId: string
  readonly recipientNumber: number
  readonly address: string
  /** The list that the email was sent for; null for all mail with `unsubscribe`, or none. */
  readonly list: string | null
  /** The recipient was erased after the email was sent, so the address must not be stored again. */
  readonly isErased: boolean
}

/**
 * The recipient that a token names. Unsubscribe links never expire. Return paths are valid as long as their email is kept.
 *
 * @param onlyAccountId the account of the caller, if the caller may report only for that account
 * @returns null if the token is forged or has another purpose
 * @throws AppError `account_moving`
 */
export async function readMailToken(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  text: string,
  purpose: MailTokenPurpose,
  onlyAccountId: string | null = null,
): Promise<MailRecipient | null> {
  const [tokenText = '', carried] = text.split('.')
  const read = readToken(tokenText)
  if (read === null || read.token.purpose !== purpose) return null
  const keys = await mailKeysByNumber(ctx, read.token.keyNumber, onlyAccountId)
  const key = keys.find(({ secret }) => isGenuine(read, secret))
  if (key === undefined) return null
  if (key.isAway) throw accountMoving()
  const target =
    carried === undefined ? await storedTarget(ctx, key, read.token) : carriedTarget(key, tokenText, carried)
  if (target === null) return null
  const { emailId, recipientNumber } = read.token
  const { accountId } = key
  const isErased = await wasErasedSince(ctx, accountId, emailId, target.address)
  return { accountId, emailId, recipientNumber, ...target, isErased }
}

/** Ids are ordered by time, so an erasure with a greater id came after the email. */
async function wasErasedSince(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  accountId: string,
  emailId: string,
  address: string,
): Promise<boolean> {
  const mac = await findAddressMac(ctx, accountId)
  if (mac === null) return false
  const rows = await ctx.db.query(
    'select from erasure where account_id = $1 and address_mac = $2 and id > $3 limit 1',
    [accountId, mac(address), emailId],
  )
  return rows.length > 0
}

function carriedTarget({ secret }: MailKey, token: string, carried: string): UnsubscribeTarget | null {
  const text = openFromLink(secret, token.toLowerCase(), carried)
  if (text === null) return null
  const [address, list] = JSON.parse(text) as [string, string | null]
  return { address, list }
}

async function storedTarget(
  { db }: Pick<Ctx, 'db'>,
  { accountId }: MailKey,
  { emailId, recipientNumber }: MailToken,
): Promise<UnsubscribeTarget | null> {
  const [row] = await db.query<UnsubscribeTarget>(
    `select r.address, m.unsubscribe_list as list
     from email m join email_recipient r on r.account_id = m.account_id and r.email_id = m.id and r.number = $3
     where m.account_id = $1 and m.id = $2 and r.address <> 'erased@erased.invalid'`,
    [accountId, emailId, recipientNumber],
  )
  return row ?? null
}
