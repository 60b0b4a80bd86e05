import { bodyBytes, type RawBody } from './body-bytes.ts'
import type { CheckedOptions } from './check-options.ts'
import { type HeaderInput, headerLine } from './header-line.ts'
import { judge, type Verified } from './judge.ts'
import { parseSignatureHeader } from './parse-header.ts'
import { signedMessage, utf8 } from './signed-message.ts'
import { verifiedParts } from './verified-parts.ts'
import { webHmac } from './web-hmac.ts'

/** A verified request: the result, the bytes that were verified, and the header that shows it in the answer. */
export interface Opened {
  readonly verified: Verified
  readonly bytes: Uint8Array
  readonly proof: Readonly<Record<string, string>>
}

/** Verifies one request. */
export type Open = (body: RawBody, header: HeaderInput) => Promise<Opened>

/** Verifies with Web Crypto. The timestamp is checked last. */
export function opener(options: CheckedOptions): Open {
  const hmacs = options.secrets.map(secret => webHmac(utf8(secret)))
  const { headerName } = options
  const [prefix = 'x-service-'] = /.+-(?=signature$)/.exec(headerName) ?? []
  return async (body, header) => {
    const parsed = parseSignatureHeader(headerLine(header, headerName), headerName)
    const before = `${parsed.timestampText}.`
    const message = signedMessage(before, bodyBytes(body))
    const macs = await Promise.all(hmacs.map(hmac => hmac(message)))
    // Parse the bytes that were verified, because the caller may have reused the buffer.
    const verified = judge(parsed, macs, options)
    return {
      verified,
      bytes: message.subarray(before.length),
      proof: { [`${prefix}verified`]: verifiedParts(verified) },
    }
  }
}
