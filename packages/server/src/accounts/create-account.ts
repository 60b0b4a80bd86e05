import type { Account, AccountCreate } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { newId } from '../new-id.ts'
import { getAccount } from './get-account.ts'

/** Opens an account: keys, endpoints and events belong to one. */
export async function createAccount(ctx: Ctx, input: AccountCreate): Promise<Account> {
  const id = newId(ctx)
  await ctx.db.query('insert into account (id, name, max_endpoints) values ($1, $2, $3)', [
    id,
    input.name,
    input.max_endpoints,
  ])
  return await getAccount(ctx, id)
}
