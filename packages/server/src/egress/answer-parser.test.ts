import { assert, array, constantFrom, integer, property, record, string, tuple, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import type { AnswerHead } from './answer-head.ts'
import { AnswerParser } from './answer-parser.ts'
import { BrokenAnswer } from './broken-answer.ts'

interface Parsed {
  heads: Array<Pick<AnswerHead, 'status' | 'shown'>>
  body: string
  over: boolean
  reusable: boolean
  flaw: string | null
}

/** Feeds these pieces and then the end of the connection, and returns what the parser reported. */
function parse(pieces: readonly Buffer[], hasNoBody = false): Parsed {
  const parsed: Parsed = { heads: [], body: '', over: false, reusable: false, flaw: null }
  const parser = new AnswerParser()
  parser.begin(hasNoBody, {
    head: ({ status, shown }) => {
      parsed.heads.push({ status, shown })
    },
    body: bytes => (parsed.body += bytes.toString('latin1')),
  })
  try {
    for (const piece of pieces) parser.feed(piece)
    parsed.reusable = parser.isReusable
    parsed.over = parser.isComplete || parser.close()
  } catch (error) {
    if (!(error instanceof BrokenAnswer)) throw error
    parsed.flaw = error.flaw
  }
  return parsed
}

function parseText(text: string, hasNoBody = false): Parsed {
  return parse([Buffer.from(text, 'latin1')], hasNoBody)
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map(place => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...at].map((from, n) => bytes.subarray(from, at[n]))
}

const cuts = array(integer({ min: 0, max: 100_000 }), { maxLength: 12 })

const chunked = tuple(
  array(string({ minLength: 1, maxLength: 40, unit: 'binary-ascii' })),
  constantFrom('', ' ', '\t', ';a=b', ' ;q="x"'),
  constantFrom('', 'x-trailer: 1\r\n', 'nonsense\r\n'),
).map(([chunks, extension, trailer]) => ({
  head: 'Transfer-Encoding: chunked\r\n',
  wire: `${chunks.map(chunk => `${chunk.length.toString(16)}${extension}\r\n${chunk}\r\n`).join('')}0${extension}\r\n${trailer}\r\n`,
  body: chunks.join(''),
  isPlain: extension === '' && trailer === '',
}))
const counted = string({ maxLength: 200, unit: 'binary-ascii' }).map(body => ({
  head: `content-LENGTH:  ${body.length}\t\r\n`,
  wire: body,
  body,
  isPlain: true,
}))
const answers = record({
  interim: constantFrom('', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
  status: integer({ min: 200, max: 599 }).filter(status => status !== 204 && status !== 304),
  reason: constantFrom('', ' ', ' OK', ' Nicht \xe4'),
  content: constantFrom(chunked, counted).chain(one => one),
})

test('a response parses the same in any pieces, and a plain one leaves the connection reusable', () => {
  assert(
    property(answers, cuts, ({ interim, status, reason, content }, places) => {
      const wire = `${interim}HTTP/1.1 ${status}${reason}\r\nX-One: 1\r\n${content.head}\r\n${content.wire}`
      const parsed = parse(cut(Buffer.from(wire, 'latin1'), places))
      const reusable = content.isPlain && reason !== ''
      expect(parsed).toMatchObject({ body: content.body, over: true, reusable, flaw: null })
      expect(parsed.heads.map(head => head.status)).toEqual(interim === '' ? [status] : [103, status])
      expect(parsed.heads.at(-1)?.shown['x-one']).toBe('1')
    }),
    { numRuns: 1_000 },
  )
})

test('any bytes get the same verdict in any pieces, and cause no other error', () => {
  const noise = uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes))
  const almost = tuple(
    answers,
    integer({ min: 0, max: 400 }),
    uint8Array({ minLength: 1, maxLength: 4 }),
  ).map(([{ status, content }, place, bytes]) => {
    const wire = Buffer.from(`HTTP/1.1 ${status} OK\r\n${content.head}\r\n${content.wire}`, 'latin1')
    wire.set(bytes.subarray(0, Math.max(0, wire.length - (place % wire.length))), place % wire.length)
    return wire
  })
  assert(
    property(
      constantFrom(noise, almost).chain(one => one),
      cuts,
      (bytes, places) => {
        const whole = parse([bytes])
        const pieces = parse(cut(bytes, places))
        expect(pieces.flaw === null).toBe(whole.flaw === null)
        expect(pieces.over).toBe(whole.over)
        expect(pieces.reusable).toBe(whole.reusable)
      },
    ),
    { numRuns: 2_000 },
  )
})

test.each([
  ['an answer without a body', 'HTTP/1.1 204 No Content\r\n\r\n', false, true],
  ['the answer to a HEAD, with no length', 'HTTP/1.1 200 OK\r\n\r\n', true, false],
  ['the answer to a HEAD, with the length 0', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', true, true],
  ['the answer to a HEAD, with a length', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n', true, false],
  ['no content, with a length', 'HTTP/1.1 204 X\r\ncontent-length: 5\r\n\r\n', false, false],
  ['not modified, with a length', 'HTTP/1.1 304 X\r\ncontent-length: 5\r\n\r\n', false, false],
  ['the answer to a HEAD, with chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', true, false],
])(
  '%s ends with its head; if a body could follow, the connection is not reused',
  (_name, text, hasNoBody, reusable) => {
    expect(parseText(text, hasNoBody)).toMatchObject({ over: true, reusable, body: '' })
  },
)

const ok = 'HTTP/1.1 200 OK\r\n'
const length = 'content-length: 3\r\n'
const chunks = 'transfer-encoding: chunked\r\n'

/** Answers that are tolerated. */
test.each([
  ['no blank after the status', `HTTP/1.1 200\r\n${length}\r\nabc`],
  ['a status that HTTP does not know', `HTTP/1.1 600 Odd\r\n${length}\r\nabc`],
  ['HTTP/1.0', `HTTP/1.0 200 OK\r\nconnection: keep-alive\r\n${length}\r\nabc`],
  [
    'chunks in HTTP/1.0, which has none',
    `HTTP/1.0 200 OK\r\nconnection: keep-alive\r\n${chunks}\r\n3\r\nabc\r\n0\r\n\r\n`,
  ],
  ['a folded line', `${ok}x-a: 1\r\n\t 2\r\n${length}\r\nabc`],
  ['a folded length', `${ok}content-length:\r\n 3\r\n\r\nabc`],
  ['two equal lengths', `${ok}${length}${length}\r\nabc`],
  ['a list of equal lengths', `${ok}content-length: 3, 3\r\n\r\nabc`],
  ['a coding before the chunks', `${ok}transfer-encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`],
  ['an empty transfer coding', `${ok}transfer-encoding: \r\n\r\nabc`],
  ['another transfer coding than chunks', `${ok}transfer-encoding: identity\r\n\r\nabc`],
  ['no length and no chunks', `${ok}\r\nabc`],
  ['blanks after the size of a chunk', `${ok}${chunks}\r\n3  \r\nabc\r\n0\r\n\r\n`],
  ['an extension of a chunk', `${ok}${chunks}\r\n3;a=b\r\nabc\r\n0\r\n\r\n`],
  ['a trailer', `${ok}${chunks}\r\n3\r\nabc\r\n0\r\nx-a: 1\r\n\r\n`],
  ['a bad trailer', `${ok}${chunks}\r\n3\r\nabc\r\n0\r\n: x\r\n\r\n`],
  ['an interim answer with a folded line', `HTTP/1.1 103 X\r\nx-a: 1\r\n 2\r\n\r\n${ok}${length}\r\nabc`],
  ['an interim answer with a length', `HTTP/1.1 103 X\r\n${length}\r\n${ok}${length}\r\nabc`],
  ['an interim answer with chunks', `HTTP/1.1 103 X\r\n${chunks}\r\n${ok}${length}\r\nabc`],
  ['an interim answer of HTTP/1.0', `HTTP/1.0 103 X\r\n\r\n${ok}${length}\r\nabc`],
  ['bytes after its end', `${ok}${length}\r\nabc\r\n`],
])('a response with %s counts, but its connection is not reused', (_name, text) => {
  expect(parseText(text)).toMatchObject({ body: 'abc', over: true, reusable: false, flaw: null })
  const pieces = [...Buffer.from(text)].map(byte => Buffer.from([byte]))
  expect(parse(pieces)).toMatchObject({ body: 'abc', over: true, reusable: false, flaw: null })
})

test('a folded header line is joined with a space', () => {
  const [head] = parseText('HTTP/1.1 200 OK\r\nx-a: 1\r\n\t 2\r\n  3\r\ncontent-length: 0\r\n\r\n').heads
  expect(head?.shown).toEqual({ 'x-a': '1 2 3', 'content-length': '0' })
})

test.each([
  ['in the whole head', 'HTTP/1.1 200 OK\ncontent-length: 0\n\n'],
  ['in the status line', 'HTTP/1.1 200 OK\n'],
  ['behind a right line', 'HTTP/1.1 200 OK\r\nx-a: 1\n'],
  ['instead of the empty line', 'HTTP/1.1 200 OK\r\nx-a: 1\r\n\n'],
  ['as a carriage return', 'HTTP/1.1 200 OK\rx-a: 1\r\r'],
])('a bare line end %s is rejected at once, in any pieces', (_name, text) => {
  const bytes = Buffer.from(text)
  expect(parse([bytes])).toMatchObject({ flaw: 'line ends', heads: [] })
  expect(parse([...bytes].map(byte => Buffer.from([byte])))).toMatchObject({ flaw: 'line ends', heads: [] })
})

test('parsing byte by byte costs the same per byte in long and short heads', () => {
  expect(cpuMs(16_000, 5)).toBeLessThan(4 * cpuMs(1_000, 80))
})

/** The CPU time to parse `heads` heads of this length byte by byte, the best of three. */
function cpuMs(length: number, heads: number): number {
  const head = Buffer.from(`HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(length)}\r\ncontent-length: 0\r\n\r\n`)
  const pieces = [...head].map(byte => Buffer.from([byte]))
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage()
    for (let n = 0; n < heads; n++) expect(parse(pieces).over).toBe(true)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...times)
}

test('a connection is not reused after a response with Connection: close', () => {
  const text = `${ok}connection: x, Close\r\n${length}\r\nabc`
  expect(parseText(text)).toMatchObject({ over: true, reusable: false, flaw: null })
})

test.each([
  ['a length and chunks', 'content-length: 3\r\ntransfer-encoding: chunked\r\n'],
  ['two lengths', 'content-length: 3\r\ncontent-length: 4\r\n'],
  ['a signed length', 'content-length: +3\r\n'],
  ['a list of lengths', 'content-length: 3, 4\r\n'],
  ['a list with a gap', 'content-length: 3,\r\n'],
  ['a folded length', 'content-length: 3\r\n 3\r\n'],
  ['a space before the colon', 'content-length : 3\r\n'],
  ['a line that goes on with the status line', ' x-a: 1\r\ncontent-length: 3\r\n'],
])('a response with %s is rejected as ambiguous', (_name, fields) => {
  expect(parseText(`HTTP/1.1 200 OK\r\n${fields}\r\nabc`)).toMatchObject({ flaw: 'headers', heads: [] })
})

test.each([
  ['no size', 'zz\r\n'],
  ['a size with a sign', '+1\r\na\r\n'],
  ['a size that no number holds', `${'f'.repeat(13)}\r\n`],
  ['bytes after the data', '1\r\nab\r\n'],
  ['endless trailers', `0\r\n${'x: y\r\n'.repeat(5_000)}`],
])('chunks with %s are malformed', (_name, chunks) => {
  expect(parseText(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`)).toMatchObject({
    flaw: 'chunks',
  })
})
