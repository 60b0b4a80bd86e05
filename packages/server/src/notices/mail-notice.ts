import type { NoticeData, NoticeType } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { operatorId } from '../domain/operator-id.ts'
import { storeEmail } from '../emails/store-email.ts'
import { readNoticeEmail } from './notice-email.ts'
import { noticeLetter } from './notice-letter.ts'

/** What a notice needs besides the database. */
export type NoticeContext = Pick<Ctx, 'db' | 'clock' | 'random' | 'settings' | 'outside'>

/**
 * Queues a notice as an email, in the transaction of the change that caused it. The email belongs to the operator,
 * so the account gets no event for it and does not see it in lists. Does nothing if the account has no notice
 * address.
 */
export async function mailNotice<Type extends NoticeType>(
  ctx: NoticeContext,
  accountId: string,
  type: Type,
  data: NoticeData<Type>,
): Promise<void> {
  if (ctx.settings.noticesFrom === null) return
  const to = await readNoticeEmail(ctx, accountId)
  if (to === null) return
  await storeEmail(ctx, operatorId, {
    from: { name: 'Posthorn', address: ctx.settings.noticesFrom },
    to: [{ name: null, address: to.address }],
    ...noticeLetter(type, data, ctx.outside.publicUrl()),
    // RFC 3834: automatic replies must not answer it
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
}
