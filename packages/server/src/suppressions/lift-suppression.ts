import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { AppError } from '../errors.ts'
import { type SuppressionRow, suppressionColumns, toSuppression, withoutAddress } from './row.ts'

/** Allows mail to an address again. The row stays as a record. */
export async function liftSuppression(ctx: Ctx, accountId: string, suppressionId: string): Promise<void> {
  await ctx.db.transaction(async tx => {
    const [before] = await tx.query<SuppressionRow>(
      `select ${suppressionColumns} from suppression s where s.account_id = $1 and s.id = $2 for update`,
      [accountId, suppressionId],
    )
    if (before === undefined) {
      throw new AppError(
        'not_found',
        'This suppression does not exist. GET /v1/suppressions lists all suppressions.',
      )
    }
    if (before.lifted_at === null) await liftLocked({ ...ctx, db: tx }, accountId, before)
  })
}

/** Lifts a suppression whose row the transaction has locked. */
export async function liftLocked(
  ctx: Pick<Ctx, 'db' | 'clock' | 'random' | 'actor'>,
  accountId: string,
  before: SuppressionRow,
): Promise<void> {
  const [after] = await ctx.db.query<SuppressionRow>(
    `update suppression s set lifted_at = now() where s.account_id = $1 and s.id = $2
     returning ${suppressionColumns}`,
    [accountId, before.id],
  )
  const shown = toSuppression(before)
  await recordChange(ctx, {
    accountId,
    action: 'suppression.lifted',
    target: shown.id,
    before: withoutAddress(shown),
    after: after === undefined ? null : withoutAddress(toSuppression(after)),
  })
}
