import type { Origin } from './origin.ts'

/** Without a body it is a HEAD. */
export interface OutgoingRequest {
  url: string
  /** Flat: name, value, name, value. */
  headers: readonly string[]
  body: Uint8Array | null
  signal?: AbortSignal
}

/** The request names a header that could change where it ends, or holds what no header may hold. */
class UnsendableRequest extends Error {
  override readonly name = 'UnsendableRequest'
}

const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/
/** What says how a connection is used and where a message ends is said by this file alone. */
const reserved =
  /^(?:host|connection|content-length|transfer-encoding|expect|keep-alive|upgrade|te|trailer)$/i

/** Up to this size a body is copied behind its head, so that both leave in one piece. */
const copiedBytesMax = 16_384

/**
 * A request as it goes over the wire (RFC 9112 §3): one piece, or head and body when the body is large.
 * @throws UnsendableRequest
 */
export function requestBytes(origin: Origin, path: string, { headers, body }: OutgoingRequest): Uint8Array[] {
  let head = `${body === null ? 'HEAD' : 'POST'} ${path} HTTP/1.1\r\nhost: ${origin.authority}\r\nconnection: keep-alive`
  for (let n = 0; n < headers.length; n += 2) {
    const name = headers[n] ?? ''
    const value = headers[n + 1]
    const beginning = beginnings.get(name) ?? beginningOf(name)
    if (value === undefined || beginning === null || !fieldValue.test(value)) {
      throw new UnsendableRequest(`the header ${JSON.stringify(name)} may not be sent`)
    }
    head += beginning
    head += value
  }
  if (body === null) return [Buffer.from(`${head}\r\n\r\n`, 'latin1')]
  head += `\r\ncontent-length: ${body.length}\r\n\r\n`
  if (body.length > copiedBytesMax) return [Buffer.from(head, 'latin1'), body]
  const bytes = Buffer.allocUnsafe(head.length + body.length)
  bytes.write(head, 'latin1')
  bytes.set(body, head.length)
  return [bytes]
}

/** How the line of a header begins, behind the line before it; null when it may not be sent. */
function beginningOf(name: string): string | null {
  if (!fieldName.test(name) || reserved.test(name)) return null
  const beginning = `\r\n${name}: `
  if (beginnings.size < beginningsMax) beginnings.set(name, beginning)
  return beginning
}

/** Of names that were looked at before: most requests have the same. */
const beginnings = new Map<string, string>()
const beginningsMax = 1_000
