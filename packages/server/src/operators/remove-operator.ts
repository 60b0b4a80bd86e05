import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { operatorId } from '../domain/operator-id.ts'
import { AppError } from '../errors.ts'
import { operatorColumns, type OperatorRow, toOperator } from './row.ts'

/** Removes a named token with its sessions. The audit log keeps its name. */
export async function removeOperator(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.transaction(async tx => {
    const [row] = await tx.query<OperatorRow>(
      `delete from operator_token o where o.id = $1 returning ${operatorColumns}`,
      [id],
    )
    if (row === undefined) throw new AppError('not_found', 'This operator’s token does not exist.')
    await tx.query('delete from session where account_id = $1 and operator_token_id = $2', [operatorId, id])
    const before = toOperator(row)
    const change = { action: 'operator.removed', target: before.id, before, after: null } as const
    await recordChange({ ...ctx, db: tx }, { accountId: operatorId, ...change })
  })
}
