import type { Queryable } from '../db/database.ts'
import { AppError } from '../errors.ts'

/**
 * Counts messages against the account's limits per hour and per day (UTC), in the transaction that stores them.
 * @throws AppError `sending_suspended`, or `quota_exceeded` with the seconds until the hour or the day ends
 */
export async function takeQuota(db: Queryable, accountId: string, messages: number): Promise<void> {
  const [limits] = await db.query<Limits>(
    'select messages_per_hour, messages_per_day, suspended_at is not null as is_suspended from account where id = $1',
    [accountId],
  )
  if (limits === undefined) return
  if (limits.is_suspended) {
    throw new AppError(
      'sending_suspended',
      'The account is suspended and cannot send emails. Ask the operator to lift the suspension.',
    )
  }
  if (limits.messages_per_hour === null && limits.messages_per_day === null) return
  const [count] = await db.query<Count>(
    `insert into sent_count as c (account_id, hour_at, in_hour, day_at, in_day)
     values ($1, date_trunc('hour', now()), $2, date_trunc('day', now(), 'UTC'), $2)
     on conflict (account_id) do update set
       hour_at = excluded.hour_at, day_at = excluded.day_at,
       in_hour = excluded.in_hour + case when c.hour_at = excluded.hour_at then c.in_hour else 0 end,
       in_day = excluded.in_day + case when c.day_at = excluded.day_at then c.in_day else 0 end
     returning in_hour, in_day,
       ceil(extract(epoch from hour_at + interval '1 hour' - now()))::int as hour_seconds,
       ceil(extract(epoch from day_at + interval '1 day' - now()))::int as day_seconds`,
    [accountId, messages],
  )
  // the caller's transaction takes the count back
  if (count !== undefined) refuseMore(count, limits)
}

interface Limits {
  messages_per_hour: number | null
  messages_per_day: number | null
  is_suspended: boolean
}

interface Count {
  in_hour: number
  in_day: number
  /** Until the hour ends. */
  hour_seconds: number
  day_seconds: number
}

function refuseMore(count: Count, { messages_per_hour: perHour, messages_per_day: perDay }: Limits): void {
  // the day first, because it ends later
  if (perDay !== null && count.in_day > perDay) throw quotaExceeded(perDay, 'day', count.day_seconds)
  if (perHour !== null && count.in_hour > perHour) throw quotaExceeded(perHour, 'hour', count.hour_seconds)
}

function quotaExceeded(limit: number, period: string, waitSeconds: number): AppError {
  const wait = String(Math.max(1, waitSeconds))
  return new AppError(
    'quota_exceeded',
    `The account may send ${limit} messages per ${period}, one for each recipient. Try again in ${wait} s, or ask the operator for more.`,
    [],
    { 'retry-after': wait },
  )
}
