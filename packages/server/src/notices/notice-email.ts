import type { NoticeEmail } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { AppError } from '../errors.ts'

/** The account's address for notices by email; null if it has none. */
export async function readNoticeEmail(ctx: Pick<Ctx, 'db'>, accountId: string): Promise<NoticeEmail | null> {
  const [row] = await ctx.db.query<{ address: string | null }>(
    'select notice_address as address from account where id = $1',
    [accountId],
  )
  return row?.address ? { address: row.address } : null
}

/** The id in the audit log; an account has at most one notice address. */
export const noticeEmailTarget = 'notice_email'

export function noticeEmailNotFound(): AppError {
  return new AppError(
    'not_found',
    'This account has no address for notices. Set one with PUT /v1/notice-email.',
  )
}
