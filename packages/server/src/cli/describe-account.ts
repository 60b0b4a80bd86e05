import type { Account } from '@posthorn/contract'
import { table } from './table.ts'

const reasons = {
  bounce_rate: 'too many bounces',
  complaint_rate: 'too many complaints',
  operator: 'by the operator',
} as const satisfies Record<NonNullable<Account['suspended_reason']>, string>

/** An account for the operator, one field per line. */
export function describeAccount(account: Account): string {
  return table([
    ['ID', account.id],
    ['Name', account.name],
    ['Sending', describeSending(account)],
    ['Messages this hour', described(account.messages_this_hour, account.messages_per_hour)],
    ['Messages today', described(account.messages_this_day, account.messages_per_day)],
    ['Endpoints', `${account.endpoint_count} of ${account.max_endpoints}`],
    ['Created', account.created_at],
  ])
}

/** Whether the account may send emails, and if not, why and since when. */
function describeSending({ suspended_at: since, suspended_reason: reason }: Account): string {
  if (since === null) return 'allowed'
  return `suspended since ${since}${reason === null ? '' : ` (${reasons[reason]})`}`
}

function described(used: number | null, limit: number | null): string {
  if (used === null) return 'not counted (no limit)'
  return limit === null ? `${used} (no limit)` : `${used} of ${limit}`
}
