import type { Email } from 'postal-mime'
import { type DeliveryStatus, readDeliveryStatus } from './delivery-status.ts'
import { bytesOf, MailParser } from './mail-parser.ts'

/** A mail that reports on the delivery of another. */
export interface DeliveryReport extends DeliveryStatus {
  /** The part for people, as plain text. */
  readonly text: string
}

/** A report may lie in a mail that passes it on. */
const depthMax = 3
const attachmentsMax = 20
const statusTypes = new Set(['message/delivery-status', 'message/global-delivery-status'])

/** Reads a delivery status notification. Null when the mail is none, or cannot be read. */
export async function readDeliveryReport(mail: Uint8Array): Promise<DeliveryReport | null> {
  const parser = new MailParser()
  return await reportIn(await parser.parse(mail), parser)
}

/** The report that a mail is, or that a mail in it is. @param parser of the mail itself */
export async function reportIn(
  email: Email | null,
  parser: MailParser,
  depth = 1,
): Promise<DeliveryReport | null> {
  if (email === null) return null
  const status = email.attachments.find(({ mimeType }) => statusTypes.has(mimeType))
  if (status !== undefined) {
    return { ...readDeliveryStatus(new TextDecoder().decode(bytesOf(status))), text: email.text ?? '' }
  }
  if (depth === depthMax) return null
  for (const part of email.attachments.slice(0, attachmentsMax)) {
    if (part.mimeType !== 'message/rfc822') continue
    const inner = await reportIn(await parser.parse(bytesOf(part)), parser, depth + 1)
    if (inner !== null) return inner
  }
  return null
}
