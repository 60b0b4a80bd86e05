import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { AppError } from '../errors.ts'
import { type ProviderSourceRow, providerSourceColumns, toProviderSource } from './row.ts'

/** Deletes a source with its key. Its URL then works no more. */
export async function deleteProviderSource(ctx: Ctx, accountId: string, sourceId: string): Promise<void> {
  await ctx.db.transaction(async tx => {
    const [row] = await tx.query<ProviderSourceRow>(
      `delete from provider_source s where s.account_id = $1 and s.id = $2 returning ${providerSourceColumns}`,
      [accountId, sourceId],
    )
    if (row === undefined) throw new AppError('not_found', 'This account does not have this source.')
    const before = toProviderSource(row)
    const change = { action: 'source.deleted', target: before.id, before, after: null } as const
    await recordChange({ ...ctx, db: tx }, { accountId, ...change })
  })
}
