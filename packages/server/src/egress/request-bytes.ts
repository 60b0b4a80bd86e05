import { foldHeaderName } from '../domain/request-headers.ts'
import type { PostRequest } from './egress.ts'
import type { Origin } from './origin.ts'

/** A request without a body is a HEAD, or a GET if its answer is read. */
export type OutgoingRequest = Omit<PostRequest, 'body' | 'loopbackOrigin' | 'clientCertificate'> & {
  body: Uint8Array | null
  isRead?: true
}

/** Bodies up to this size are copied after the head, so that both are sent in one write. */
const copiedBytesMax = 16_384

const none: readonly string[] = []

/**
 * The bytes of a request (RFC 9112 §3): one piece, or head and body if the body is large.
 * @throws UnsendableRequest
 */
export function requestBytes(
  origin: Origin,
  path: string,
  { headers, commonHeaders = none, body, isRead }: OutgoingRequest,
): Uint8Array[] {
  const lines = headerLines(headers)
  if (body === null) {
    const beginning = requestBeginning(isRead === true ? 'GET' : 'HEAD', origin, path)
    return [Buffer.from(`${beginning}${lines}\r\n\r\n`, 'latin1')]
  }
  const head = `${commonBeginning(origin, path, commonHeaders)}${lines}\r\ncontent-length: ${body.length}\r\n\r\n`
  if (body.length > copiedBytesMax) return [Buffer.from(head, 'latin1'), body]
  const bytes = Buffer.allocUnsafe(head.length + body.length)
  bytes.write(head, 'latin1')
  bytes.set(body, head.length)
  return [bytes]
}

/** The request line, `host` and `connection`. */
function requestBeginning(method: 'POST' | 'HEAD' | 'GET', origin: Origin, path: string): string {
  return `${method} ${path} HTTP/1.1\r\nhost: ${origin.authority}\r\nconnection: keep-alive`
}

/** The beginning of a POST, up to the last shared header. It is built once for each array. */
function commonBeginning(origin: Origin, path: string, headers: readonly string[]): string {
  const known = beginnings.get(headers)
  if (known?.origin === origin && known.path === path) return known.text
  const text = requestBeginning('POST', origin, path) + headerLines(headers)
  beginnings.set(headers, { origin, path, text })
  return text
}

const beginnings = new WeakMap<readonly string[], { origin: Origin; path: string; text: string }>()

/** Header lines (RFC 9110 §5.5, RFC 9112 §5). Each begins with the CR LF of the line before it. */
function headerLines(headers: readonly string[]): string {
  let lines = ''
  for (let n = 0; n < headers.length; n += 2) {
    const name = headers[n] ?? ''
    const value = headers[n + 1]
    const beginning = namesSeen.get(name) ?? lineBeginning(name)
    if (value === undefined || beginning === null || !fieldValue.test(value)) {
      throw new UnsendableRequest(`the header ${JSON.stringify(name)} may not be sent`)
    }
    lines += beginning + value
  }
  return lines
}

/** Null if a header with this name may not be sent. */
function lineBeginning(name: string): string | null {
  if (!fieldName.test(name) || reserved.test(foldHeaderName(name))) return null
  const beginning = `\r\n${name}: `
  if (namesSeen.size < namesSeenMax) namesSeen.set(name, beginning)
  return beginning
}

const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/
/** Only `requestBytes` may set the headers that control the connection and the end of the message. */
const reserved = /^(?:host|connection|content-length|transfer-encoding|expect|keep-alive|upgrade|te|trailer)$/
/** A cache, because most requests have the same header names. */
const namesSeen = new Map<string, string>()
const namesSeenMax = 1_000

/** A header could change where the request ends, or is malformed. */
class UnsendableRequest extends Error {
  override readonly name = 'UnsendableRequest'
}
