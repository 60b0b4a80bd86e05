import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { type DeliveryStatus, readDeliveryStatus } from './delivery-status.ts'

/** A mail that reports on the delivery of another. */
export interface DeliveryReport extends DeliveryStatus {
  /** The part for people, as plain text. */
  readonly text: string
}

/** Largest mail that is read; reports return at most the message they are about, and that is cut. */
const bytesMax = 10 * 1024 * 1024
/** A report may lie in a mail that passes it on. */
const depthMax = 3

/**
 * Reads a delivery status notification. Null when the mail is none, when it is too large, or when it is built so
 * that it cannot be read within bounds: such a mail says nothing about anybody.
 */
export async function readDeliveryReport(mail: Uint8Array): Promise<DeliveryReport | null> {
  return mail.length > bytesMax ? null : await readAtDepth(mail, 1)
}

async function readAtDepth(mail: Uint8Array, depth: number): Promise<DeliveryReport | null> {
  const email = await parseMail(mail)
  if (email === null) return null
  const status = email.attachments.find(({ mimeType }) => statusTypes.has(mimeType))
  if (status !== undefined) {
    return { ...readDeliveryStatus(new TextDecoder().decode(bytesOf(status))), text: email.text ?? '' }
  }
  if (depth === depthMax) return null
  for (const { mimeType, content } of email.attachments.slice(0, attachmentsMax)) {
    if (mimeType !== 'message/rfc822' || typeof content === 'string') continue
    const inner = await readAtDepth(new Uint8Array(content), depth + 1)
    if (inner !== null) return inner
  }
  return null
}

const statusTypes = new Set(['message/delivery-status', 'message/global-delivery-status'])
const attachmentsMax = 20

/** Null beyond the parser's bounds. */
export async function parseMail(mail: Uint8Array): Promise<Email | null> {
  try {
    return await PostalMime.parse(mail, {
      forceRfc822Attachments: true,
      maxNestingDepth: 32,
      maxHeadersSize: 512 * 1024,
    })
  } catch {
    return null
  }
}

/** The content of a part. */
export function bytesOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
}
