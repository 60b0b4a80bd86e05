import type { Origin } from './origin.ts'
import { commonBeginning, headerLines, requestBeginning } from './request-head.ts'

/** Without a body it is a HEAD. */
export interface OutgoingRequest {
  url: string
  /** Flat: name, value, name, value. */
  headers: readonly string[]
  /** Those that other requests have as well, in one array for all of them; only of a POST. */
  commonHeaders?: readonly string[]
  body: Uint8Array | null
  signal?: AbortSignal
}

/** Up to this size a body is copied behind its head, so that both leave in one piece. */
const copiedBytesMax = 16_384

const none: readonly string[] = []

/**
 * A request as it goes over the wire (RFC 9112 §3): one piece, or head and body when the body is large.
 * @throws UnsendableRequest
 */
export function requestBytes(
  origin: Origin,
  path: string,
  { headers, commonHeaders = none, body }: OutgoingRequest,
): Uint8Array[] {
  const lines = headerLines(headers)
  if (body === null)
    return [Buffer.from(`${requestBeginning('HEAD', origin, path)}${lines}\r\n\r\n`, 'latin1')]
  const head = `${commonBeginning(origin, path, commonHeaders)}${lines}\r\ncontent-length: ${body.length}\r\n\r\n`
  if (body.length > copiedBytesMax) return [Buffer.from(head, 'latin1'), body]
  const bytes = Buffer.allocUnsafe(head.length + body.length)
  bytes.write(head, 'latin1')
  bytes.set(body, head.length)
  return [bytes]
}
