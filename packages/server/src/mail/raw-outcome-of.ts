import type { Disposition, RawOutcome } from '../domain/classify/raw-outcome.ts'
import { domainOf } from '../domain/email-address.ts'
import type { RecipientStatus } from './delivery-status.ts'
import { eximReason } from './exim-reason.ts'
import { transcriptOf } from './transcript.ts'
import type { DeliveryReport } from './read-report.ts'

/**
 * Converts the status of one recipient into the classifier's input. Null if the mail was relayed or expanded, because that
 * does not show whether it arrived.
 */
export function rawOutcomeOf(report: DeliveryReport, recipient: RecipientStatus): RawOutcome | null {
  const text = recipient.diagnosticCode ?? recipient.statusComment
  const disposition = dispositionOf(recipient, text ?? '')
  if (disposition === null) return null
  const hasWords = text !== null && /[a-z\u0080-\uffff]{3}/i.test(text.replace(/^[\w-]{1,32};/, ''))
  const address = recipient.finalRecipient ?? recipient.originalRecipient
  const ownReason =
    hasWords || recipient.status !== statusOfExim ? null : eximReason(report.text, address ?? '')
  const transcript =
    hasWords || address === null ? null : transcriptOf(report.text, address, report.recipients.length === 1)
  return {
    disposition,
    timing: 'asynchronous',
    reply: {
      ...(recipient.status !== null && ownReason === null && { reportedStatus: recipient.status }),
      text: ownReason ?? transcript ?? text ?? '',
    },
    ...(address !== null && { recipient: address, recipientDomain: domainOf(address) }),
    ...(recipient.remoteMta !== null && { remoteMta: recipient.remoteMta }),
  }
}

/** Exim gives it to all its own failures, so only its words count, as in its log. */
const statusOfExim = '5.0.0'

/**
 * The disposition that the action stands for. If the action is unknown, the class of the status or of the reply decides.
 * Class 2 is never a failure. A report about an address verification is not about a mail.
 */
function dispositionOf({ action, status }: RecipientStatus, text: string): Disposition | null {
  switch (action) {
    case 'delivered':
      return 'accepted'
    case 'delayed':
      return 'temporary'
    case 'expired':
      return 'expired'
    case 'failed':
      return status?.startsWith('2') === true && classIn(text) === undefined ? null : 'permanent'
    case 'relayed':
    case 'expanded':
    case 'deliverable':
    case 'undeliverable':
      return null
    case null:
    default:
      return dispositionOfClass(status?.[0] ?? classIn(text))
  }
}

function dispositionOfClass(digit: string | undefined): Disposition | null {
  if (digit === '5') return 'permanent'
  return digit === '4' ? 'temporary' : null
}

/** The class of the first reply code or enhanced code of class 4 or 5. */
function classIn(text: string): string | undefined {
  return /(?<![\w.-])([45])(?:\d\d(?![\w.])|\.\d{1,3}\.\d{1,3})/.exec(text)?.[1]
}
