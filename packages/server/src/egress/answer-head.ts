import { previewHeaders } from './answer-preview.ts'
import { BrokenAnswer } from './broken-answer.ts'

/** Lower-case names without a prototype; a name that came several times has a list. */
type AnswerHeaders = Record<string, string | string[]>

/** What the head of an answer says. */
export interface AnswerHead {
  status: number
  /** `Location`, `Retry-After` and `X-Service-Verified` as they came, the first of each, in a length that can be stored. */
  location: string | null
  retryAfter: string | null
  verifiedParts: string | null
  /** As far as they may be shown and stored. */
  shown: Readonly<Record<string, string>>
  /** How its end is known: by a number of bytes, by chunks, by the end of the connection (RFC 9112 §6.3). */
  framing: number | 'chunked' | 'until close'
  /** The receiver means to go on with this connection. */
  keepsAlive: boolean
  keepAliveMs: number | null
}

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/
const fieldLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t\x20-\x7e\x80-\xff]*)$/
/** A line that begins with a blank goes on with the one before it (RFC 9112 §5.2). */
const fold = /\r\n[\t ]+/
const lineEndAlone = /(?<!\r)\n|\r(?!\n)/
const keptMax = 256
const beyondAscii = /[\x80-\xff]/

/**
 * Reads a head.
 * @param head status line and field lines without the empty line, a character for each byte
 * @throws BrokenAnswer
 */
export function readHead(head: string): AnswerHead {
  if (lineEndAlone.test(head)) throw new BrokenAnswer('line ends')
  const isFolded = fold.test(head)
  const lines = (isFolded ? unfolded(head) : head).split('\r\n')
  const [, minor, digits] = statusLine.exec(lines[0] ?? '') ?? []
  if (digits === undefined) throw new BrokenAnswer('not http')
  const status = Number(digits)
  if (status === 101) throw new BrokenAnswer('upgrade')
  const headers = readFields(lines)
  const connection = all(headers['connection']).toLowerCase()
  const isPersistent = minor === '1' ? !/\bclose\b/.test(connection) : /\bkeep-alive\b/.test(connection)
  return {
    status,
    location: first(headers['location']),
    retryAfter: first(headers['retry-after']),
    verifiedParts: first(headers['x-service-verified']),
    shown: previewHeaders(headers),
    framing: framingOf(headers),
    keepsAlive: isPersistent && !isFolded && isClearlyFramed(headers, minor),
    keepAliveMs: keepAliveMs(headers),
  }
}

/** Puts folded lines together. Before the first field there is nothing to go on with. */
function unfolded(head: string): string {
  const firstEnd = head.indexOf('\r\n')
  if (isBlank(head.charCodeAt(firstEnd + 2))) throw new BrokenAnswer('headers')
  return head.replaceAll(new RegExp(fold, 'g'), ' ')
}

function readFields(lines: readonly string[]): AnswerHeaders {
  const headers = Object.create(null) as AnswerHeaders
  for (let n = 1; n < lines.length; n++) {
    const [, name, value] = fieldLine.exec(lines[n] ?? '') ?? []
    if (name === undefined || value === undefined) throw new BrokenAnswer('headers')
    const key = name.toLowerCase()
    const text = asText(withoutBlanks(value))
    const before = headers[key]
    if (before === undefined) headers[key] = text
    else if (typeof before === 'string') headers[key] = [before, text]
    else before.push(text)
  }
  return headers
}

/** Blanks around a value are no part of it (RFC 9110 §5.5). Bytes beyond ASCII are none: `trim` would take some for blanks. */
function withoutBlanks(value: string): string {
  let from = 0
  let to = value.length
  while (from < to && isBlank(value.charCodeAt(from))) from += 1
  while (to > from && isBlank(value.charCodeAt(to - 1))) to -= 1
  return value.slice(from, to)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

function asText(value: string): string {
  return beyondAscii.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value
}

function framingOf(headers: AnswerHeaders): AnswerHead['framing'] {
  const length = headers['content-length']
  const coding = headers['transfer-encoding']
  if (length === undefined && coding === undefined) return 'until close'
  // two lengths, or a length and chunks, are how one answer is passed off as two
  if (length !== undefined && coding !== undefined) throw new BrokenAnswer('headers')
  if (coding !== undefined) return /(?:^|,)[ \t]*chunked$/i.test(all(coding)) ? 'chunked' : 'until close'
  const lengths = all(length).split(',').map(withoutBlanks)
  if (!lengths.every(one => /^\d{1,15}$/.test(one))) throw new BrokenAnswer('headers')
  const bytes = Number(lengths[0])
  // the same length several times is that length (RFC 9112 §6.3)
  if (lengths.some(one => Number(one) !== bytes)) throw new BrokenAnswer('headers')
  return bytes
}

/** Every reader sees the same end: one length, or nothing but chunks in HTTP/1.1 (RFC 9112 §6.1). */
function isClearlyFramed(headers: AnswerHeaders, minor: string | undefined): boolean {
  const length = headers['content-length'] ?? '0'
  const coding = headers['transfer-encoding']
  const hasOneLength = typeof length === 'string' && !length.includes(',')
  return hasOneLength && (coding === undefined || (minor === '1' && /^chunked$/i.test(all(coding))))
}

function keepAliveMs(headers: AnswerHeaders): number | null {
  const seconds = /\btimeout=(\d{1,6})\b/i.exec(all(headers['keep-alive']))?.[1]
  return seconds === undefined ? null : Number(seconds) * 1_000
}

function first(value: string | string[] | undefined): string | null {
  const text = typeof value === 'string' ? value : value?.[0]
  return text === undefined ? null : text.slice(0, keptMax)
}

function all(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : (value ?? []).join(', ')
}
