import type { Erasure } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { AppError } from '../errors.ts'
import { type ErasureRow, erasureColumns, toErasure } from './row.ts'

/** One erasure; the account is null for the operator. */
export async function getErasure(
  ctx: Pick<Ctx, 'db'>,
  accountId: string | null,
  erasureId: string,
): Promise<Erasure> {
  const [row] = await ctx.db.query<ErasureRow>(
    `select ${erasureColumns} from erasure where id = $1 and ($2::uuid is null or account_id = $2)`,
    [erasureId, accountId],
  )
  if (row === undefined) throw new AppError('not_found', 'This erasure does not exist.')
  return toErasure(row)
}
