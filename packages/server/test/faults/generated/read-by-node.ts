import { Agent, type IncomingMessage, request } from 'node:http'
import { Duplex } from 'node:stream'
import { AnswerParser } from '../../../src/egress/answer-parser.ts'
import { BrokenAnswer } from '../../../src/egress/broken-answer.ts'

type Method = 'POST' | 'HEAD'

/** What a parser reads from the bytes that answer one request, up to the end of the connection. */
export interface Reading {
  /** Statuses of the interim answers. */
  interim: number[]
  /** The status of the final answer; null if its head was refused or did not arrive. */
  status: number | null
  retryAfter: string | null
  body: string
  /** How many bytes had arrived when the answer was complete; null if it ended with the connection or never. */
  endsAt: number | null
  isComplete: boolean
  /** Whether the connection may carry another request. */
  mayReuse: boolean
}

/** Parses with Node's own client, which uses llhttp. */
export async function readByNode(pieces: readonly Buffer[], method: Method): Promise<Reading> {
  const wire = new Duplex({ read: () => {}, write: (_bytes, _encoding, done) => done() })
  const agent = Object.assign(new Agent({ keepAlive: true }), {
    createConnection: () => wire,
    keepSocketAlive: () => false,
  })
  const body: Buffer[] = []
  const interim: number[] = []
  let answer: IncomingMessage | null = null
  let isBroken = false
  const sent = request({ method, agent })
  sent.on('response', response => {
    answer = response
    response.on('data', (bytes: Buffer) => body.push(bytes)).on('error', () => (isBroken = true))
  })
  sent.on('information', ({ statusCode }) => interim.push(statusCode))
  sent.on('upgrade', () => (isBroken = true)).on('error', () => (isBroken = true))
  sent.end(method === 'POST' ? '{}' : undefined)
  await new Promise(resolve => setImmediate(resolve))
  const done = new Promise(resolve => wire.once('close', resolve))
  let fedBytes = 0
  let endsAt: number | null = null
  const isComplete = (): boolean => answer?.complete === true && !isBroken
  for (const piece of pieces) {
    wire.push(piece)
    fedBytes += piece.length
    if (endsAt === null && isComplete()) endsAt = fedBytes
    if (wire.destroyed) break
  }
  const mayReuse = endsAt !== null && sent.shouldKeepAlive && !wire.destroyed
  wire.push(null)
  // without the end of the connection, Node's client would continue to wait
  setImmediate(() => setImmediate(() => wire.destroy()))
  await done
  await new Promise(resolve => setImmediate(resolve))
  const { statusCode = null, headers = {} } = (answer as IncomingMessage | null) ?? {}
  return {
    interim,
    status: statusCode,
    retryAfter: asUtf8(headers['retry-after']),
    body: Buffer.concat(body).toString('latin1'),
    endsAt,
    isComplete: isComplete(),
    mayReuse,
  }
}

/** Parses with our parser. */
export function readByUs(pieces: readonly Buffer[], method: Method): Reading {
  const reading: Reading = {
    interim: [],
    status: null,
    retryAfter: null,
    body: '',
    endsAt: null,
    isComplete: false,
    mayReuse: false,
  }
  const parser = new AnswerParser()
  parser.begin(method === 'HEAD', {
    head: ({ status, retryAfter }) => {
      if (status < 200) reading.interim.push(status)
      else Object.assign(reading, { status, retryAfter })
    },
    body: bytes => (reading.body += bytes.toString('latin1')),
  })
  let fedBytes = 0
  try {
    for (const piece of pieces) {
      parser.feed(piece)
      fedBytes += piece.length
      if (reading.endsAt === null && parser.isComplete) reading.endsAt = fedBytes
    }
    reading.mayReuse = parser.isReusable
    reading.isComplete = parser.isComplete || parser.close()
  } catch (error) {
    if (!(error instanceof BrokenAnswer)) throw error
  }
  return reading
}

/** Node.js reads header values as Latin-1, and Posthorn as UTF-8. */
function asUtf8(value: string | undefined): string | null {
  return value === undefined ? null : Buffer.from(value, 'latin1').toString()
}
