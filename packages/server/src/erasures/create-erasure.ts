import type { Erasure } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { normalEmailAddress } from '../domain/email-address.ts'
import { newId } from '../new-id.ts'
import { getErasure } from './get-erasure.ts'

/** Begins to remove an address from everything that an account has stored. */
export async function createErasure(ctx: Ctx, accountId: string, recipient: string): Promise<Erasure> {
  const id = newId(ctx)
  await ctx.db.query('insert into erasure (account_id, id, recipient) values ($1, $2, $3)', [
    accountId,
    id,
    normalEmailAddress(recipient),
  ])
  return await getErasure(ctx, accountId, id)
}
