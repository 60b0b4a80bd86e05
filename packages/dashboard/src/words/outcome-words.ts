import type { OutcomeCounts } from '@posthorn/contract'
import type { Bucket } from '../charts/buckets.ts'
import { countOf, formatCount } from '../format/numbers.ts'
import { stretchWords } from './chart-words.ts'
import type { Reader } from './health-words.ts'
import { deliveredRate, rateWords, settledEmails } from './outcome-rates.ts'

/** A sentence about the outcomes of emails. `span` is text such as `the last 24 hours`. */
export function outcomesSummary(total: OutcomeCounts, span: string): string {
  const emails = settledEmails(total)
  const unsubscribed =
    total.unsubscribed === 0 ? '' : ` ${countOf(total.unsubscribed, 'recipient', 'recipients')} unsubscribed.`
  if (emails === 0) return `No email had an outcome in ${span}.${unsubscribed}`
  const share = rateWords(deliveredRate(total))
  return `Of ${countOf(emails, 'email', 'emails')} in ${span}, ${formatCount(total.delivered)} were delivered (${share}), ${formatCount(total.bounced)} bounced and ${formatCount(total.failed)} failed.${unsubscribed}`
}

/** Adjacent bars in words: their time and their outcomes. At least one. */
export function outcomeWords(bars: readonly Bucket[], reader: Reader): string {
  const sum = (of: keyof OutcomeCounts): string =>
    formatCount(bars.reduce((all, bar) => all + bar.outcomes[of], 0))
  const outcomes = `${sum('delivered')} delivered, ${sum('bounced')} bounced, ${sum('failed')} failed, ${sum('unsubscribed')} unsubscribed`
  return `${stretchWords(bars, reader)}: ${outcomes}${bars.at(-1)?.isSoFar === true ? ', so far' : ''}`
}
