import type { Ctx } from '../context.ts'
import { accountCode } from '../domain/account-code.ts'
import { operatorId } from '../domain/operator-id.ts'
import { DirectoryRefusal } from './directory-refusal.ts'
import { nextVersion } from './next-version.ts'

export interface NewPlacement {
  readonly account_id: string
  readonly shard: number
}

/**
 * Reserves the place of an account that a front is about to create. Repeating it changes nothing.
 * @throws DirectoryRefusal
 */
export async function reservePlacement(
  { db }: Pick<Ctx, 'db'>,
  { account_id, shard }: NewPlacement,
): Promise<NewPlacement & { version: number }> {
  return await db.transaction(async tx => {
    const version = await nextVersion(tx)
    const [target] = await tx.query<{ state: string }>('select state from shard where number = $1', [shard])
    if (target === undefined)
      throw new DirectoryRefusal('shard_unknown', `The directory has no shard ${shard}.`)
    const [kept] = await tx.query<{ shard: number; version: number }>(
      'select shard, version from placement where account_id = $1',
      [account_id],
    )
    if (kept?.shard === shard) return { account_id, ...kept }
    if (target.state === 'closed') {
      throw new DirectoryRefusal('shard_closed', `Shard ${shard} is closed for new accounts.`)
    }
    const [made] = await tx.query(
      `insert into placement (account_id, shard, version)
       select $1, $2, $3 where right($1::uuid::text, 8) <> right($4::uuid::text, 8)
       on conflict do nothing
       returning account_id`,
      [account_id, shard, version, operatorId],
    )
    if (made === undefined) {
      const code = accountCode(account_id).toString(16).padStart(8, '0')
      throw new DirectoryRefusal('code_taken', `The account code ${code} is taken. Choose another id.`)
    }
    return { account_id, shard, version }
  })
}
