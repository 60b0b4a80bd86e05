import { WebhookVerificationError } from './errors.ts'
import { type SignaturePart, signatureParts } from './signature-parts.ts'

/** The parsed signature header, before verification. */
export interface SignatureHeader {
  /** The text of `t` exactly as received, because the HMAC covers it. */
  readonly timestampText: string
  /** The parts with 64 hexadecimal characters, in either case. */
  readonly signatures: readonly SignaturePart[]
}

/**
 * Parses `t=<unix-seconds>,v1=<hex>,v1s=<hex>…`. It ignores parts with other names and signatures that are not 64
 * hexadecimal characters, so that the service can extend the header later. `headerName` is for the error.
 */
export function parseSignatureHeader(line: string, headerName: string): SignatureHeader {
  if (!/[^ \t]/.test(line)) throw new WebhookVerificationError('header_missing', `expected ${headerName}`)
  if (!/^[\t -~]{0,4096}$/.test(line)) {
    throw new WebhookVerificationError('header_malformed', 'too long or not ASCII')
  }
  const parts = signatureParts(line)
  const [time, secondTime] = parts.filter(part => part.partName === 't')
  const signatures = parts.filter(part => /^[\da-f]{64}$/i.test(part.value))
  if (secondTime) throw new WebhookVerificationError('header_malformed', 'duplicate t')
  if (!time) throw new WebhookVerificationError('timestamp_missing')
  if (!/^\d{1,15}$/.test(time.value)) throw new WebhookVerificationError('timestamp_malformed')
  if (signatures.length === 0) throw new WebhookVerificationError('signature_missing')
  return { timestampText: time.value, signatures }
}
