import type { Email } from '@posthorn/contract'
import { emailTitle } from '../words/email-title.ts'
import { emailStateWords, worstState } from '../words/email-words.ts'
import type { Match } from './match.ts'

/** A match for an email that this service sent, with its most urgent recipient state. */
export function emailMatch(email: Email): Match {
  const { state, share } = worstState(email.states)
  return {
    group: 'Emails',
    href: `/emails/${email.id}`,
    title: emailTitle(email),
    detail: email.id,
    reason: share === null ? emailStateWords[state] : `${emailStateWords[state]} · ${share}`,
    at: email.created_at,
  }
}
