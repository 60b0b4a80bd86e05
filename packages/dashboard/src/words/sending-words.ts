import type { Account, SendingLimits } from '@posthorn/contract'
import { formatCount } from '../format/numbers.ts'
import { formatClock, formatMinute } from '../format/times.ts'
import type { Reader } from './health-words.ts'

type Reason = NonNullable<SendingLimits['suspended_reason']>

/** Why an account is suspended, as half a sentence. */
export const suspensionReasons: Record<Reason, string> = {
  bounce_rate: 'too many of its emails bounced',
  complaint_rate: 'too many recipients complained about spam',
  operator: 'the operator suspended it',
}

const remedies: Record<Reason, string> = {
  bounce_rate: 'Remove the addresses that bounced, then ask',
  complaint_rate: 'Find out who complained and why, then ask',
  operator: 'To learn why, ask',
}

/** What keeps the account from sending, with the reason and the remedy. */
export interface SendingStop {
  readonly word: 'Suspended' | 'Limit'
  readonly headline: string
  readonly detail: string
}

/**
 * Why the account cannot send now; null if it can.
 * @param operator who lifts suspensions and raises limits, such as `the operator`
 */
export function sendingStop(limits: SendingLimits, operator: string, reader: Reader): SendingStop | null {
  const { suspended_at: since, suspended_reason: reason } = limits
  if (since !== null) {
    const why = reason === null ? '' : `: ${suspensionReasons[reason]}`
    return {
      word: 'Suspended',
      headline: `Your account cannot send emails since ${formatMinute(since, reader.zone, reader.nowMs)}${why}.`,
      detail: `We accept no new emails. We still send those that we have accepted, and webhooks still arrive. ${
        reason === null ? 'Ask' : remedies[reason]
      } ${operator}: only they can lift the suspension.`,
    }
  }
  const full = fullPeriod(limits)
  if (full === null) return null
  const until = full.period === 'day' ? limits.day_ends_at : limits.hour_ends_at
  const end = full.limit === 0 ? '' : ` until ${untilWords(full.period, until, reader)}`
  return {
    word: 'Limit',
    headline: `Your account has sent ${usedWords(full.used, full.limit)} messages this ${full.period}.`,
    detail: `We accept no new emails${end}. Each recipient counts as one message. To send more, ask ${operator} to raise the limit.`,
  }
}

/** Whether an account without a suspension may send, for the operator, and until when it may not. */
export interface SendingState {
  readonly maySend: boolean
  readonly headline: string
}

/** As {@link sendingStop}, for the operator. An account does not say when its hour and day end, so the clock does. */
export function sendingState(account: Account, reader: Reader): SendingState {
  const full = fullPeriod(account)
  if (full === null) return { maySend: true, headline: 'The account may send emails.' }
  const { period, used, limit } = full
  if (limit === 0) {
    return { maySend: false, headline: `The account may send no emails: its limit per ${period} is 0.` }
  }
  const periodMs = period === 'day' ? 86_400_000 : 3_600_000
  // hours and days are those of UTC
  const end = new Date((Math.floor(reader.nowMs / periodMs) + 1) * periodMs).toISOString()
  const headline = `The account has sent ${usedWords(used, limit)} messages this ${period}. It may send again at ${untilWords(period, end, reader)}.`
  return { maySend: false, headline }
}

function untilWords(period: 'hour' | 'day', endsAt: string, { zone, nowMs }: Reader): string {
  return period === 'day' ? formatMinute(endsAt, zone, nowMs) : formatClock(endsAt, zone)
}

/** `412 of 1,000 messages this hour, 3,000 of 10,000 this day`; null without a limit. */
export function sendingUse(limits: SendingLimits): string | null {
  const uses = [
    [limits.messages_this_hour, limits.messages_per_hour, 'hour'],
    [limits.messages_this_day, limits.messages_per_day, 'day'],
  ] as const
  const words = uses.flatMap(([used, limit, period]) =>
    limit === null ? [] : [`${usedWords(used ?? 0, limit)} messages this ${period}`],
  )
  return words.length === 0 ? null : words.join(', ')
}

/** The day comes first, because it ends later. */
function fullPeriod(limits: Uses): { period: 'day' | 'hour'; used: number; limit: number } | null {
  const { messages_per_hour: perHour, messages_per_day: perDay } = limits
  const inHour = limits.messages_this_hour ?? 0
  const inDay = limits.messages_this_day ?? 0
  if (perDay !== null && inDay >= perDay) return { period: 'day', used: inDay, limit: perDay }
  return perHour !== null && inHour >= perHour ? { period: 'hour', used: inHour, limit: perHour } : null
}

type Uses = Pick<
  Account,
  'messages_per_hour' | 'messages_this_hour' | 'messages_per_day' | 'messages_this_day'
>

function usedWords(used: number, limit: number): string {
  return `${formatCount(used)} of ${formatCount(limit)}`
}
