import type { Account, SuspensionReason } from '@posthorn/contract'
import { typeId } from '../domain/type-id.ts'

export interface AccountRow {
  id: string
  name: string
  max_endpoints: number
  endpoint_count: number
  messages_per_hour: number | null
  messages_per_day: number | null
  suspended_at: Date | null
  suspended_reason: SuspensionReason | null
  created_at: Date
}

/** Counts the endpoints in one short index range, because the plan limits their number. */
export const accountColumns = `id, name, max_endpoints, messages_per_hour, messages_per_day, suspended_at, suspended_reason, created_at,
  (select count(*) from endpoint e
   where e.account_id = account.id and e.kind = 'events' and e.deleted_at is null) as endpoint_count`

/** An account as the API shows it to the operator. */
export function toAccount(row: AccountRow): Account {
  return {
    id: typeId('acct', row.id),
    name: row.name,
    max_endpoints: row.max_endpoints,
    endpoint_count: row.endpoint_count,
    messages_per_hour: row.messages_per_hour,
    messages_per_day: row.messages_per_day,
    suspended_at: row.suspended_at?.toISOString() ?? null,
    suspended_reason: row.suspended_reason,
    created_at: row.created_at.toISOString(),
  }
}
