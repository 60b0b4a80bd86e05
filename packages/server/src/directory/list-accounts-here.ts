import type { Ctx } from '../context.ts'

const idsMax = 10_000

/** The ids of the accounts that this shard owns, in order. */
export async function listAccountsHere(
  { db }: Pick<Ctx, 'db'>,
  after: string,
): Promise<{ account_ids: string[]; more: boolean }> {
  const rows = await db.query<{ id: string }>('select id from account where id > $1 order by id limit $2', [
    after,
    idsMax,
  ])
  return { account_ids: rows.map(({ id }) => id), more: rows.length === idsMax }
}
