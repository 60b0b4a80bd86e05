import type { OutcomeCounts, RateThresholds } from '@posthorn/contract'
import { formatCount, formatRatio } from '../format/numbers.ts'

/** A share with its numbers, so that nobody reads it without its denominator. */
export interface OutcomeRate {
  readonly count: number
  /** The denominator. */
  readonly of: number
}

/** Emails with an outcome. */
export function settledEmails({ delivered, bounced, failed }: OutcomeCounts): number {
  return delivered + bounced + failed
}

export function deliveredRate(counts: OutcomeCounts): OutcomeRate {
  return { count: counts.delivered, of: settledEmails(counts) }
}

export function bounceRate(counts: OutcomeCounts): OutcomeRate {
  return { count: counts.bounced, of: settledEmails(counts) }
}

export function complaintRate({ complaints, delivered }: OutcomeCounts): OutcomeRate {
  return { count: complaints, of: delivered }
}

export function unsubscribeRate({ unsubscribed, delivered }: OutcomeCounts): OutcomeRate {
  return { count: unsubscribed, of: delivered }
}

/** `good`: the rate needs no attention. */
export type RateState = 'good' | 'warning' | 'risk'

/**
 * Compares a rate with the operator's limits. Null if there are too few emails to judge: so few that one alone would exceed
 * the lower limit. Providers judge senders by many emails, not by one.
 */
export function rateState(
  rate: OutcomeRate,
  { warning, risk }: RateThresholds['bounce_rate'],
): RateState | null {
  const share = ratioOf(rate)
  if (share === null || rate.of * warning < 1) return null
  return share > risk ? 'risk' : share > warning ? 'warning' : 'good'
}

/** The state as words: `High`. */
export const rateStateWords: Readonly<Record<RateState, string>> = {
  good: 'Good',
  warning: 'High',
  risk: 'Too high',
}

/** `2.1%`; a dash without a denominator. */
export function rateWords(rate: OutcomeRate): string {
  return formatRatio(ratioOf(rate))
}

/** `312 of 15,204`. */
export function ratePartsWords({ count, of }: OutcomeRate): string {
  return `${formatCount(count)} of ${formatCount(of)}`
}

/**
 * What the rate was in the period before: `before 1.4%`.
 * @param earlier null: not all of it was recorded; undefined: not known yet
 */
export function beforeWords(
  earlier: OutcomeCounts | null | undefined,
  rateOf: (counts: OutcomeCounts) => OutcomeRate,
): string {
  if (earlier === undefined || earlier === null) return ''
  const rate = rateOf(earlier)
  return rate.of === 0 ? 'before: no emails' : `before ${rateWords(rate)}`
}

function ratioOf({ count, of }: OutcomeRate): number | null {
  return of === 0 ? null : count / of
}
