import type { Account, SendingLimits, SuspensionReason } from '@posthorn/contract'
import { typeId } from '../domain/type-id.ts'

export interface AccountRow extends SendingRow {
  id: string
  name: string
  max_endpoints: number
  endpoint_count: number
  send_traceparent: boolean
  created_at: Date
}

export interface SendingRow {
  messages_per_hour: number | null
  messages_this_hour: number | null
  messages_per_day: number | null
  messages_this_day: number | null
  suspended_at: Date | null
  suspended_reason: SuspensionReason | null
}

/** What the account may send, and what it has sent; null while it has no limit, because then nothing is counted. */
export const sendingColumns = `messages_per_hour, messages_per_day, suspended_at, suspended_reason,
  case when coalesce(messages_per_hour, messages_per_day) is not null then coalesce((select in_hour from sent_count c
    where c.account_id = account.id and hour_at = date_trunc('hour', now(), 'UTC')), 0) end as messages_this_hour,
  case when coalesce(messages_per_hour, messages_per_day) is not null then coalesce((select in_day from sent_count c
    where c.account_id = account.id and day_at = date_trunc('day', now(), 'UTC')), 0) end as messages_this_day`

/** Counts the endpoints in one short index range, because the plan limits their number. */
export const accountColumns = `id, name, max_endpoints, ${sendingColumns}, send_traceparent, created_at,
  (select count(*) from endpoint e
   where e.account_id = account.id and e.kind = 'events' and e.deleted_at is null) as endpoint_count`

/** An account as the API shows it to the operator. */
export function toAccount(row: AccountRow): Account {
  return {
    id: typeId('acct', row.id),
    name: row.name,
    max_endpoints: row.max_endpoints,
    endpoint_count: row.endpoint_count,
    ...toSending(row),
    send_traceparent: row.send_traceparent,
    created_at: row.created_at.toISOString(),
  }
}

/** What the account may send and has sent, as the API shows it. */
export function toSending(row: SendingRow): Omit<SendingLimits, 'hour_ends_at' | 'day_ends_at'> {
  return {
    messages_per_hour: row.messages_per_hour,
    messages_this_hour: row.messages_this_hour,
    messages_per_day: row.messages_per_day,
    messages_this_day: row.messages_this_day,
    suspended_at: row.suspended_at?.toISOString() ?? null,
    suspended_reason: row.suspended_reason,
  }
}

/** An account in the audit log: without what it has sent, which no change of the account sets. */
export function auditedAccount(account: Account): object {
  const { messages_this_hour: _, messages_this_day: __, ...audited } = account
  return audited
}
