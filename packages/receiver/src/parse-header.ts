import { WebhookVerificationError } from './errors.ts'

const HEADER_CHARACTERS_MAX = 4096

/** What the signature header says, before anything is known to be true. */
export interface SignatureHeader {
  /** Exactly as received: the HMAC covers this text, so it is never turned into a number and back. */
  readonly timestampText: string
  readonly signatures: readonly { readonly partName: string; readonly hex: string }[]
}

/**
 * Reads `t=<unix-seconds>,v1=<hex>,v1s=<hex>…`. Parts with other names, and signatures that are not 64
 * hexadecimal characters, are passed over, so that the service can add to the header later.
 */
export function parseSignatureHeader(line: string): SignatureHeader {
  if (!/[^ \t]/.test(line)) throw new WebhookVerificationError('header_missing')
  if (line.length > HEADER_CHARACTERS_MAX || /[^\t -~]/.test(line)) {
    throw new WebhookVerificationError('header_malformed', 'too long or not ASCII')
  }
  let timestampText: string | undefined
  const signatures: { partName: string; hex: string }[] = []
  for (const piece of line.split(',')) {
    // Only space and tab are left of what trim() removes.
    const part = piece.trim()
    if (part.startsWith('t=')) {
      if (timestampText !== undefined) throw new WebhookVerificationError('header_malformed', 'two t')
      timestampText = part.slice(2)
    } else if (/^v1(s\d*)?=[\da-fA-F]{64}$/.test(part)) {
      signatures.push({ partName: part.slice(0, -65), hex: part.slice(-64).toLowerCase() })
    }
  }
  if (timestampText === undefined) throw new WebhookVerificationError('timestamp_missing')
  if (!/^\d{1,15}$/.test(timestampText)) {
    throw new WebhookVerificationError('timestamp_malformed')
  }
  if (signatures.length === 0) {
    throw new WebhookVerificationError('signature_missing')
  }
  return { timestampText, signatures }
}
