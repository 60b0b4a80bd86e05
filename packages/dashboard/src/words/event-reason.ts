import type { Email, Event } from '@posthorn/contract'
import { replyText } from './email-words.ts'
import { bounceWords, failureWords } from './outcome-reasons.ts'

/**
 * Why an event happened: `No such mailbox`, `Mailbox full`, `One click, list news`. Null for deliveries, and if the reason is
 * unknown.
 */
export function eventReason({ type, data }: Pick<Event, 'type' | 'data'>): string | null {
  switch (type) {
    case 'email.delivered':
      return null
    case 'email.bounced':
      return inWords(bounceWords, field(data['bounce'], 'category'))
    case 'email.failed':
      return inWords(failureWords, field(data['failure'], 'reason'))
    case 'email.unsubscribed':
      return unsubscribeReason(data['unsubscribe'])
  }
}

function unsubscribeReason(unsubscribe: unknown): string | null {
  const how = inWords(sourceWords, field(unsubscribe, 'source'))
  const scope = field(unsubscribe, 'scope')
  const [kind, id] = [field(scope, 'type'), field(scope, 'id')]
  return how !== null && (kind === 'list' || kind === 'topic') && typeof id === 'string' && id !== ''
    ? `${how}, ${kind} ${id}`
    : how
}

/** Why the latest event of an email happened. The reply of the mail server follows: `No such mailbox · 550 5.1.1 User unknown`. */
export function emailReason({ latest_event: latest }: Pick<Email, 'latest_event'>): string | null {
  if (latest === null || (latest.type !== 'email.bounced' && latest.type !== 'email.failed')) return null
  const why = inWords(latest.type === 'email.bounced' ? bounceWords : failureWords, latest.reason)
  // without a code, the text is ours and says the same as the reason
  const reply = latest.reply === null || latest.reply.code === null ? null : replyText(latest.reply)
  return [why, reply].filter(part => part !== null).join(' · ') || null
}

/** How a recipient unsubscribed, by `unsubscribe.source`. */
const sourceWords: Readonly<Record<string, string>> = {
  one_click: 'One click in the mail program',
  link: 'Link in the email',
  mailto: 'Reply by email',
  complaint: 'Marked as spam',
  preference_center: 'Preference center',
  manual: 'By hand',
  api: 'Through the API',
}

function inWords(words: Readonly<Record<string, string>>, code: unknown): string | null {
  if (typeof code !== 'string') return null
  // a newer service may have codes that this page does not know
  return Object.hasOwn(words, code) ? (words[code] ?? code) : code
}

function field(part: unknown, name: string): unknown {
  return typeof part === 'object' && part !== null ? Reflect.get(part, name) : undefined
}
