import type { Ctx } from '../context.ts'

/** Which of these accounts this shard has. A deleted account is not known. */
export async function findKnownAccounts(
  { db }: Pick<Ctx, 'db'>,
  accountIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select id from account where id = any($1::uuid[]) and deleted_at is null',
    [accountIds],
  )
  return rows.map(({ id }) => id)
}
