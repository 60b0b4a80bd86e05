import type { Email } from 'postal-mime'
import { isComplaint } from '../domain/sources/feedback-type.ts'
import { readFieldGroups } from './field-groups.ts'
import { bytesOf, MailParser } from './mail-parser.ts'
import { type DeliveryReport, reportIn } from './read-report.ts'

/** What a mail is that came to one of our addresses. */
export type IncomingMail =
  | { readonly kind: 'delivery_report'; readonly report: DeliveryReport; readonly text: string }
  /** A recipient's complaint, passed on by its mailbox provider. */
  | { readonly kind: 'complaint'; readonly feedbackType: string; readonly text: string }
  /** Feedback that is no complaint: nothing follows of it. */
  | { readonly kind: 'other_feedback' }
  /** Any other mail, whoever or whatever wrote it. */
  | {
      readonly kind: 'mail'
      /** The header fields that say where it was sent to. */
      readonly destinations: string
      /** By its `Return-Path`, which not every mail has. */
      readonly hasNullSender: boolean
    }

const textBytesMax = 64 * 1_024

/** Reads a mail as far as it matters. */
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

/** It is not asked whether a program wrote it: unsubscribe buttons of mail programs say so too. */
function otherMail(mail: Uint8Array): IncomingMail {
  const fields = (latin1(mail).split(/\r?\n\r?\n/, 1)[0] ?? '').split(/\r?\n(?![ \t])/)
  return {
    kind: 'mail',
    destinations: fields.filter(field => destinationField.test(field)).join('\n'),
    hasNullSender: fields.some(field => /^return-path\s*:\s*<\s*>\s*$/i.test(field)),
  }
}

/** Not `List-Unsubscribe`: a copy of a mail of ours is no wish of its recipient. */
const destinationField =
  /^(?:to|cc|delivered-to|x-original-to|x-envelope-to|envelope-to|apparently-to|resent-to)\s*:/i

/** Where tokens are looked for: the start of the mail as it stands, and of its parts without their encodings. */
function textOf(mail: Uint8Array, { attachments }: Email): string {
  const parts = attachments.slice(0, 20).map(part => latin1(bytesOf(part)))
  return [latin1(mail), ...parts].join('\n').replace(/=\r?\n/g, '')
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, textBytesMax)).toString('latin1')
}
