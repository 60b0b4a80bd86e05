import { cutText } from '../domain/cut-text.ts'
import { isComplaint } from '../domain/sources/feedback-type.ts'
import type { ReportedOutcome, Translated } from '../sources/source-report.ts'
import { fieldIn, listIn, textIn } from './read-fields.ts'
import { momentOf, providerEmail, replyOf } from './report-parts.ts'

/** What an event says about one recipient. */
interface Found {
  readonly recipient: string
  readonly outcome: ReportedOutcome
  readonly reportedStatus?: string
  readonly feedbackType?: string
}

/** Translates an event of Amazon SES into one report per recipient. Null is no event. */
export function fromSes(event: unknown, accountId: string): Translated[] {
  if (event === null) return [{ index: 0, report: 'not_a_report' }]
  // configuration sets use one name, and the feedback of an identity the other
  const kind = textIn(event, 'eventType') || textIn(event, 'notificationType')
  if (kind === '') return [{ index: 0, report: 'malformed' }]
  const mail = fieldIn(event, 'mail')
  const found = read(event, kind, mail)
  if (typeof found === 'string') return [{ index: 0, report: found }]
  if (found.length === 0) return [{ index: 0, report: 'malformed' }]
  const id =
    textIn(fieldIn(event, kind.toLowerCase()), 'feedbackId') || `${textIn(mail, 'messageId')}:${kind}`
  const foreign = providerEmail(accountId, {
    named: texts(listIn(fieldIn(mail, 'tags'), emailIdTag))[0] || header(mail, 'X-Posthorn-Email-ID'),
    messageId: header(mail, 'Message-ID') || textIn(fieldIn(mail, 'commonHeaders'), 'messageId'),
    providerId: textIn(mail, 'messageId'),
  })
  return found.map(({ recipient, ...rest }) => ({
    index: 0,
    report: {
      returnPaths: [textIn(mail, 'source')],
      foreign,
      recipients: recipient === '' ? [] : [recipient],
      ...rest,
      outcomeId: `ses:${id}:${recipient}`,
    },
  }))
}

const emailIdTag = 'posthorn_email_id'

function read(event: unknown, kind: string, mail: unknown): Found[] | 'temporary' | 'not_an_outcome' {
  switch (kind) {
    case 'Bounce':
      return bounced(fieldIn(event, 'bounce'))
    case 'Complaint':
      return complained(fieldIn(event, 'complaint'))
    case 'Delivery':
      return delivered(fieldIn(event, 'delivery'))
    case 'Reject':
      return cancelled(mail, textIn(fieldIn(event, 'reject'), 'reason'))
    case 'Rendering Failure':
      return cancelled(mail, textIn(fieldIn(event, 'failure'), 'errorMessage'))
    case 'Subscription': {
      const wishes = fieldIn(fieldIn(event, 'subscription'), 'newTopicPreferences')
      if (fieldIn(wishes, 'unsubscribeAll') !== true) return 'not_an_outcome'
      return onlyOne(destinations(mail), { disposition: 'unsubscribe' })
    }
    case 'DeliveryDelay':
      return delayed(fieldIn(event, 'deliveryDelay'))
    default:
      return 'not_an_outcome'
  }
}

/** Why SES did not try to deliver. */
const suppressions = new Set(['Suppressed', 'OnAccountSuppressionList', 'UnsubscribedRecipient'])

/** SES tries no more after a bounce. The reply decides, not that SES calls it permanent or transient. */
function bounced(bounce: unknown): Found[] | 'temporary' {
  const [type, subtype] = [textIn(bounce, 'bounceType'), textIn(bounce, 'bounceSubType')]
  const recipients = listIn(bounce, 'bouncedRecipients')
  const hasReply = recipients.some(one => textIn(one, 'diagnosticCode') !== '')
  // SES also reports automatic answers like this, although the email was delivered
  if (type === 'Transient' && (subtype === 'General' || subtype === '') && !hasReply) return 'temporary'
  const mta = textIn(bounce, 'reportingMTA').replace(/^\s*[\w-]+;\s*/, '')
  const isLate = mta !== '' && !/\bamazonses\.com$/i.test(mta)
  return recipients.map(one => {
    const text = textIn(one, 'diagnosticCode').replace(/^\s*[\w-]+;\s*/, '')
    const isRefusal = /^5\d\d\b/.test(text) || type !== 'Transient'
    return {
      recipient: addressOf(textIn(one, 'emailAddress')),
      // without a reply, the status may be SES's own
      ...(text !== '' && { reportedStatus: textIn(one, 'status') }),
      outcome: {
        disposition: suppressions.has(subtype) ? 'suppressed' : isRefusal ? 'permanent' : 'expired',
        reply: replyOf({ text }),
        occurred_at: momentOf(textIn(bounce, 'timestamp')),
        ...(isLate && { timing: 'asynchronous', reporting_mta: cutText(mta, 255) }),
      },
    }
  })
}

function delayed(delay: unknown): Found[] | 'temporary' {
  const recipients = listIn(delay, 'delayedRecipients')
  if (recipients.length === 0) return 'temporary'
  return recipients.map(one => ({
    recipient: addressOf(textIn(one, 'emailAddress')),
    outcome: {
      disposition: 'temporary',
      reply: replyOf({ text: textIn(one, 'diagnosticCode').replace(/^\s*[\w-]+;\s*/, '') }),
      occurred_at: momentOf(textIn(delay, 'timestamp')),
    },
  }))
}

function complained(complaint: unknown): Found[] | 'not_an_outcome' {
  const feedbackType = textIn(complaint, 'complaintFeedbackType').toLowerCase()
  if (feedbackType !== '' && !isComplaint(feedbackType)) return 'not_an_outcome'
  const recipients = listIn(complaint, 'complainedRecipients').map(one => textIn(one, 'emailAddress'))
  const isSuppressed = suppressions.has(textIn(complaint, 'complaintSubType'))
  return onlyOne(
    recipients,
    {
      disposition: isSuppressed ? 'suppressed' : 'complaint',
      occurred_at: momentOf(textIn(complaint, 'timestamp')),
    },
    isSuppressed ? '' : feedbackType,
  )
}

/** SES lists everybody who may have complained, so several recipients say about none of them that they did. */
function onlyOne(
  recipients: readonly string[],
  outcome: ReportedOutcome,
  feedbackType = '',
): Found[] | 'not_an_outcome' {
  const [recipient, another] = recipients
  if (recipient === undefined || another !== undefined) return another === undefined ? [] : 'not_an_outcome'
  return [{ recipient: addressOf(recipient), outcome, ...(feedbackType !== '' && { feedbackType }) }]
}

function delivered(delivery: unknown): Found[] {
  return texts(listIn(delivery, 'recipients')).map(recipient => ({
    recipient: addressOf(recipient),
    outcome: {
      disposition: 'accepted',
      reply: replyOf({ text: textIn(delivery, 'smtpResponse') }),
      occurred_at: momentOf(textIn(delivery, 'timestamp')),
    },
  }))
}

function cancelled(mail: unknown, text: string): Found[] {
  return destinations(mail).map(recipient => ({
    recipient: addressOf(recipient),
    outcome: { disposition: 'cancelled', reply: replyOf({ text }) },
  }))
}

function destinations(mail: unknown): string[] {
  return texts(listIn(mail, 'destination'))
}

function texts(values: readonly unknown[]): string[] {
  return values.map(value => (typeof value === 'string' ? value : ''))
}

/** An address may have a display name. */
function addressOf(text: string): string {
  return /<([^<>]+)>\s*$/.exec(text)?.[1] ?? text.trim()
}

function header(mail: unknown, name: string): string {
  const found = listIn(mail, 'headers').find(one => textIn(one, 'name').toLowerCase() === name.toLowerCase())
  return textIn(found, 'value').trim()
}
