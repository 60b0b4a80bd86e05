import { BrokenAnswer } from './broken-answer.ts'
import { readHead, type AnswerHead } from './answer-head.ts'

/** Who is told what an answer says, as it comes. */
export interface AnswerSink {
  /** The headers of an answer are complete; below 200 it is an interim one, and another follows. */
  head(head: AnswerHead): void
  /** Good until it returns. */
  body(bytes: Buffer): void
}

const headBytesMax = 16_384
/** A head up to this length is remembered: the next answer over the same connection often begins with the same. */
const rememberedMax = 1_024
const lineBytesMax = 1_024
const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')
const nothing: Buffer = Buffer.alloc(0)

/** What the next bytes are. */
type Part = 'head' | 'fixed' | 'until close' | 'chunk size' | 'chunk' | 'chunk end' | 'trailers' | 'over'

/**
 * Reads answers of HTTP/1.1 and 1.0 from bytes that come in any pieces (RFC 9112), as strictly as the RFC allows: what
 * could be read in two ways is refused. It trusts nothing, holds at most a head, and copies nothing that came whole: what it
 * tells of a body is good until it returns.
 */
export class AnswerParser {
  #part: Part = 'over'
  #rest = nothing
  #left = 0
  #trailerBytes = 0
  #bodiless = false
  #surplus = false
  #ended = false
  #head: AnswerHead | null = null
  #lastText = ''
  #lastHead: AnswerHead | null = null
  #sink: AnswerSink | null = null

  /** The next bytes begin an answer. @param bodiless it has no body whatever it says, as that of a HEAD */
  begin(bodiless: boolean, sink: AnswerSink): void {
    this.#part = 'head'
    this.#head = null
    this.#bodiless = bodiless
    this.#sink = sink
  }

  /** The answer is complete. */
  get over(): boolean {
    return this.#part === 'over'
  }

  /** Both sides may go on: the receiver means to, and has sent nothing beyond its answer. */
  get reusable(): boolean {
    return this.over && !this.#ended && !this.#surplus && this.#head?.keepsAlive === true
  }

  /** How long the receiver keeps an idle connection, in milliseconds; null when it did not say. */
  get keepAliveMs(): number | null {
    return this.#head?.keepAliveMs ?? null
  }

  /** @throws BrokenAnswer when it is no answer; nothing may be fed afterwards */
  feed(piece: Buffer): void {
    let bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    this.#rest = nothing
    while (bytes.length > 0 && this.#part !== 'over') {
      const used = this.#read(bytes)
      if (used === 0) {
        this.#rest = Buffer.from(bytes)
        return
      }
      bytes = used === bytes.length ? nothing : bytes.subarray(used)
    }
    if (bytes.length > 0) this.#surplus = true
  }

  /** The connection has ended; true when that completes the answer. */
  close(): boolean {
    if (this.#part !== 'until close') return false
    this.#part = 'over'
    this.#ended = true
    return true
  }

  /** Reads one part, or as much of it as is there. @returns how many bytes; 0 when there are too few */
  #read(bytes: Buffer): number {
    switch (this.#part) {
      case 'head':
        return this.#readHead(bytes)
      case 'fixed':
        return this.#readBody(bytes, 'over')
      case 'chunk':
        return this.#readBody(bytes, 'chunk end')
      case 'until close':
        this.#sink?.body(bytes)
        return bytes.length
      case 'chunk size':
        return this.#readLine(bytes, line => this.#chunkSize(line))
      case 'chunk end':
        return this.#readLine(bytes, line => {
          if (line !== '') throw new BrokenAnswer('chunks')
          this.#part = 'chunk size'
        })
      case 'trailers':
        return this.#readLine(bytes, line => this.#trailer(line))
      case 'over':
        return bytes.length
    }
  }

  #readHead(bytes: Buffer): number {
    const end = bytes.indexOf(headEnd)
    if (end > headBytesMax || (end < 0 && bytes.length > headBytesMax)) throw new BrokenAnswer('too large')
    if (end < 0) {
      refuseOther(bytes)
      return 0
    }
    const head = this.#headOf(bytes.toString('latin1', 0, end))
    if (head.status < 200) this.#sink?.head(head)
    else this.#begins(head)
    return end + headEnd.length
  }

  #headOf(text: string): AnswerHead {
    if (this.#lastHead !== null && this.#lastText === text) return this.#lastHead
    const head = readHead(text)
    if (text.length <= rememberedMax) {
      this.#lastText = text
      this.#lastHead = head
    }
    return head
  }

  #begins(head: AnswerHead): void {
    this.#head = head
    if (this.#bodiless || head.status === 204 || head.status === 304 || head.framing === 0)
      this.#part = 'over'
    else if (head.framing === 'chunked') this.#part = 'chunk size'
    else if (head.framing === 'until close') this.#part = 'until close'
    else {
      this.#part = 'fixed'
      this.#left = head.framing
    }
    this.#sink?.head(head)
  }

  #readBody(bytes: Buffer, next: Part): number {
    const length = Math.min(bytes.length, this.#left)
    this.#left -= length
    if (this.#left === 0) this.#part = next
    this.#sink?.body(length === bytes.length ? bytes : bytes.subarray(0, length))
    return length
  }

  #readLine(bytes: Buffer, use: (line: string) => void): number {
    const end = bytes.indexOf(lineEnd)
    if (end > lineBytesMax || (end < 0 && bytes.length > lineBytesMax)) throw new BrokenAnswer('chunks')
    if (end < 0) return 0
    use(bytes.toString('latin1', 0, end))
    return end + lineEnd.length
  }

  #chunkSize(line: string): void {
    const size = /^([0-9a-f]{1,12})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i.exec(line)?.[1]
    if (size === undefined) throw new BrokenAnswer('chunks')
    this.#left = Number.parseInt(size, 16)
    this.#part = this.#left === 0 ? 'trailers' : 'chunk'
    this.#trailerBytes = 0
  }

  #trailer(line: string): void {
    this.#trailerBytes += line.length
    if (this.#trailerBytes > headBytesMax) throw new BrokenAnswer('chunks')
    if (line === '') this.#part = 'over'
  }
}

/** What does not begin as an answer never becomes one: no need to wait for its end. */
function refuseOther(bytes: Buffer): void {
  const beginning = 'HTTP/1.'
  const length = Math.min(bytes.length, beginning.length)
  if (bytes.toString('latin1', 0, length) !== beginning.slice(0, length)) throw new BrokenAnswer('not http')
}
