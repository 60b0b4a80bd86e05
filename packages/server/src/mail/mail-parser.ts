import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { withBoundedHeader } from './bounded-header.ts'

/** The parser handles each line separately. */
const linesMax = 20_000
/** Each line that may begin a part costs the parser an object. */
const partLinesMax = 500
const bytesMax = 1_048_576
const newline = 0x0a
const hyphen = 0x2d

/**
 * Parses a mail and the mails inside it within common limits, because anyone can send a mail that takes minutes to parse and
 * blocks the process. Beyond the limits it parses only the beginning, where a report says what happened.
 */
export class MailParser {
  #linesLeft = linesMax
  #partLinesLeft = partLinesMax

  /** Null if the mail cannot be parsed. */
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

export function bytesOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
}
