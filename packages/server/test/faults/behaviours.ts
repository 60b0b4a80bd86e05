import { gzipSync } from 'node:zlib'
import { answer, drip, flood } from '../egress/raw-receiver.ts'
import type { Behaviour } from './fault-receiver.ts'

/** To every request the same bytes. */
export function says(bytes: string | Buffer): Behaviour {
  return { answer: socket => void socket.write(bytes) }
}

/** These bytes, and then the end of the connection. */
export function saysAndEnds(bytes: string): Behaviour {
  return { answer: socket => void socket.end(bytes) }
}

/** A reset throws away what the other side has not read yet: so long it may take to. */
const resetAfterMs = 700

/** These bytes, and then a reset. */
export function saysAndResets(bytes: string): Behaviour {
  return {
    answer: socket => {
      socket.write(bytes)
      setTimeout(() => socket.resetAndDestroy(), resetAfterMs)
    },
  }
}

/** These bytes, and then a piece every so often, for ever. */
export function drips(bytes: string, piece: string, everyMs: number): Behaviour {
  return {
    answer: socket => {
      socket.write(bytes)
      drip(socket, piece, everyMs)
    },
  }
}

/** These bytes, and then a piece again and again as fast as they are taken. */
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

/** Its length is honest: 10 GB, were anybody to read them. */
export function tenGigabytes(status: number): Behaviour {
  return floods(`HTTP/1.1 ${status} Any\r\ncontent-length: 10000000000\r\n\r\n`, Buffer.alloc(65_536, 'x'))
}

/** Two layers of gzip over 64 MiB: some hundred bytes. */
export function gzipBomb(): Behaviour {
  const body = gzipSync(gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 1 }))
  const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip, gzip\r\ncontent-length: ${body.length}\r\n\r\n`
  return says(Buffer.concat([Buffer.from(head), body]))
}

/** A whole answer without a body that matters. */
export function answers(status: number, headers: Record<string, string> = {}): Behaviour {
  return says(answer(status, headers))
}
