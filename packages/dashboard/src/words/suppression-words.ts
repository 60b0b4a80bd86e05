import type { Suppression, SuppressionCounts, SuppressionImport, SuppressionReason } from '@posthorn/contract'
import { suppressionCountMax, suppressionReasons } from '@posthorn/contract/plain'
import { countOf, formatCount } from '../format/numbers.ts'
import type { Sentence } from './sentence.ts'

export const suppressionReasonWords: Readonly<Record<SuppressionReason, string>> = {
  bounce: 'Bounced',
  domain_bounce: 'Domain bounced',
  complaint: 'Marked as spam',
  unsubscribe: 'Unsubscribed',
  manual: 'Added by hand',
}

/** A count that ends at 1,000: `12`, `1,000+`. */
export function cappedWords(count: number): string {
  return `${formatCount(count)}${count >= suppressionCountMax ? '+' : ''}`
}

/** How many suppressions are in force: `1,433 in force`, `1,433 or more in force`. */
export function inForceWords({ by_reason: byReason }: SuppressionCounts): string {
  const counts = suppressionReasons.map(reason => byReason[reason])
  const sum = counts.reduce((all, count) => all + count, 0)
  const isMore = counts.some(count => count >= suppressionCountMax)
  return `${formatCount(sum)}${isMore ? ' or more' : ''} in force`
}

/** The result of an import: `3 suppressions added, 1 already in force, 2 lines rejected.` */
export function importWords({ lines, added, unchanged, rejected }: SuppressionImport): string {
  if (lines === 0) return 'The file has no addresses.'
  const parts = [
    `${countOf(added, 'suppression', 'suppressions')} added`,
    ...(unchanged > 0 ? [`${formatCount(unchanged)} already in force`] : []),
    ...(rejected > 0 ? [`${countOf(rejected, 'line', 'lines')} rejected`] : []),
  ]
  return `${parts.join(', ')}.`
}

/** Which mail a suppression stops: `All mail`, `All lists`, `List weekly`. */
export function heldBackWords({ type, id }: Suppression['scope']): string {
  switch (type) {
    case 'all_mail':
      return 'All mail'
    case 'all_lists':
      return 'All lists'
    case 'list':
      return `List ${id ?? ''}`.trim()
  }
}

/** What to know before sending mail to an address again. */
export interface LiftWords {
  readonly consequence: string
  /** What must be true of the recipient first; null: nothing. */
  readonly consent: string | null
}

export function liftWords(reason: SuppressionReason): LiftWords {
  switch (reason) {
    case 'bounce':
      return {
        consequence:
          'Its mail server said that the mailbox does not exist. If that is still true, the next email bounces, and we suppress the address again.',
        consent: null,
      }
    case 'domain_bounce':
      return {
        consequence:
          'Its whole domain refused mail. If that is still true, the next email bounces, and we suppress the address again.',
        consent: null,
      }
    case 'complaint':
      return {
        consequence:
          'The recipient marked your mail as spam. After another complaint, mail servers may distrust all your mail.',
        consent: askedWords,
      }
    case 'unsubscribe':
      return {
        consequence:
          'The recipient unsubscribed. In most countries you may not write to them until they ask for it.',
        consent: askedWords,
      }
    case 'manual':
      return { consequence: 'Somebody added it by hand. The reason is not recorded.', consent: null }
  }
}

const askedWords = 'The recipient asked for mail again.'

/** Answers "do we send mail to this address?", from all its suppressions in force. */
export interface AddressWords {
  readonly tone: 'delivered' | 'failed' | 'exhausted'
  readonly headline: string
  readonly facts: readonly Sentence[]
}

export function addressWords(inForce: readonly Suppression[]): AddressWords {
  const facts = inForce.map(({ reason, scope, created_at: at, lapses_at: end }): Sentence => {
    const until = end === null ? [] : [', until ', { at: end }]
    return [
      `${heldBackWords(scope)}: ${suppressionReasonWords[reason].toLowerCase()} `,
      { at },
      ...until,
      '.',
    ]
  })
  if (inForce.length === 0) {
    return { tone: 'delivered', headline: 'This address is not suppressed.', facts }
  }
  return inForce.some(({ scope }) => scope.type === 'all_mail')
    ? { tone: 'exhausted', headline: 'We send no mail to this address.', facts }
    : { tone: 'failed', headline: 'We send no list mail to this address, but all other mail.', facts }
}
