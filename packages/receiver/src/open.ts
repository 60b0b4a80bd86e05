import { bodyBytes, type RawBody } from './body-bytes.ts'
import type { CheckedOptions } from './check-options.ts'
import { type HeaderInput, headerLine } from './header-line.ts'
import { judge, type Verified } from './judge.ts'
import { parseSignatureHeader } from './parse-header.ts'
import { signedMessage, utf8 } from './signed-message.ts'
import { webHmac } from './web-hmac.ts'

/** A verified request: the result, and the bytes that were verified. */
export interface Opened {
  readonly verified: Verified
  readonly bytes: Uint8Array
}

/** Verifies one request. */
export type Open = (body: RawBody, header: HeaderInput) => Promise<Opened>

/** Verifies with Web Crypto. The timestamp is checked last. */
export function opener(options: CheckedOptions): Open {
  const hmacs = options.secrets.map(secret => webHmac(utf8(secret)))
  return async (body, header) => {
    const parsed = parseSignatureHeader(headerLine(header, options.headerName))
    const before = `${parsed.timestampText}.`
    const message = signedMessage(before, bodyBytes(body))
    const macs = await Promise.all(hmacs.map(hmac => hmac(message)))
    // Parse the bytes that were verified, because the caller may have reused the buffer.
    return {
      verified: judge(parsed, macs, options),
      bytes: message.subarray(before.length),
    }
  }
}
