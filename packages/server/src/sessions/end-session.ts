import type { Ctx } from '../context.ts'
import type { LiveSession } from './find-session.ts'

/** Signs out: after the commit, the session's token is invalid. */
export async function endSession(
  ctx: Pick<Ctx, 'db'>,
  { accountId, id }: Pick<LiveSession, 'accountId' | 'id'>,
): Promise<void> {
  await ctx.db.query('delete from session where account_id = $1 and id = $2', [accountId, id])
}
