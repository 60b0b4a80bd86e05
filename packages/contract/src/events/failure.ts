import * as z from 'zod'
import { emailAddress } from './common.ts'
import { timestamp, timestampInput } from '../timestamp.ts'

/** The categories of failures, each with its reasons. */
export const failureReasons = {
  infrastructure: [
    'dns_failure',
    'connection_failed',
    'connection_timeout',
    'connection_lost',
    'tls_failed',
    'network_error',
    'routing_loop',
    'remote_server_error',
    'remote_system_full',
    'remote_not_accepting_mail',
    'remote_misconfigured',
    'mailbox_full',
    'mailing_list_error',
    'forward_failed',
    'protocol_error',
    'feature_unsupported',
    'smtputf8_unsupported',
    'delivery_expired',
    'relay_auth_failed',
    'internal_error',
    'unspecified',
  ],
  policy: [
    'sender_rejected',
    'authentication_failed',
    'ip_blocked',
    'reputation_blocked',
    'spam_rejected',
    'virus_detected',
    'content_rejected',
    'message_too_large',
    'too_many_recipients',
    'rate_limited',
    'relay_denied',
    'access_denied',
    'tls_required',
    'mailing_list_refused',
    'recipient_suppressed',
    'sending_suspended',
    'quota_exceeded',
    'cancelled',
    'unspecified',
  ],
  signing: [
    'dkim_key_missing',
    'dkim_key_invalid',
    'dkim_dns_mismatch',
    'dkim_signing_failed',
    'unspecified',
  ],
} as const

export type FailureCategory = keyof typeof failureReasons
export type FailureReason = (typeof failureReasons)[FailureCategory][number]

const categories = Object.keys(failureReasons) as [FailureCategory, ...FailureCategory[]]
const reasons = [...new Set(Object.values(failureReasons).flat())] as [FailureReason, ...FailureReason[]]

export const failureCategory = z.enum(categories).meta({ description: 'The kind of cause.' })
export const failureReason = z
  .enum(reasons)
  .meta({ description: 'The cause. Each category has its own reasons.' })
/** The step at which an email failed. */
export const failureStages = [
  'submit',
  'signing',
  'queue',
  'dns',
  'connect',
  'tls',
  'ehlo',
  'auth',
  'mail_from',
  'rcpt_to',
  'data',
  'end_of_data',
  'dsn',
] as const

const stage = z.enum(failureStages).optional().meta({ description: 'The step at which the email failed.' })
const message = z.string().min(1).max(500).meta({ description: 'One sentence that people can read.' })
const retryable = z.boolean().meta({
  description: 'Whether the same email to the same address may succeed later.',
})
const expired = z
  .boolean()
  .meta({ description: 'Whether a temporary problem lasted until the mail server gave up.' })
const blocklist = z.string().max(255).optional().meta({ description: 'The blocklist that the reply names.' })
const finalRecipient = emailAddress.optional().meta({
  description:
    'The address that failed, if the email was forwarded. The failure says nothing about the address in `to`.',
})
const suppressionReason = z.enum(['bounced', 'complaint', 'unsubscribed', 'manual'])

/** Why the address of an email that was not sent is suppressed. */
export const suppressionData = z
  .object({ reason: suppressionReason, since: timestamp })
  .meta({ description: 'Why the address is suppressed. Posthorn did not send the email.' })

export const failureData = z.object({
  category: failureCategory,
  reason: failureReason,
  stage,
  message,
  retryable,
  expired,
  blocklist,
  final_recipient: finalRecipient,
  suppression: suppressionData.optional(),
})

export const failureInput = z
  .strictObject({
    category: failureCategory.optional(),
    reason: failureReason.optional(),
    stage,
    message: message.optional(),
    retryable: retryable.optional(),
    expired: expired.optional(),
    blocklist,
    final_recipient: finalRecipient,
    suppression: z.strictObject({ reason: suppressionReason, since: timestampInput }).optional(),
  })
  .superRefine((failure, context) => {
    const { category, reason } = failure
    if (category !== undefined && reason !== undefined && !isReasonOf(category, reason)) {
      context.addIssue({
        code: 'custom',
        path: ['reason'],
        message: `is not a reason of the category ${category}`,
      })
    }
    if (failure.suppression !== undefined && reason !== 'recipient_suppressed') {
      const message = 'is allowed only if the reason is recipient_suppressed'
      context.addIssue({ code: 'custom', path: ['suppression'], message })
    }
  })
  .transform(withCategory)

function isReasonOf(category: FailureCategory, reason: FailureReason): boolean {
  return (failureReasons[category] as readonly FailureReason[]).includes(reason)
}

/** Fills in the category from the reason, unless every category has that reason. */
function withCategory<
  Failure extends { category?: FailureCategory | undefined; reason?: FailureReason | undefined },
>(failure: Failure): Failure {
  const { category, reason } = failure
  if (category !== undefined || reason === undefined || reason === 'unspecified') return failure
  const found = categories.find(one => isReasonOf(one, reason))
  return found === undefined ? failure : { ...failure, category: found }
}
