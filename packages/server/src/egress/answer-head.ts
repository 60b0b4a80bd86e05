import { previewHeaders } from './answer-preview.ts'
import { BrokenAnswer } from './broken-answer.ts'

/** The status and headers of an answer. */
export interface AnswerHead {
  status: number
  /** The first `Location` and `Retry-After`, unchanged but cut to a length that can be stored. */
  location: string | null
  retryAfter: string | null
  /** The same of headers whose name ends in `-verified`: the operator chooses the beginning. Names are in lower case. */
  proofs: Readonly<Record<string, string>>
  /** The headers that the customer sees, with secrets masked and long values cut. */
  shown: Readonly<Record<string, string>>
  /** How the body ends: after a number of bytes, with the last chunk, or with the connection (RFC 9112 §6.3). */
  framing: number | 'chunked' | 'until close'
  /** The receiver keeps the connection open, and no other parser could read this head differently. */
  keepsAlive: boolean
  keepAliveMs: number | null
}

/** Lower-case names without a prototype. */
type Fields = Record<string, string>

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)( [\t\x20-\x7e\x80-\xff]*)?$/
const fieldLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t\x20-\x7e\x80-\xff]*)$/
/** A line that begins with a blank continues the line before it (RFC 9112 §5.2). */
const fold = /\r\n[\t ]+/
const lineEndAlone = /(?<!\r)\n|\r(?!\n)/
const valueLengthMax = 256
const beyondAscii = /[\x80-\xff]/

/**
 * Parses a head.
 * @param head the status line and field lines without the empty line, decoded as latin1
 * @throws BrokenAnswer
 */
export function readHead(head: string): AnswerHead {
  if (lineEndAlone.test(head)) throw new BrokenAnswer('line ends')
  const isFolded = fold.test(head)
  const lines = (isFolded ? unfolded(head) : head).split('\r\n')
  const [, minor, digits, reason] = statusLine.exec(lines[0] ?? '') ?? []
  if (digits === undefined) throw new BrokenAnswer('not http')
  const status = Number(digits)
  if (status === 101) throw new BrokenAnswer('upgrade')
  const { fields, firsts } = readFields(lines)
  const isPersistent = minor === '1' && !/\bclose\b/i.test(fields['connection'] ?? '')
  const isStrict = !isFolded && reason !== undefined && status < 600 && isClearlyFramed(fields)
  return {
    status,
    location: firsts['location'] ?? null,
    retryAfter: firsts['retry-after'] ?? null,
    proofs: firsts,
    shown: previewHeaders(fields),
    framing: framingOf(fields),
    keepsAlive: isPersistent && isStrict,
    keepAliveMs: keepAliveMs(fields),
  }
}

/** Joins folded lines. The first field line must not be folded, because no field comes before it. */
function unfolded(head: string): string {
  const firstEnd = head.indexOf('\r\n')
  if (isBlank(head.charCodeAt(firstEnd + 2))) throw new BrokenAnswer('headers')
  return head.replaceAll(new RegExp(fold, 'g'), ' ')
}

const firstOnly = new Set(['location', 'retry-after'])

function isKept(key: string): boolean {
  return firstOnly.has(key) || key.endsWith('-verified')
}

/** All fields, with repeated ones joined by commas, and the first values of some. */
function readFields(lines: readonly string[]): { fields: Fields; firsts: Fields } {
  const fields = Object.create(null) as Fields
  const firsts: Fields = {}
  for (let n = 1; n < lines.length; n++) {
    const [, name, value] = fieldLine.exec(lines[n] ?? '') ?? []
    if (name === undefined || value === undefined) throw new BrokenAnswer('headers')
    const key = name.toLowerCase()
    const text = asText(withoutBlanks(value))
    const before = fields[key]
    fields[key] = before === undefined ? text : `${before}, ${text}`
    if (before === undefined && isKept(key)) firsts[key] = text.slice(0, valueLengthMax)
  }
  return { fields, firsts }
}

/** Removes the blanks around a value (RFC 9110 §5.5). `trim` would also remove some bytes beyond ASCII. */
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

function framingOf(fields: Fields): AnswerHead['framing'] {
  const length = fields['content-length']
  const coding = fields['transfer-encoding']
  if (length === undefined && coding === undefined) return 'until close'
  // response splitting uses two lengths, or a length and chunks
  if (length !== undefined && coding !== undefined) throw new BrokenAnswer('headers')
  if (coding !== undefined) return /(?:^|,)[ \t]*chunked$/i.test(coding) ? 'chunked' : 'until close'
  const lengths = (length ?? '').split(',').map(withoutBlanks)
  if (!lengths.every(one => /^\d{1,15}$/.test(one))) throw new BrokenAnswer('headers')
  const bytes = Number(lengths[0])
  // the same length may be repeated (RFC 9112 §6.3)
  if (lengths.some(one => Number(one) !== bytes)) throw new BrokenAnswer('headers')
  return bytes
}

/** Whether the head gives the end of the body exactly once: one length, or chunks only. */
function isClearlyFramed(fields: Fields): boolean {
  const length = fields['content-length'] ?? ''
  const coding = fields['transfer-encoding'] ?? 'chunked'
  return !length.includes(',') && /^chunked$/i.test(coding)
}

function keepAliveMs(fields: Fields): number | null {
  const seconds = /\btimeout=(\d{1,6})\b/i.exec(fields['keep-alive'] ?? '')?.[1]
  return seconds === undefined ? null : Number(seconds) * 1_000
}
