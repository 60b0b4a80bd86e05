import type { Email } from 'postal-mime'
import type { BounceMail } from '../domain/bounce-text/read-bounce-text.ts'
import { isComplaint, isComplaintWithoutReport } from '../domain/sources/feedback-type.ts'
import { readFieldGroups } from './field-groups.ts'
import { bytesOf, MailParser } from './mail-parser.ts'
import { type DeliveryReport, reportIn } from './read-report.ts'
import { readableText } from './readable-text.ts'

/** The kinds of mail that our addresses receive. */
export type IncomingMail =
  | { readonly kind: 'delivery_report'; readonly report: DeliveryReport; readonly text: string }
  /** A recipient's complaint, forwarded by the mailbox provider. */
  | { readonly kind: 'complaint'; readonly feedbackType: string; readonly text: string }
  /** Feedback that is not a complaint. It is ignored. */
  | { readonly kind: 'other_feedback' }
  /** Any other mail. */
  | {
      readonly kind: 'mail'
      /** The header fields with the addresses that it was sent to. */
      readonly destinations: string
      /** Whether `Return-Path` is empty; null if the mail does not have this field. */
      readonly hasNullSender: boolean | null
      readonly notice: Notice
    }

/** A mail that may be a bounce in words. */
export interface Notice extends BounceMail {
  /** Whether a header field says that a program answered for a person, or that it is a receipt. */
  readonly isAnswer: boolean
}

const textBytesMax = 64 * 1_024

/** Parses a mail and decides which kind it is. */
export async function readIncoming(mail: Uint8Array): Promise<IncomingMail> {
  const parser = new MailParser()
  const email = await parser.parse(mail)
  if (email === null) return otherMail(mail, email)
  const report = await reportIn(email, parser)
  if (report !== null) return { kind: 'delivery_report', report, text: textOf(mail, email) }
  const feedback = email.attachments.find(({ mimeType }) => mimeType === 'message/feedback-report')
  if (feedback === undefined) {
    const original = email.attachments.find(({ mimeType }) => mimeType === 'message/rfc822')
    if (original === undefined) return otherMail(mail, email)
    const headers = [mail, bytesOf(original)].map(headerOf)
    return isComplaintWithoutReport(email.subject ?? '', headers)
      ? { kind: 'complaint', feedbackType: 'abuse', text: textOf(mail, email) }
      : otherMail(mail, email)
  }
  const [fields] = readFieldGroups(new TextDecoder().decode(bytesOf(feedback)))
  const feedbackType = fields?.get('feedback-type')?.trim().toLowerCase() ?? ''
  return isComplaint(feedbackType)
    ? { kind: 'complaint', feedbackType, text: textOf(mail, email) }
    : { kind: 'other_feedback' }
}

/** `Auto-Submitted` does not matter, because the unsubscribe buttons of mail programs set it too. */
function otherMail(mail: Uint8Array, email: Email | null): IncomingMail {
  const fields = headerOf(mail).split(/\r?\n(?![ \t])/)
  const sender = fields.find(field => /^return-path\s*:/i.test(field))
  return {
    kind: 'mail',
    destinations: fields.filter(field => destinationField.test(field)).join('\n'),
    hasNullSender: sender === undefined ? null : /^return-path\s*:\s*<\s*>\s*$/i.test(sender),
    notice: {
      subject: email?.subject ?? '',
      from: [email?.from?.name, email?.from?.address].join(' '),
      text: readableText(mail, email),
      isAnswer:
        fields.some(field => answerField.test(field)) ||
        email?.attachments.some(({ mimeType }) => mimeType === 'message/disposition-notification') === true,
    },
  }
}

/** Fields of automatic answers. Bounces have `Auto-Submitted` too. */
const answerField =
  /^(?:x-auto-?(?:reply|respond|response|responder)(?:-\w+)?|x-vacation\S*|x-mail-autoreply|list-id|list-post)\s*:|^precedence\s*:\s*auto[-_]reply|^auto-submitted\s*:.{0,80}\bvacation\b|^content-type\s*:.{0,80}\bdisposition-notification\b/is

/** Without `List-Unsubscribe`, because a copy of our mail is not a request to unsubscribe. */
const destinationField =
  /^(?:to|cc|delivered-to|x-original-to|x-envelope-to|envelope-to|apparently-to|resent-to)\s*:/i

/** The text to search for tokens: the beginning of the raw mail and of its decoded parts. */
function textOf(mail: Uint8Array, { attachments }: Email): string {
  const parts = attachments.slice(0, 20).map(part => latin1(bytesOf(part)))
  return [latin1(mail), ...parts].join('\n').replace(/=\r?\n/g, '')
}

function headerOf(mail: Uint8Array): string {
  return latin1(mail).split(/\r?\n\r?\n/, 1)[0] ?? ''
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, textBytesMax)).toString('latin1')
}
