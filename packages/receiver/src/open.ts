import { bodyBytes, type RawBody } from './body-bytes.ts'
import type { CheckedOptions } from './check-options.ts'
import { type HeaderInput, headerLine } from './header-line.ts'
import { judge, type Verified } from './judge.ts'
import { parseSignatureHeader } from './parse-header.ts'
import { signedMessage } from './signed-message.ts'
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
  const hmac = webHmac(options.secrets)
  return async (body, header) => {
    const parsed = parseSignatureHeader(headerLine(header, options.headerName))
    const message = signedMessage(parsed.timestampText, bodyBytes(body))
    // Parse the bytes that were verified, because the caller may have reused the buffer.
    return {
      verified: judge(parsed, await hmac(message), options),
      bytes: message.subarray(parsed.timestampText.length + 1),
    }
  }
}
