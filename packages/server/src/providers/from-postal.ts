import type { ReportedOutcome, Translated } from '../sources/source-report.ts'
import { fieldIn, textIn } from './read-fields.ts'
import { momentOf, providerEmail, replyOf } from './report-parts.ts'

/** Translates an event of Postal, which is about one recipient. */
export function fromPostal(event: unknown, accountId: string): Translated[] {
  return [{ index: 0, report: reportOf(event, accountId) }]
}

function reportOf(event: unknown, accountId: string): Translated['report'] {
  const kind = textIn(event, 'event')
  const id = textIn(event, 'uuid')
  if (kind === '' || id === '') return 'malformed'
  const payload = fieldIn(event, 'payload')
  const outcome = outcomeOf(payload, kind)
  const message = fieldIn(payload, kind === 'MessageBounced' ? 'original_message' : 'message')
  // Postal also delivers incoming mail, such as to an HTTP endpoint
  if (outcome === null || textIn(message, 'direction') === 'incoming') return 'not_an_outcome'
  return {
    returnPaths: [],
    foreign: providerEmail(accountId, {
      named: /^posthorn_email_id=(.*)$/.exec(textIn(message, 'tag'))?.[1] ?? '',
      messageId: textIn(message, 'message_id'),
    }),
    recipients: [textIn(message, 'to')],
    outcome: {
      ...outcome,
      occurred_at: momentOf(textIn(payload, 'timestamp') || textIn(event, 'timestamp')),
    },
    outcomeId: `postal:${id}`,
  }
}

function outcomeOf(payload: unknown, kind: string): ReportedOutcome | null {
  const details = textIn(payload, 'details')
  const output = textIn(payload, 'output')
  switch (kind) {
    case 'MessageSent':
      return { disposition: 'accepted', reply: replyOf({ text: output }) }
    case 'MessageDelayed':
      return { disposition: 'temporary', reply: replyOf({ text: output || details }) }
    case 'MessageDeliveryFailed':
      return {
        disposition: gaveUp.test(details) ? 'expired' : 'permanent',
        reply: replyOf({ text: output || details }),
      }
    case 'MessageBounced':
      // the event has no text of the bounce message
      return { disposition: 'permanent', timing: 'asynchronous' }
    case 'MessageHeld':
      // other held messages wait until somebody releases them
      return isSuppressed.test(details) ? { disposition: 'suppressed' } : null
    default:
      return null
  }
}

const gaveUp = /^maximum number of delivery attempts\b/i
const isSuppressed = /\bis on the suppression list\b/i
