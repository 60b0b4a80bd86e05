import type { Ctx } from '../context.ts'

/** Where an account is: `present` also until the data of a deleted account is gone. */
export type AccountState = 'present' | 'deleted' | 'unknown'

/** Whether this shard has, had or never had an account. */
export async function findAccountHere({ db }: Pick<Ctx, 'db'>, accountId: string): Promise<AccountState> {
  const [row] = await db.query<{ state: AccountState }>(
    // the audit log keeps this entry when the data is deleted
    `select case when exists (select from account where id = $1) then 'present'
                 when exists (select from audit_entry where account_id = $1 and action = 'account.deleted') then 'deleted'
                 else 'unknown' end as state`,
    [accountId],
  )
  return row?.state ?? 'unknown'
}
