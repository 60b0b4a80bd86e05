import type { Email } from 'postal-mime'
import { type DeliveryStatus, readDeliveryStatus } from './delivery-status.ts'
import { bytesOf, MailParser } from './mail-parser.ts'

/** A mail that reports the delivery of another mail. */
export interface DeliveryReport extends DeliveryStatus {
  /** The readable part as plain text. */
  readonly text: string
}

/** A report may be inside a forwarded mail. */
const depthMax = 3
const attachmentsMax = 20
const statusType = /^message\/(?:x-?)?(?:global-)?delivery-status$/

/** Reads a delivery status notification. Null if the mail names no recipient in it, is something else, or cannot be parsed. */
export async function readDeliveryReport(mail: Uint8Array): Promise<DeliveryReport | null> {
  const parser = new MailParser()
  return await reportIn(await parser.parse(mail), parser)
}

/** The report in a mail, or in a mail inside it. @param parser the parser of the outer mail */
export async function reportIn(
  email: Email | null,
  parser: MailParser,
  depth = 1,
): Promise<DeliveryReport | null> {
  if (email === null) return null
  const status = email.attachments.find(({ mimeType }) => statusType.test(mimeType))
  if (status !== undefined) {
    const read = readDeliveryStatus(new TextDecoder().decode(bytesOf(status)))
    return read.recipients.length === 0 ? null : { ...read, text: email.text ?? '' }
  }
  if (depth === depthMax) return null
  for (const part of email.attachments.slice(0, attachmentsMax)) {
    if (part.mimeType !== 'message/rfc822') continue
    const inner = await reportIn(await parser.parse(bytesOf(part)), parser, depth + 1)
    if (inner !== null) return inner
  }
  return null
}
