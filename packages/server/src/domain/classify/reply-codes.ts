import type { FailureName } from './failure.ts'
import type { Stage } from './stage.ts'

/** The meaning of a class 5 reply without an enhanced code if its text proves nothing about the recipient. */
export function failureOfReplyCode(code: number, stage: Stage | null): FailureName {
  switch (code) {
    case 501:
    case 553:
      if (stage === 'mail_from') return 'sender_rejected'
      return code === 501 ? 'protocol_error' : 'unspecified_policy'
    case 500:
    case 502:
    case 503:
    case 504:
    case 555:
      return 'protocol_error'
    case 521:
      return 'remote_not_accepting_mail'
    case 523:
    case 538:
      return 'tls_required'
    case 524:
    case 525:
    case 530:
    case 534:
    case 535:
      return 'relay_auth_failed'
    case 551:
      return 'relay_denied'
    case 552:
      return stage === 'end_of_data' ? 'message_too_large' : 'mailbox_full'
    case 554:
      return stage === 'connect' ? 'ip_blocked' : 'unspecified_policy'
    default:
      return 'unspecified_policy'
  }
}

/** The meaning of a class 4 reply after the mail system gave up, if the text is not more specific. */
export function failureOfTemporaryReply(code: number | null): FailureName {
  return code === 454 ? 'tls_failed' : 'delivery_expired'
}

/** The domain declares that it does not accept mail (RFC 7504, RFC 7505). */
export const domainAcceptsNoMail = 556
