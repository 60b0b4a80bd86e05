import type { Account, AccountCreate } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { DirectoryRefusal } from '../directory/directory-refusal.ts'
import { getAccount } from './get-account.ts'
import { recordCreation } from './create-account.ts'

/**
 * Creates an account with an id whose place a front has reserved in the directory. Repeating it changes nothing.
 * @throws DirectoryRefusal `code_taken`, `placement_unknown`
 */
export async function createGivenAccount(
  ctx: Ctx,
  { id, ...input }: AccountCreate & { id: string },
): Promise<Account> {
  return await ctx.db.transaction(async tx => {
    if (await insertAccount(tx, id, input)) return await recordCreation({ ...ctx, db: tx }, id)
    const [existing] = await tx.query('select from account where id = $1 and deleted_at is null', [id])
    if (existing !== undefined) return await getAccount({ db: tx }, id)
    throw new DirectoryRefusal(
      'code_taken',
      'Another account of this shard has the same code. Choose another id.',
    )
  })
}

async function insertAccount(
  tx: Queryable,
  id: string,
  { name, max_endpoints, messages_per_hour, messages_per_day }: AccountCreate,
): Promise<boolean> {
  // shard 0 has the directory, so it can check the reservation
  const [place] = await tx.query<{ isReserved: boolean }>(
    `select shard <> 0 or exists (select from placement where account_id = $1 and shard = 0) as "isReserved"
     from installation for share`,
    [id],
  )
  if (place?.isReserved !== true) {
    throw new DirectoryRefusal('placement_unknown', 'The directory does not place this account on shard 0.')
  }
  const [made] = await tx.query(
    `insert into account (id, name, max_endpoints, messages_per_hour, messages_per_day)
     values ($1, $2, $3, $4, $5) on conflict do nothing returning id`,
    [id, name, max_endpoints, messages_per_hour ?? null, messages_per_day ?? null],
  )
  return made !== undefined
}
