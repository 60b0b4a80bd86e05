import type { Suppression, SuppressionReason } from '@posthorn/contract'
import type { Sentence } from './sentence.ts'

export const suppressionReasonWords: Readonly<Record<SuppressionReason, string>> = {
  bounce: 'Bounced',
  domain_bounce: 'Domain bounced',
  complaint: 'Marked as spam',
  unsubscribe: 'Unsubscribed',
  manual: 'Added by hand',
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
