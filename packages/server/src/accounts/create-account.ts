import type { Account, AccountCreate } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import { newId } from '../new-id.ts'
import { getAccount } from './get-account.ts'

/** Creates an account, which owns API keys, endpoints and events. */
export async function createAccount(ctx: Ctx, input: AccountCreate): Promise<Account> {
  const id = newId(ctx)
  return await ctx.db.transaction(async tx => {
    await tx.query('insert into account (id, name, max_endpoints) values ($1, $2, $3)', [
      id,
      input.name,
      input.max_endpoints,
    ])
    const after = await getAccount({ db: tx }, id)
    const change = { action: 'account.created', target: after.id, before: null, after } as const
    await recordChange({ ...ctx, db: tx }, { accountId: id, ...change })
    return after
  })
}
