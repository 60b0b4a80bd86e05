import type { ReportedOutcome, Translated } from '../sources/source-report.ts'
import { fieldIn, textIn } from './read-fields.ts'
import { momentOf, providerEmail, replyOf } from './report-parts.ts'

/** Translates an event of Postmark, which is about one recipient. */
export function fromPostmark(event: unknown, accountId: string): Translated[] {
  return [{ index: 0, report: reportOf(event, accountId) }]
}

function reportOf(event: unknown, accountId: string): Translated['report'] {
  const kind = textIn(event, 'RecordType')
  if (kind === '') return 'malformed'
  const outcome = outcomeOf(event, kind)
  if (outcome === null) return 'not_an_outcome'
  const recipient = textIn(event, 'Email') || textIn(event, 'Recipient')
  const messageId = textIn(event, 'MessageID')
  const at = ['BouncedAt', 'DeliveredAt', 'ChangedAt']
    .map(name => textIn(event, name))
    .find(text => text !== '')
  // only bounces and complaints have an id, which may be too large for a double
  const id = [textIn(event, 'ID'), messageId, at, recipient].join(':')
  return {
    returnPaths: [],
    foreign: providerEmail(accountId, {
      named: textIn(fieldIn(event, 'Metadata'), 'posthorn_email_id'),
      messageId: '',
      // all zeros if it is not about an email
      providerId: /[1-9a-f]/i.test(messageId) ? messageId : '',
    }),
    recipients: [recipient],
    outcome: { ...outcome, occurred_at: momentOf(at ?? '') },
    outcomeId: `postmark:${kind}:${id}`,
  }
}

function outcomeOf(event: unknown, kind: string): ReportedOutcome | null {
  switch (kind) {
    case 'Delivery':
      return { disposition: 'accepted', reply: replyOf({ text: textIn(event, 'Details') }) }
    case 'Bounce':
      return bounce(event, textIn(event, 'Type'))
    case 'SpamComplaint':
      return { disposition: 'complaint' }
    case 'SubscriptionChange':
      return isUnsubscription(event) ? { disposition: 'unsubscribe' } : null
    default:
      return null
  }
}

/** The type says only whether it is a bounce at all. */
function bounce(event: unknown, type: string): ReportedOutcome | null {
  const text = textIn(event, 'Details') || withoutExamples(textIn(event, 'Description'))
  const reply = replyOf({ text })
  if (type === 'SpamComplaint') return { disposition: 'complaint' }
  if (type === 'Unsubscribe') return { disposition: 'unsubscribe' }
  // it may be a warning about a delay, so only a reply of class 5 makes it final
  if (delays.has(type)) return { reply }
  return refusals.has(type) ? { disposition: 'permanent', reply } : null
}

const delays = new Set(['Transient', 'DnsError'])
const refusals = new Set([
  'HardBounce',
  'SoftBounce',
  'SpamNotification',
  'VirusNotification',
  'Unknown',
  'BadEmailAddress',
  'Blocked',
  'DMARCPolicy',
  'SMTPApiError',
  'TemplateRenderingFailed',
])

/** The description is the same for all bounces of a type. Its examples say nothing about this one. */
function withoutExamples(description: string): string {
  return description
    .slice(0, 1_024)
    .replace(/\((?:ex|i\.e\.|e\.g\.)[^)]*\)/gi, '')
    .trim()
}

/** Postmark also reports a suppression after a bounce or a complaint, which is an event of its own. */
function isUnsubscription(event: unknown): boolean {
  return (
    textIn(event, 'Origin') === 'Recipient' &&
    fieldIn(event, 'SuppressSending') === true &&
    textIn(event, 'SuppressionReason') === 'ManualSuppression'
  )
}
