import type { Disposition, RawOutcome } from '../domain/classify/raw-outcome.ts'
import { domainOf } from '../domain/email-address.ts'
import type { RecipientStatus } from './delivery-status.ts'
import { transcriptOf } from './transcript.ts'
import type { DeliveryReport } from './read-report.ts'

/**
 * What a report says of one of its recipients, in the form that the classifier takes. Null when it was relayed or
 * expanded: that says nothing of its arrival.
 */
export function rawOutcomeOf(report: DeliveryReport, recipient: RecipientStatus): RawOutcome | null {
  const disposition = dispositionOf(recipient.action)
  if (disposition === null) return null
  const text = recipient.diagnosticCode ?? recipient.statusComment
  const hasWords = text !== null && /[a-z\u0080-\uffff]{3}/i.test(text.replace(/^[\w-]{1,32};/, ''))
  const address = recipient.finalRecipient ?? recipient.originalRecipient
  const transcript =
    hasWords || address === null ? null : transcriptOf(report.text, address, report.recipients.length === 1)
  return {
    disposition,
    timing: 'asynchronous',
    reply: {
      ...(recipient.status !== null && { reportedStatus: recipient.status }),
      text: transcript ?? text ?? '',
    },
    ...(address !== null && { recipientDomain: domainOf(address) }),
    ...(recipient.remoteMta !== null && { remoteMta: recipient.remoteMta }),
  }
}

function dispositionOf(action: string | null): Disposition | null {
  switch (action) {
    case 'delivered':
      return 'accepted'
    case 'delayed':
      return 'temporary'
    case 'expired':
      return 'expired'
    case 'relayed':
    case 'expanded':
      return null
    case null:
    default:
      return 'permanent'
  }
}
