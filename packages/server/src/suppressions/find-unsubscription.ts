import type { Ctx } from '../context.ts'
import { undoDays } from '../domain/suppression.ts'
import { typeId } from '../domain/type-id.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import type { MailRecipient } from '../mail/read-mail-token.ts'
import { findAddressMac } from './address-mac.ts'

/** What a recipient unsubscribed from, as far as it concerns one email. */
export interface Unsubscribed {
  /** From all lists, or only from the list of the email. */
  readonly isOfAll: boolean
  /** The suppressions to lift (UUIDs). Empty if lifting those of the email is too late or would not be enough. */
  readonly undo: readonly string[]
}

/** Whether the recipient of an email has unsubscribed from such emails; null if not. */
export async function findUnsubscription(
  ctx: Pick<Ctx, 'db' | 'seal' | 'clock'>,
  recipient: Pick<MailRecipient, 'accountId' | 'emailId' | 'address' | 'list'>,
): Promise<Unsubscribed | null> {
  const { accountId, emailId, address, list } = recipient
  const mac = await findAddressMac(ctx, accountId)
  if (mac === null) return null
  const rows = await ctx.db.query<{ id: string; scope: string; is_of_email: boolean }>(
    `select id, scope, by_recipient and email_id is not distinct from $4 as is_of_email from suppression
     where account_id = $1 and address_mac = $2 and reason = 'unsubscribe' and lifted_at is null
       and (scope = 'all_lists' or scope = 'list' and list = $3)
     order by id`,
    [accountId, mac(address), list, typeId('em', emailId)],
  )
  if (rows.length === 0) return null
  const canUndo = rows.every(row => row.is_of_email && isRecent(row.id, ctx.clock.nowMs()))
  return {
    isOfAll: rows.some(row => row.scope === 'all_lists'),
    undo: canUndo ? rows.map(row => row.id) : [],
  }
}

/** Whether a suppression can still be undone. Its id has its time. */
export function isRecent(id: string, nowMs: number): boolean {
  return nowMs - uuidV7Ms(id) < undoDays * 86_400_000
}
