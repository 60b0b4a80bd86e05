import type { Suppression, SuppressionReason } from '@posthorn/contract'
import type { Sentence } from './sentence.ts'

export const suppressionReasonWords: Readonly<Record<SuppressionReason, string>> = {
  bounce: 'Bounced',
  domain_bounce: 'Domain bounced',
  complaint: 'Marked as spam',
  unsubscribe: 'Unsubscribed',
  manual: 'Added by hand',
}

/** Which mail a suppression holds back: `All mail`, `All lists`, `List weekly`. */
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

/** What somebody should know before mail goes to an address again. */
export interface LiftWords {
  readonly consequence: string
  /** What has to be true of the person first; null: nothing. */
  readonly consent: string | null
}

export function liftWords(reason: SuppressionReason): LiftWords {
  switch (reason) {
    case 'bounce':
      return {
        consequence:
          'Its mail server said that there is no such mailbox. Should that still be so, the next mail bounces, and it is suppressed again.',
        consent: null,
      }
    case 'domain_bounce':
      return {
        consequence:
          'Its whole domain took no mail. Should that still be so, the next mail bounces, and it is suppressed again.',
        consent: null,
      }
    case 'complaint':
      return {
        consequence:
          'They marked mail of yours as spam. Another complaint makes mail servers distrust all that you send.',
        consent: askedWords,
      }
    case 'unsubscribe':
      return {
        consequence: 'They unsubscribed. In most countries nobody may write to them before they ask for it.',
        consent: askedWords,
      }
    case 'manual':
      return { consequence: 'Somebody added it by hand, for reasons that only they know.', consent: null }
  }
}

const askedWords = 'They asked to be written to again.'

/** The answer to "is this address written to?", from all suppressions of it that are in force. */
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
    return { tone: 'delivered', headline: 'Nothing is held back from this address.', facts }
  }
  return inForce.some(({ scope }) => scope.type === 'all_mail')
    ? { tone: 'exhausted', headline: 'No mail is sent to this address.', facts }
    : { tone: 'failed', headline: 'Mail to lists is held back from this address; other mail is sent.', facts }
}
