import type { Email } from 'postal-mime'
import { isComplaint } from '../domain/sources/feedback-type.ts'
import { readFieldGroups } from './field-groups.ts'
import { bytesOf, MailParser } from './mail-parser.ts'
import { type DeliveryReport, reportIn } from './read-report.ts'

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
      /** Whether `Return-Path` is empty. Not every mail has this field. */
      readonly hasNullSender: boolean
    }

const textBytesMax = 64 * 1_024

/** Parses a mail and decides which kind it is. */
export async function readIncoming(mail: Uint8Array): Promise<IncomingMail> {
  const parser = new MailParser()
  const email = await parser.parse(mail)
  if (email === null) return otherMail(mail)
  const report = await reportIn(email, parser)
  if (report !== null) return { kind: 'delivery_report', report, text: textOf(mail, email) }
  const feedback = email.attachments.find(({ mimeType }) => mimeType === 'message/feedback-report')
  if (feedback === undefined) return otherMail(mail)
  const [fields] = readFieldGroups(new TextDecoder().decode(bytesOf(feedback)))
  const feedbackType = fields?.get('feedback-type')?.trim().toLowerCase() ?? ''
  return isComplaint(feedbackType)
    ? { kind: 'complaint', feedbackType, text: textOf(mail, email) }
    : { kind: 'other_feedback' }
}

/** `Auto-Submitted` does not matter, because the unsubscribe buttons of mail programs set it too. */
function otherMail(mail: Uint8Array): IncomingMail {
  const fields = (latin1(mail).split(/\r?\n\r?\n/, 1)[0] ?? '').split(/\r?\n(?![ \t])/)
  return {
    kind: 'mail',
    destinations: fields.filter(field => destinationField.test(field)).join('\n'),
    hasNullSender: fields.some(field => /^return-path\s*:\s*<\s*>\s*$/i.test(field)),
  }
}

/** Without `List-Unsubscribe`, because a copy of our mail is not a request to unsubscribe. */
const destinationField =
  /^(?:to|cc|delivered-to|x-original-to|x-envelope-to|envelope-to|apparently-to|resent-to)\s*:/i

/** The text to search for tokens: the beginning of the raw mail and of its decoded parts. */
function textOf(mail: Uint8Array, { attachments }: Email): string {
  const parts = attachments.slice(0, 20).map(part => latin1(bytesOf(part)))
  return [latin1(mail), ...parts].join('\n').replace(/=\r?\n/g, '')
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, textBytesMax)).toString('latin1')
}
