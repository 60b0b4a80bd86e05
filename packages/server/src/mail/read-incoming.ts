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
  /** Feedback that is no complaint, an auto-reply, a read receipt: nothing follows of it. */
  | { readonly kind: 'automatic' }
  /** Somebody wrote it. */
  | { readonly kind: 'mail'; readonly text: string }

const textBytesMax = 64 * 1_024

/** Reads a mail as far as it matters; one that cannot be read is like one that nobody wrote. */
export async function readIncoming(mail: Uint8Array): Promise<IncomingMail> {
  const parser = new MailParser()
  const email = await parser.parse(mail)
  if (email === null) return { kind: 'automatic' }
  const text = textOf(mail, email)
  const report = await reportIn(email, parser)
  if (report !== null) return { kind: 'delivery_report', report, text }
  const feedback = email.attachments.find(({ mimeType }) => mimeType === 'message/feedback-report')
  if (feedback !== undefined) {
    const [fields] = readFieldGroups(new TextDecoder().decode(bytesOf(feedback)))
    const feedbackType = fields?.get('feedback-type')?.trim().toLowerCase() ?? ''
    return isComplaint(feedbackType) ? { kind: 'complaint', feedbackType, text } : { kind: 'automatic' }
  }
  return isAutomatic(email) ? { kind: 'automatic' } : { kind: 'mail', text: headersOf(mail) }
}

/** RFC 3834, what programs did before it, and every kind of report. */
function isAutomatic({ headers }: Email): boolean {
  const field = (name: string): string =>
    headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase() ?? ''
  const submitted = field('auto-submitted')
  return (
    (submitted !== '' && !/^no\b/.test(submitted)) ||
    /^(?:bulk|junk|auto_reply|list)\b/.test(field('precedence')) ||
    ['x-autoreply', 'x-autorespond', 'list-id'].some(name => field(name) !== '') ||
    /^multipart\/report\b/.test(field('content-type')) ||
    /^<\s*>$/.test(field('return-path'))
  )
}

/** Where tokens are looked for: the start of the mail as it stands, and of its parts without their encodings. */
function textOf(mail: Uint8Array, { attachments }: Email): string {
  const parts = attachments.slice(0, 20).map(part => latin1(bytesOf(part)))
  return [latin1(mail), ...parts].join('\n').replace(/=\r?\n/g, '')
}

function headersOf(mail: Uint8Array): string {
  return latin1(mail).split(/\r?\n\r?\n/, 1)[0] ?? ''
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, textBytesMax)).toString('latin1')
}
