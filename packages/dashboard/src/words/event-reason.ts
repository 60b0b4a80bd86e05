import type { Email, Event, EventType } from '@posthorn/contract'
import { providerKinds } from '@posthorn/contract/plain'
import { replyText } from './email-words.ts'
import { bounceWords, failureWords } from './outcome-reasons.ts'

/**
 * Why an event happened: `No such mailbox`, `Mailbox full`, `One click, list news`. Null for deliveries, and if the reason is
 * unknown.
 */
export function eventReason(event: Pick<Event, 'type' | 'data'>): string | null {
  if (event.type === 'email.unsubscribed') return unsubscribeReason(event.data['unsubscribe'])
  const code = eventReasonCode(event)
  return code === null ? null : reasonWords(code)
}

/** The reason as the API names it. */
export function eventReasonCode({ type, data }: Pick<Event, 'type' | 'data'>): string | null {
  const code = codeOf(type, data)
  return typeof code === 'string' ? code : null
}

function codeOf(type: EventType, data: Event['data']): unknown {
  switch (type) {
    case 'email.delivered':
      return null
    case 'email.bounced':
      return field(data['bounce'], 'category')
    case 'email.failed':
      return field(data['failure'], 'reason')
    case 'email.unsubscribed':
      return field(data['unsubscribe'], 'source')
    case 'email.deferred':
      return field(data['deferral'], 'reason')
    case 'email.complained':
    case 'email.suppressed':
      return null
  }
}

/** A reason of the API in words: `No such mailbox`. */
export function reasonWords(code: string): string {
  // a newer service may have codes that this page does not know
  return Object.hasOwn(allWords, code) ? (allWords[code] ?? code) : code
}

function unsubscribeReason(unsubscribe: unknown): string | null {
  const source = field(unsubscribe, 'source')
  const provider = providerNames.find(name => name === field(unsubscribe, 'user_agent'))
  const how = typeof source === 'string' ? sourceAt(source, provider) : null
  const scope = field(unsubscribe, 'scope')
  const [kind, id] = [field(scope, 'type'), field(scope, 'id')]
  return how !== null && (kind === 'list' || kind === 'topic') && typeof id === 'string' && id !== ''
    ? `${how}, ${kind} ${id}`
    : how
}

/** A mail provider reports unsubscriptions without saying how they were made. */
function sourceAt(source: string, provider: string | undefined): string {
  if (provider === undefined) return reasonWords(source)
  return source === 'api' ? `Through ${provider}` : `${reasonWords(source)}, reported by ${provider}`
}

const providerNames: readonly string[] = Object.values(providerKinds)

/** Why the latest event of an email happened. The reply of the mail server follows: `No such mailbox · 550 5.1.1 User unknown`. */
export function emailReason({ latest_event: latest }: Pick<Email, 'latest_event'>): string | null {
  if (latest === null || (latest.type !== 'email.bounced' && latest.type !== 'email.failed')) return null
  const why = latest.reason === null ? null : reasonWords(latest.reason)
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

const allWords: Readonly<Record<string, string>> = { ...bounceWords, ...failureWords, ...sourceWords }

function field(part: unknown, name: string): unknown {
  return typeof part === 'object' && part !== null ? Reflect.get(part, name) : undefined
}
