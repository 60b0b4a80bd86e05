import * as z from 'zod'
import { mapOf } from '../map-of.ts'
import { timestamp, timestampInput } from '../timestamp.ts'

/** The id of an email: a TypeID if Posthorn sent it, otherwise any id of your mail system. */
export const emailId = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\x21-\x7e]*$/, 'must be printable ASCII without spaces')

/** Checks only the form of an address, because only its host knows whether it can receive mail. */
export const emailAddress = z
  .string()
  .max(320)
  .regex(/^(?:"\P{Cc}+"|[^\s\p{Cc}"<>@]+)@[^\s\p{Cc}<>@]+$/u, 'must be an email address')

/** For events about one recipient. */
export const oneAddress = z
  .array(emailAddress)
  .length(1)
  .meta({ description: 'The recipient, as a list with one address.' })

export const addresses = z.array(emailAddress).min(1).max(100).meta({ description: 'The recipients.' })

/** Repeats `to[0]` in events about one recipient. */
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

/** A report may omit codes that it does not know. */
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
  tags: mapOf(z.string(), z.string()).optional().meta({ description: 'The tags of the email.' }),
  metadata: mapOf(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .optional()
    .meta({ description: 'The metadata of the email.' }),
}

/** The most that an event may have. */
export const attemptsMax = 1_000_000

export const attempts = z
  .int()
  .min(1)
  .max(attemptsMax)
  .optional()
  .meta({ description: 'How many delivery attempts the email had.' })

/** Fields that all four event types share, as receivers get them. */
export const commonData = {
  email_id: z.string().meta({ description: 'The id of the email, the same in all events about it.' }),
  occurred_at: timestamp.meta({ description: 'When it happened on the mail server.' }),
  ...described,
  sent_at: timestamp.optional().meta({ description: 'When the email was accepted for sending.' }),
}

/** The same fields as reporters send them. */
export const commonInput = {
  email_id: emailId,
  occurred_at: timestampInput.optional(),
  ...described,
  sent_at: timestampInput.optional(),
}

/** The reply of the remote mail server, as receivers get it. */
export const replyData = {
  smtp_response: z
    .object(smtpResponse)
    .optional()
    .meta({ description: 'The reply of the recipient’s mail server.' }),
  remote_mta: z.object(remoteMta).optional().meta({ description: 'The mail server that sent the reply.' }),
  attempts,
}

/** The same fields as reporters send them. */
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

/** Only in events that Posthorn decided itself. */
export const decidedBy = z.string().max(500).optional().meta({
  description: 'One sentence that says what decided this. Missing if the reporter decided.',
})

/** Ignores case, because domains are lower-cased later. */
export function recipientIsTo(
  data: { to: string[]; recipient?: string | undefined },
  context: z.RefinementCtx,
): void {
  const { to, recipient } = data
  if (recipient === undefined || recipient.toLowerCase() === to[0]?.toLowerCase()) return
  context.addIssue({ code: 'custom', path: ['recipient'], message: 'must be the same address as in `to`' })
}
