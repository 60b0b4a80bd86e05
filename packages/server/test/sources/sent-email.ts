import { foldedAddress } from '../../src/domain/folded-address.ts'
import { newId } from '../../src/new-id.ts'
import { typeId } from '../../src/domain/type-id.ts'
import { currentMailKey } from '../../src/mail/mail-key.ts'
import { encodeMailToken, encodeUnsubscribeLink } from '../../src/mail/mail-token.ts'
import type { VerbContext } from '../verbs/verb-context.ts'

/** An email that Posthorn sent, and the return path of each recipient. */
export interface SentEmail {
  id: string
  returnPaths: string[]
  /** Unsubscribe addresses. */
  unsubscribe: string[]
  /** The part after `/u/`. */
  unsubscribeLinks: string[]
}

/** Sends an email and waits for its handover to the mail server. */
export async function sentEmail(
  ctx: VerbContext,
  accountId: string,
  to: readonly string[] = ['ann@example.org'],
): Promise<SentEmail> {
  const id = newId(ctx)
  await ctx.db.query(
    `insert into email (account_id, id, from_address, subject, message_id, tags, metadata, unsubscribable, unsubscribe_list)
     values ($1, $2, 'Acme <no-reply@acme.test>', 'Your receipt', 'a1@mail.acme.test', '{"kind":"receipt"}', '{"order_id":1234}', true, 'news')`,
    [accountId, id],
  )
  const { number: keyNumber, secret } = await currentMailKey(ctx, accountId, 'token')
  const token = (purpose: 'return_path' | 'unsubscribe', recipientNumber: number): string =>
    encodeMailToken({ purpose, keyNumber, emailId: id, recipientNumber }, secret)
  for (const [index, address] of to.entries()) {
    await ctx.db.query(
      `insert into email_recipient (account_id, email_id, number, field, address, folded_address, state)
       values ($1, $2, $3, 'to', $4, $5, 'handed_over')`,
      [accountId, id, index + 1, address, foldedAddress(address)],
    )
  }
  return {
    id: typeId('em', id),
    returnPaths: to.map((_, index) => `bounces+${token('return_path', index + 1)}@mail.acme.test`),
    unsubscribeLinks: to.map((address, index) =>
      encodeUnsubscribeLink(
        { purpose: 'unsubscribe', keyNumber, emailId: id, recipientNumber: index + 1 },
        { address, list: 'news' },
        secret,
      ),
    ),
    unsubscribe: to.map((_, index) => `unsub+${token('unsubscribe', index + 1)}@mail.acme.test`),
  }
}
