import type { Account, AccountCreate } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { accountCode } from '../domain/account-code.ts'
import { operatorId } from '../domain/operator-id.ts'
import { newId } from '../new-id.ts'
import { getAccount } from './get-account.ts'
import { auditedAccount } from './row.ts'

/** Creates an account, which owns API keys, endpoints and events, and its placement on shard 0. */
export async function createAccount(ctx: Ctx, input: AccountCreate): Promise<Account> {
  return await ctx.db.transaction(async tx => {
    for (;;) {
      const id = newAccountId(ctx)
      if (await insertPlaced(tx, id, input)) return await recordCreation({ ...ctx, db: tx }, id)
    }
  })
}

/** A UUIDv7 whose account code is not that of the operator. It may still be the code of another account. */
function newAccountId(ctx: Pick<Ctx, 'clock' | 'random'>): string {
  for (;;) {
    const id = newId(ctx)
    if (accountCode(id) !== accountCode(operatorId)) return id
  }
}

/** False if another account has the code of this id. */
async function insertPlaced(tx: Queryable, id: string, input: AccountCreate): Promise<boolean> {
  const [found] = await tx.query<{ version: number | null; id: string | null }>(
    // the lock on the installation makes versions commit in order, so that readers of the directory miss none
    `with changed as (
       update installation set directory_version = directory_version + 1 where shard = 0 returning directory_version
     ), placed as (
       insert into placement (account_id, shard, version)
       select $1, 0, directory_version from changed
       where not exists (select from account where right(id::text, 8) = right($1::uuid::text, 8))
       on conflict do nothing
       returning account_id
     ), made as (
       insert into account (id, name, max_endpoints, messages_per_hour, messages_per_day)
       select account_id, $2, $3, $4, $5 from placed
       returning id
     )
     select (select directory_version from changed) as version, (select id from made) as id`,
    [id, input.name, input.max_endpoints, input.messages_per_hour ?? null, input.messages_per_day ?? null],
  )
  if (found?.version === null) throw new Error('only a front can create accounts on a shard other than 0')
  return found?.id !== null
}

/** Writes the audit entry of a new account. */
export async function recordCreation(ctx: Ctx, accountId: string): Promise<Account> {
  const after = await getAccount(ctx, accountId)
  const change = {
    action: 'account.created',
    target: after.id,
    before: null,
    after: auditedAccount(after),
  } as const
  await recordChange(ctx, { accountId, ...change })
  return after
}
