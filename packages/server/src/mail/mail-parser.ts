import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { withBoundedHeader } from './bounded-header.ts'

/** Every line costs a turn of the parser's, and every line that may begin a part an object. */
const linesMax = 20_000
const partLinesMax = 500
const bytesMax = 1_048_576
const newline = 0x0a
const hyphen = 0x2d

/**
 * Reads one mail and the mails in it, all together within bounds: a stranger may send what takes minutes to parse, and
 * nobody is served meanwhile. Of a mail that goes beyond them the beginning is read. Whoever reports says there what
 * happened; what follows is the mail that it happened to.
 */
export class MailParser {
  #linesLeft = linesMax
  #partLinesLeft = partLinesMax

  /** Null when it is built so that it cannot be read. */
  async parse(mail: Uint8Array): Promise<Email | null> {
    try {
      return await PostalMime.parse(withBoundedHeader(this.#beginningOf(mail)), {
        forceRfc822Attachments: true,
        maxNestingDepth: 32,
        maxHeadersSize: 512 * 1024,
      })
    } catch {
      return null
    }
  }

  #beginningOf(mail: Uint8Array): Uint8Array {
    const length = Math.min(mail.length, bytesMax)
    for (let at = 0; at < length; ) {
      this.#linesLeft -= 1
      if (mail[at] === hyphen && mail[at + 1] === hyphen) this.#partLinesLeft -= 1
      if (this.#linesLeft < 0 || this.#partLinesLeft < 0) return mail.subarray(0, at)
      const end = mail.indexOf(newline, at)
      if (end < 0) break
      at = end + 1
    }
    return mail.subarray(0, length)
  }
}

/** The content of a part. */
export function bytesOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
}
