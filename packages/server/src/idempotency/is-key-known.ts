import type { Ctx } from '../context.ts'
import { operatorId } from '../domain/operator-id.ts'
import { keptMs } from './key-row.ts'
import type { OnceRequest } from './once-request.ts'

/** Whether an answer is stored for the key, from any request. */
export async function isKeyKnown(
  ctx: Ctx,
  { accountId, key }: Pick<OnceRequest, 'accountId' | 'key'>,
): Promise<boolean> {
  const rows = await ctx.db.query(
    `select 1 as one from idempotency_key
     where account_id = $1 and key = $2 and (created_at > $3::timestamptz or not is_clock_trusted())`,
    [accountId ?? operatorId, key, new Date(ctx.clock.nowMs() - keptMs).toISOString()],
  )
  return rows.length > 0
}
