import { cutText } from '../domain/cut-text.ts'
import type { ReportedOutcome, Translated } from '../sources/source-report.ts'
import { fieldIn, listIn, textIn } from './read-fields.ts'
import { momentOf, providerEmail, replyOf } from './report-parts.ts'

/** Translates an event of Resend, with its id from the headers. */
export function fromResend(payload: unknown, accountId: string): Translated[] {
  return [{ index: 0, report: reportOf(fieldIn(payload, 'event'), textIn(payload, 'id'), accountId) }]
}

function reportOf(event: unknown, id: string, accountId: string): Translated['report'] {
  const kind = textIn(event, 'type')
  if (kind === '') return 'malformed'
  const data = fieldIn(event, 'data')
  const outcome = outcomeOf(data, kind)
  const [recipient, ...others] = listIn(data, 'to')
  // the event does not say which of several recipients it is about
  if (outcome === null || others.length > 0) return 'not_an_outcome'
  if (typeof recipient !== 'string') return 'malformed'
  return {
    returnPaths: [],
    foreign: providerEmail(accountId, {
      named: tagOf(data, 'posthorn_email_id'),
      messageId: textIn(data, 'message_id'),
      providerId: textIn(data, 'email_id'),
    }),
    recipients: [addressIn(cutText(recipient, 1_000))],
    outcome: { ...outcome, occurred_at: momentOf(textIn(event, 'created_at')) },
    outcomeId: `resend:${id}`,
  }
}

function outcomeOf(data: unknown, kind: string): ReportedOutcome | null {
  switch (kind) {
    case 'email.delivered':
      return { disposition: 'accepted' }
    case 'email.delivery_delayed':
      return { disposition: 'temporary' }
    case 'email.bounced':
      return bounce(fieldIn(data, 'bounce'))
    case 'email.failed':
      return { disposition: 'cancelled', reply: replyOf({ text: textIn(fieldIn(data, 'failed'), 'reason') }) }
    case 'email.suppressed':
      return { disposition: 'suppressed' }
    case 'email.complained':
      return { disposition: 'complaint' }
    default:
      return null
  }
}

function bounce(bounced: unknown): ReportedOutcome | null {
  const subType = textIn(bounced, 'subType')
  if (suppressed.has(subType)) return { disposition: 'suppressed' }
  const [first] = listIn(bounced, 'diagnosticCode')
  const text = typeof first === 'string' ? first : textIn(bounced, 'diagnosticCode')
  // without a reply, it may be an auto-reply
  if (text === '' && textIn(bounced, 'type') !== 'Permanent' && !namedCauses.has(subType)) return null
  return { disposition: 'permanent', reply: replyOf({ text: text || textIn(bounced, 'message') }) }
}

const suppressed = new Set(['Suppressed', 'OnAccountSuppressionList', 'OnTenantSuppressionList'])
const namedCauses = new Set(['MailboxFull', 'MessageTooLarge', 'ContentRejected', 'AttachmentRejected'])

/** Tags are an object; they were a list of names and values. */
function tagOf(data: unknown, name: string): string {
  const listed = listIn(data, 'tags').find(tag => textIn(tag, 'name') === name)
  return listed === undefined ? textIn(fieldIn(data, 'tags'), name) : textIn(listed, 'value')
}

/** The address in `Ann <ann@example.org>`. */
function addressIn(mailbox: string): string {
  return /<([^<>]*)>\s*$/.exec(mailbox)?.[1] ?? mailbox.trim()
}
