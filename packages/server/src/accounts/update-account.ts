import type { Account, AccountUpdate } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { accountNotFound } from './account-not-found.ts'
import { type AccountRow, accountColumns, auditedAccount, toAccount } from './row.ts'

/**
 * Changes the given fields. If the plan shrinks below the number of endpoints, existing endpoints keep working, but the
 * account cannot create new ones. The audit log has an entry only if something changed.
 */
export async function updateAccount(ctx: Ctx, accountId: string, input: AccountUpdate): Promise<Account> {
  return await ctx.db.transaction(async tx => {
    const before = await lockAccount(tx, accountId)
    const [row] = await tx.query<AccountRow>(
      `update account set name = coalesce($2, name), max_endpoints = coalesce($3::integer, max_endpoints),
         messages_per_hour = $4, messages_per_day = $5, send_traceparent = coalesce($7::boolean, send_traceparent),
         suspended_reason = case when $6::boolean then coalesce(suspended_reason, 'operator') when $6::boolean is null then suspended_reason end,
         suspended_at = case when $6::boolean then coalesce(suspended_at, now()) when $6::boolean is null then suspended_at end,
         resumed_at = case when $6::boolean is false and suspended_at is not null then now() else resumed_at end
       where id = $1
       returning ${accountColumns}`,
      [
        accountId,
        input.name ?? null,
        input.max_endpoints ?? null,
        input.messages_per_hour === undefined ? before.messages_per_hour : input.messages_per_hour,
        input.messages_per_day === undefined ? before.messages_per_day : input.messages_per_day,
        input.suspended ?? null,
        input.send_traceparent ?? null,
      ],
    )
    if (row === undefined) throw accountNotFound()
    const after = toAccount(row)
    if (after.send_traceparent !== before.send_traceparent) await raiseVersions(tx, accountId)
    const audited = { before: auditedAccount(before), after: auditedAccount(after) }
    if (JSON.stringify(audited.before) !== JSON.stringify(audited.after)) {
      const change = { action: 'account.updated', target: after.id, ...audited } as const
      await recordChange({ ...ctx, db: tx }, { accountId, ...change })
    }
    return after
  })
}

/** From now on, no attempt uses what a process remembers of the account's endpoints. */
async function raiseVersions(tx: Queryable, accountId: string): Promise<void> {
  await tx.query(
    // locked in key order, as accept does, to avoid deadlocks
    `with live as materialized (
       select id from endpoint where account_id = $1 and deleted_at is null order by id for no key update
     )
     update endpoint e set version = version + 1 from live where e.account_id = $1 and e.id = live.id`,
    [accountId],
  )
}

async function lockAccount(tx: Queryable, accountId: string): Promise<Account> {
  const [row] = await tx.query<AccountRow>(
    `select ${accountColumns} from account where id = $1 and deleted_at is null for no key update`,
    [accountId],
  )
  if (row === undefined) throw accountNotFound()
  return toAccount(row)
}
