import { WebhookVerificationError } from './errors.ts'

const HEADER_CHARACTERS_MAX = 4096

/** The parsed signature header, before verification. */
export interface SignatureHeader {
  /** The text of `t` exactly as received, because the HMAC covers it. */
  readonly timestampText: string
  readonly signatures: readonly { readonly partName: string; readonly hex: string }[]
}

/**
 * Parses `t=<unix-seconds>,v1=<hex>,v1s=<hex>…`. It ignores parts with other names and signatures that are not 64
 * hexadecimal characters, so that the service can extend the header later.
 */
export function parseSignatureHeader(line: string): SignatureHeader {
  if (!/[^ \t]/.test(line)) throw new WebhookVerificationError('header_missing')
  if (line.length > HEADER_CHARACTERS_MAX || /[^\t -~]/.test(line)) {
    throw new WebhookVerificationError('header_malformed', 'too long or not ASCII')
  }
  let timestampText: string | undefined
  const signatures: { partName: string; hex: string }[] = []
  for (const piece of line.split(',')) {
    // trim() can only remove spaces and tabs here.
    const part = piece.trim()
    if (part.startsWith('t=')) {
      if (timestampText !== undefined) throw new WebhookVerificationError('header_malformed', 'duplicate t')
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
