import { bodyBytes, type RawBody } from './body-bytes.ts'
import type { CheckedOptions } from './check-options.ts'
import { type HeaderInput, headerLine } from './header-line.ts'
import { judge, type Verified } from './judge.ts'
import { parseEvent } from './parse-event.ts'
import { parseSignatureHeader } from './parse-header.ts'
import { webHmac } from './web-hmac.ts'

/** A verified request: the result, and the very bytes it stands for. */
export interface Opened {
  readonly verified: Verified
  readonly bytes: Uint8Array
}

/** Verifies, and reads the event only afterwards. */
export type OpenEvent<E> = (body: RawBody, headers: HeaderInput) => Promise<{ verified: Verified; event: E }>

/** Verifies with Web Crypto: header, HMAC under every secret, comparison, and the time last. */
export function opener(options: CheckedOptions): (body: RawBody, header: HeaderInput) => Promise<Opened> {
  const hmac = webHmac(options.secrets)
  return async (body, header) => {
    const parsed = parseSignatureHeader(headerLine(header, options.headerName))
    const prefix = new TextEncoder().encode(`${parsed.timestampText}.`)
    const bytes = bodyBytes(body)
    // A copy: what is parsed later is what was verified, even if the caller's buffer is used again meanwhile.
    const message = new Uint8Array(prefix.length + bytes.length)
    message.set(prefix)
    message.set(bytes, prefix.length)
    return { verified: judge(parsed, await hmac(message), options), bytes: message.subarray(prefix.length) }
  }
}

/** The same, and the event that the bytes hold. */
export function eventOpener<E>(options: CheckedOptions): OpenEvent<E> {
  const open = opener(options)
  return async (body, header) => {
    const { verified, bytes } = await open(body, header)
    return { verified, event: asEvent<E>(parseEvent(bytes)) }
  }
}

/** The signature vouches for the rest of the shape: only Posthorn could have made these bytes. */
export function asEvent<E>(event: unknown): E {
  return event as E
}
