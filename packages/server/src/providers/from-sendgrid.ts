import type { ReportedOutcome, Translated } from '../sources/source-report.ts'
import { textIn } from './read-fields.ts'
import { momentOf, providerEmail, replyOf } from './report-parts.ts'

/** Translates events of SendGrid. Each is about one recipient. */
export function fromSendgrid(events: unknown, accountId: string): Translated[] {
  if (!Array.isArray(events)) return [{ index: 0, report: 'malformed' }]
  return events.map((event, index) => ({ index, report: reportOf(event, accountId) }))
}

function reportOf(event: unknown, accountId: string): Translated['report'] {
  const kind = textIn(event, 'event')
  const id = textIn(event, 'sg_event_id')
  if (kind === '' || id === '') return 'malformed'
  const outcome = outcomeOf(event, kind)
  if (outcome === null) return 'not_an_outcome'
  return {
    returnPaths: [],
    foreign: providerEmail(accountId, {
      named: textIn(event, 'posthorn_email_id'),
      messageId: textIn(event, 'smtp-id'),
      providerId: messageIdOfApi(textIn(event, 'sg_message_id')),
    }),
    recipients: [textIn(event, 'email')],
    outcome: { ...outcome, occurred_at: momentOf(textIn(event, 'timestamp')) },
    reportedStatus: statusOf(textIn(event, 'status')),
    outcomeId: `sendgrid:${id}`,
  }
}

/** Its words for a bounce, `type` and `bounce_classification`, do not count. */
function outcomeOf(event: unknown, kind: string): ReportedOutcome | null {
  switch (kind) {
    case 'delivered':
      return { disposition: 'accepted', reply: replyOf({ text: textIn(event, 'response') }) }
    case 'deferred':
      return { disposition: 'temporary', reply: replyOf({ text: textIn(event, 'response') }) }
    case 'bounce':
      return { disposition: 'permanent', reply: replyOf({ text: textIn(event, 'reason') }) }
    case 'dropped':
      return dropped(textIn(event, 'reason'))
    case 'spamreport':
      return { disposition: 'complaint' }
    case 'unsubscribe':
      return { disposition: 'unsubscribe' }
    default:
      return null
  }
}

/** SendGrid did not try to deliver it, so its reason is not a reply. */
function dropped(reason: string): ReportedOutcome {
  return suppressed.has(reason.toLowerCase())
    ? { disposition: 'suppressed' }
    : { disposition: 'cancelled', reply: replyOf({ text: reason }) }
}

const suppressed = new Set(['bounced address', 'unsubscribed address', 'spam reporting address'])

/** The `X-Message-Id` that SendGrid's API returned, without what its servers append. */
function messageIdOfApi(id: string): string {
  return id.replace(/\.(?:filter|recvd-).*$/s, '')
}

function statusOf(text: string): string | undefined {
  return /^[245]\.\d{1,3}\.\d{1,3}$/.test(text) ? text : undefined
}
