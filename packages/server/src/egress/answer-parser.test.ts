import { assert, array, constantFrom, integer, property, record, string, tuple, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import type { AnswerHead } from './answer-head.ts'
import { AnswerParser } from './answer-parser.ts'
import { BrokenAnswer } from './broken-answer.ts'

interface Heard {
  heads: Array<Pick<AnswerHead, 'status' | 'shown'>>
  body: string
  over: boolean
  reusable: boolean
  flaw: string | null
}

/** Feeds these pieces and then the end of the connection, and tells what the parser said of it. */
function hear(pieces: readonly Buffer[], bodiless = false): Heard {
  const heard: Heard = { heads: [], body: '', over: false, reusable: false, flaw: null }
  const parser = new AnswerParser()
  parser.begin(bodiless, {
    head: ({ status, shown }) => {
      heard.heads.push({ status, shown })
    },
    body: bytes => (heard.body += bytes.toString('latin1')),
  })
  try {
    for (const piece of pieces) parser.feed(piece)
    heard.reusable = parser.reusable
    heard.over = parser.over || parser.close()
  } catch (error) {
    if (!(error instanceof BrokenAnswer)) throw error
    heard.flaw = error.flaw
  }
  return heard
}

function hearText(text: string, bodiless = false): Heard {
  return hear([Buffer.from(text, 'latin1')], bodiless)
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map(place => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...at].map((from, n) => bytes.subarray(from, at[n]))
}

const cuts = array(integer({ min: 0, max: 100_000 }), { maxLength: 12 })

const chunked = tuple(
  array(string({ minLength: 1, maxLength: 40, unit: 'binary-ascii' })),
  constantFrom('', ';a=b', ' ;q="x"'),
).map(([chunks, extension]) => ({
  head: 'Transfer-Encoding: chunked\r\n',
  wire: `${chunks.map(chunk => `${chunk.length.toString(16)}${extension}\r\n${chunk}\r\n`).join('')}0\r\nx-trailer: 1\r\n\r\n`,
  body: chunks.join(''),
}))
const counted = string({ maxLength: 200, unit: 'binary-ascii' }).map(body => ({
  head: `content-LENGTH:  ${body.length}\t\r\n`,
  wire: body,
  body,
}))
const answers = record({
  interim: constantFrom('', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
  status: integer({ min: 200, max: 599 }).filter(status => status !== 204 && status !== 304),
  reason: constantFrom('', ' ', ' OK', ' Nicht \xe4'),
  content: constantFrom(chunked, counted).chain(one => one),
})

test('an answer reads the same in whatever pieces it comes, and leaves the connection fit for the next', () => {
  assert(
    property(answers, cuts, ({ interim, status, reason, content }, places) => {
      const wire = `${interim}HTTP/1.1 ${status}${reason}\r\nX-One: 1\r\n${content.head}\r\n${content.wire}`
      const heard = hear(cut(Buffer.from(wire, 'latin1'), places))
      expect(heard).toMatchObject({ body: content.body, over: true, reusable: true, flaw: null })
      expect(heard.heads.map(head => head.status)).toEqual(interim === '' ? [status] : [103, status])
      expect(heard.heads.at(-1)?.shown['x-one']).toBe('1')
    }),
    { numRuns: 1_000 },
  )
})

test('whatever bytes come, in whatever pieces, it says what they are and throws nothing else', () => {
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
        const whole = hear([bytes])
        const pieces = hear(cut(bytes, places))
        expect(pieces.flaw).toBe(whole.flaw)
        expect(pieces.over).toBe(whole.over)
      },
    ),
    { numRuns: 2_000 },
  )
})

test.each([
  ['an answer without a body', 'HTTP/1.1 204 No Content\r\n\r\n', false],
  ['not modified, whatever length it names', 'HTTP/1.1 304 X\r\ncontent-length: 5\r\n\r\n', false],
  ['the answer to a HEAD', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n', true],
])('%s is over with its head', (_name, text, bodiless) => {
  expect(hearText(text, bodiless)).toMatchObject({ over: true, reusable: true, body: '' })
})

test.each([
  ['says close', 'HTTP/1.1 200 OK\r\nconnection: x, Close\r\ncontent-length: 0\r\n\r\n'],
  ['speaks 1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n'],
  ['sends more than its answer', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK\r\n'],
  ['ends its answer with the connection', 'HTTP/1.1 200 OK\r\n\r\nabc'],
])('a receiver that %s gets no second request on this connection', (_name, text) => {
  expect(hearText(text)).toMatchObject({ over: true, reusable: false, flaw: null })
})

test('a receiver of HTTP/1.0 that keeps alive gets one', () => {
  const text = 'HTTP/1.0 200 OK\r\nconnection: Keep-Alive\r\ncontent-length: 0\r\n\r\n'
  expect(hearText(text)).toMatchObject({ reusable: true })
})

test.each([
  ['a length and chunks', 'content-length: 3\r\ntransfer-encoding: chunked\r\n'],
  ['two equal lengths', 'content-length: 3\r\ncontent-length: 3\r\n'],
  ['a signed length', 'content-length: +3\r\n'],
  ['a list of lengths', 'content-length: 3, 3\r\n'],
  ['a space before the colon', 'content-length : 3\r\n'],
  ['a folded line', 'x-a: 1\r\n content-length: 3\r\n'],
  ['a bare line feed', 'x-a: 1\ncontent-length: 3\r\n'],
  ['a bare carriage return', 'x-a: 1\rcontent-length: 3\r\n'],
])('%s, which two readers could read in two ways, is no answer', (_name, fields) => {
  expect(hearText(`HTTP/1.1 200 OK\r\n${fields}\r\nabc`)).toMatchObject({ flaw: 'headers', heads: [] })
})

test.each([
  ['no size', 'zz\r\n'],
  ['a size with a sign', '+1\r\na\r\n'],
  ['a size that no number holds', `${'f'.repeat(13)}\r\n`],
  ['bytes after the data', '1\r\nab\r\n'],
  ['endless trailers', `0\r\n${'x: y\r\n'.repeat(5_000)}`],
])('chunks with %s are broken', (_name, chunks) => {
  expect(hearText(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`)).toMatchObject({
    flaw: 'chunks',
  })
})
