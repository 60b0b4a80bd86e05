import * as z from 'zod'
import { mapOf } from '../map-of.ts'
import { timestamp, timestampInput } from '../timestamp.ts'

/** Names an email: Posthorn's own are TypeIDs, but any mail system's id will do. */
export const emailId = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\x21-\x7e]*$/, 'must be printable ASCII without spaces')

/** Something before and after an `@`. Whether it can receive mail, only its host knows. */
export const emailAddress = z
  .string()
  .max(320)
  .regex(/^(?:"\P{Cc}+"|[^\s\p{Cc}"<>@]+)@[^\s\p{Cc}<>@]+$/u, 'must be an email address')

/** What one recipient's event is about. */
export const oneAddress = z
  .array(emailAddress)
  .length(1)
  .meta({ description: 'The recipient, as a list with one address.' })

export const addresses = z.array(emailAddress).min(1).max(100).meta({ description: 'The recipients.' })

/** Repeats `to[0]` where there is only one. */
export const recipient = emailAddress.meta({ description: 'The same address as in `to`.' })

const smtpResponse = {
  code: z.int().min(200).max(599).nullable().meta({ description: 'The reply code of RFC 5321.' }),
  enhanced_code: z
    .string()
    .regex(/^[245]\.\d{1,3}\.\d{1,3}$/, 'must be an enhanced status code such as 5.1.1')
    .nullable()
    .meta({ description: 'The enhanced status code of RFC 3463.' }),
  message: z.string().max(1024).meta({ description: 'The text of the reply, on one line.' }),
  command: z
    .enum(['CONNECT', 'EHLO', 'STARTTLS', 'AUTH', 'MAIL FROM', 'RCPT TO', 'DATA', '.'])
    .optional()
    .meta({ description: 'The SMTP command that the reply answers. `.` is the end of the message.' }),
}

/** A report may leave out the codes that it does not know. */
const smtpResponseInput = {
  ...smtpResponse,
  code: smtpResponse.code.optional(),
  enhanced_code: smtpResponse.enhanced_code.optional(),
}

export const remoteMta = { name: z.string().max(255), ip: z.string().max(45).optional() }

export const described = {
  message_id: z
    .string()
    .max(998)
    .optional()
    .meta({ description: 'RFC 5322 Message-ID without angle brackets.' }),
  from: z.string().max(998).optional().meta({ description: 'The From header of the email.' }),
  subject: z.string().max(998).optional().meta({ description: 'The Subject header of the email.' }),
  tags: mapOf(z.string(), z.string()).optional().meta({ description: 'As set when the email was sent.' }),
  metadata: mapOf(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .optional()
    .meta({ description: 'As set when the email was sent.' }),
}

export const attempts = z
  .int()
  .min(1)
  .max(1_000_000)
  .optional()
  .meta({ description: 'How many delivery attempts the email had.' })

/** What all four say besides whom they are about, as it is sent out. */
export const commonData = {
  email_id: z.string().meta({ description: 'The id of the email, the same in all events about it.' }),
  occurred_at: timestamp.meta({ description: 'When it happened on the mail server.' }),
  ...described,
  sent_at: timestamp.optional().meta({ description: 'When the email was accepted for sending.' }),
}

/** The same as it is reported. */
export const commonInput = {
  email_id: emailId,
  occurred_at: timestampInput.optional(),
  ...described,
  sent_at: timestampInput.optional(),
}

/** What the mail server on the other side said, as it is sent out. */
export const replyData = {
  smtp_response: z
    .object(smtpResponse)
    .optional()
    .meta({ description: 'The reply of the recipient’s mail server.' }),
  remote_mta: z.object(remoteMta).optional().meta({ description: 'The mail server that sent the reply.' }),
  attempts,
}

/** The same as it is reported. */
export const replyInput = {
  smtp_response: z.strictObject(smtpResponseInput).optional(),
  remote_mta: z.strictObject(remoteMta).optional(),
  attempts,
}

export const reportingMta = z
  .string()
  .max(255)
  .optional()
  .meta({ description: 'The mail server that reported it.' })

/** `recipient` only repeats `to[0]`; case may differ because domains are put in lower case later. */
export function recipientIsTo(
  data: { to: string[]; recipient?: string | undefined },
  context: z.RefinementCtx,
): void {
  const { to, recipient } = data
  if (recipient === undefined || recipient.toLowerCase() === to[0]?.toLowerCase()) return
  context.addIssue({ code: 'custom', path: ['recipient'], message: 'must be the address in to' })
}
