import type { ReportedOutcome, Translated } from '../sources/source-report.ts'
import { fieldIn, textIn } from './read-fields.ts'
import { attemptsOf, momentOf, providerEmail, remoteMta, replyOf } from './report-parts.ts'

/** Translates the `event-data` of Mailgun, which is about one recipient. */
export function fromMailgun(event: unknown, accountId: string): Translated[] {
  const kind = textIn(event, 'event')
  if (kind === '') return [{ index: 0, report: 'malformed' }]
  const disposition = dispositionOf(event, kind)
  if (disposition === null) return [{ index: 0, report: 'not_an_outcome' }]
  const recipient = textIn(event, 'recipient')
  const messageId = textIn(fieldIn(fieldIn(event, 'message'), 'headers'), 'message-id')
  const named = textIn(fieldIn(event, 'user-variables'), 'posthorn_email_id')
  // forms of older webhooks have no id, and some no Message-ID
  const id = textIn(event, 'id') || [kind, messageId || named, recipient].join(':')
  return [
    {
      index: 0,
      report: {
        returnPaths: [textIn(fieldIn(event, 'envelope'), 'sender')],
        foreign: providerEmail(accountId, { named, messageId }),
        recipients: recipient === '' ? [] : [recipient],
        outcome: outcomeOf(event, disposition),
        outcomeId: `mailgun:${id}`,
      },
    },
  ]
}

/** The severity says only whether Mailgun tries again. The classifier decides by the reply. */
function dispositionOf(event: unknown, kind: string): NonNullable<ReportedOutcome['disposition']> | null {
  switch (kind) {
    case 'delivered':
      return 'accepted'
    case 'failed': {
      const reason = textIn(event, 'reason')
      if (textIn(event, 'severity') === 'temporary') return 'temporary'
      // Mailgun did not try, because of its own list
      if (reason.startsWith('suppress-')) return 'suppressed'
      return reason === 'old' ? 'expired' : 'permanent'
    }
    case 'rejected':
      return 'cancelled'
    case 'complained':
      return 'complaint'
    case 'unsubscribed':
      return 'unsubscribe'
    default:
      return null
  }
}

function outcomeOf(
  event: unknown,
  disposition: NonNullable<ReportedOutcome['disposition']>,
): ReportedOutcome {
  const occurredAt = momentOf(textIn(event, 'timestamp'))
  if (disposition === 'complaint' || disposition === 'unsubscribe') {
    return { disposition, occurred_at: occurredAt }
  }
  const status = fieldIn(event, 'delivery-status')
  const isLate = fieldIn(fieldIn(event, 'flags'), 'is-delayed-bounce') === true
  return {
    disposition,
    reply: replyOf({
      code: textIn(status, 'code'),
      enhancedCode: textIn(status, 'enhanced-code'),
      text:
        textIn(status, 'message') ||
        textIn(status, 'description') ||
        textIn(fieldIn(event, 'reject'), 'reason'),
    }),
    remote_mta: remoteMta(textIn(status, 'mx-host')),
    occurred_at: occurredAt,
    attempts: attemptsOf(textIn(status, 'attempt-no')),
    ...(isLate && { timing: 'asynchronous' }),
  }
}
