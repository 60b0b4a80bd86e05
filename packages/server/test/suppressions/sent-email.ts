import { currentMailKey } from '../../src/mail/mail-key.ts'
import { encodeMailToken, encodeUnsubscribeLink } from '../../src/mail/mail-token.ts'
import { newId } from '../../src/new-id.ts'
import type { VerbContext } from '../verbs/verb-context.ts'

/** An accepted email as stored in the database, and the tokens of its recipient. */
export interface SentEmail {
  /** UUID. */
  emailId: string
  address: string
  /** The `/u/…` link of its List-Unsubscribe. */
  link: string
  /** The token of the return path, which no link accepts. */
  returnPathToken: string
}

/** What a mail program posts to a link (RFC 8058). */
export const oneClick = {
  payload: 'List-Unsubscribe=One-Click',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
}

export async function sendEmail(
  ctx: VerbContext,
  accountId: string,
  { list = 'news', address = 'ann@example.org' }: { list?: string | null; address?: string } = {},
): Promise<SentEmail> {
  const emailId = newId(ctx)
  await ctx.db.query(
    `insert into email (account_id, id, from_address, subject, message_id, tags, metadata, unsubscribable, unsubscribe_list)
     values ($1, $2, 'Acme <news@acme.example>', 'News in November', 'm1@acme.example', '{"kind":"news"}', '{"n":1}', true, $3)`,
    [accountId, emailId, list],
  )
  await ctx.db.query(
    `insert into email_recipient (account_id, email_id, number, field, address, folded_address) values ($1, $2, 1, 'to', $3, $3)`,
    [accountId, emailId, address],
  )
  const { number: keyNumber, secret } = await currentMailKey(ctx, accountId, 'token')
  const token = { keyNumber, emailId, recipientNumber: 1 }
  return {
    emailId,
    address,
    link: `/u/${encodeUnsubscribeLink({ ...token, purpose: 'unsubscribe' }, { address, list }, secret)}`,
    returnPathToken: encodeMailToken({ ...token, purpose: 'return_path' }, secret),
  }
}
