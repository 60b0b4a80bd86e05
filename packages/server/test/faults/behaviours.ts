import { gzipSync } from 'node:zlib'
import { answer, drip, flood } from '../egress/raw-receiver.ts'
import type { Behaviour } from './fault-receiver.ts'

/** Answers every request with these bytes. */
export function says(bytes: string | Buffer): Behaviour {
  return { answer: socket => void socket.write(bytes) }
}

/** Sends these bytes and then closes the connection. */
export function saysAndEnds(bytes: string): Behaviour {
  return { answer: socket => void socket.end(bytes) }
}

/** A reset discards what the other side has not read yet, so wait this long. */
const resetAfterMs = 700

/** Sends these bytes and then resets the connection. */
export function saysAndResets(bytes: string): Behaviour {
  return {
    answer: socket => {
      socket.write(bytes)
      setTimeout(() => socket.resetAndDestroy(), resetAfterMs)
    },
  }
}

/** Sends these bytes, and then a piece periodically without end. */
export function drips(bytes: string, piece: string, everyMs: number): Behaviour {
  return {
    answer: socket => {
      socket.write(bytes)
      drip(socket, piece, everyMs)
    },
  }
}

/** Sends these bytes, and then a piece again and again, as fast as the other side reads. */
export function floods(bytes: string, piece: string | Buffer): Behaviour {
  return {
    answer: socket => {
      socket.write(bytes)
      flood(socket, Buffer.from(piece))
    },
  }
}

export const neverAnswers: Behaviour = {}
export const resetsAtOnce: Behaviour = { greet: socket => socket.resetAndDestroy() }
export const resetsAfterRequest: Behaviour = { answer: socket => socket.resetAndDestroy() }
export const endsAfterRequest: Behaviour = { answer: socket => void socket.end() }

export const tenMegabytesOfHeaders = says(
  `HTTP/1.1 200 OK\r\n${`x-large: ${'a'.repeat(1000)}\r\n`.repeat(10_000)}\r\n`,
)

/** The length is true: the body would have 10 GB. */
export function tenGigabytes(status: number): Behaviour {
  return floods(`HTTP/1.1 ${status} Any\r\ncontent-length: 10000000000\r\n\r\n`, Buffer.alloc(65_536, 'x'))
}

/** Two layers of gzip over 64 MiB, which take some hundred bytes. */
export function gzipBomb(): Behaviour {
  const body = gzipSync(gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 1 }))
  const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip, gzip\r\ncontent-length: ${body.length}\r\n\r\n`
  return says(Buffer.concat([Buffer.from(head), body]))
}

/** A complete answer with an unimportant body. */
export function answers(status: number, headers: Record<string, string> = {}): Behaviour {
  return says(answer(status, headers))
}
