import { type AnswerHead, readHead } from './answer-head.ts'
import { BrokenAnswer } from './broken-answer.ts'
import { PartialBytes } from './partial-bytes.ts'

/** Is told what an answer says, as it comes. */
export interface AnswerSink {
  /** The headers of an answer are complete; below 200 it is an interim one, and another follows. */
  head(head: AnswerHead): void
  /** The bytes are good until it returns. */
  body(bytes: Buffer): void
}

const headBytesMax = 16_384
/** A head up to this length is remembered: the next answer over the same connection often begins with the same. */
const rememberedMax = 1_024
const lineBytesMax = 1_024
const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')

/** What the next bytes are. */
type Part = 'head' | 'fixed' | 'until close' | 'chunk size' | 'chunk' | 'chunk end' | 'trailers' | 'over'

/**
 * Reads answers of HTTP/1.1 and 1.0 from bytes that come in any pieces (RFC 9112). What two readers could read in two ways
 * is refused, or makes the connection unusable for another request. It holds at most a head.
 */
export class AnswerParser {
  #part: Part = 'over'
  readonly #partial = new PartialBytes()
  #left = 0
  #trailerBytes = 0
  #bodiless = false
  #surplus = false
  #usable = true
  #keepAliveMs: number | null = null
  #lastText = ''
  #lastHead: AnswerHead | null = null
  #sink: AnswerSink | null = null

  /** The next bytes begin an answer. @param bodiless it has no body whatever it says, as that of a HEAD */
  begin(bodiless: boolean, sink: AnswerSink): void {
    this.#part = 'head'
    this.#usable = true
    this.#bodiless = bodiless
    this.#sink = sink
  }

  /** The answer is complete. */
  get over(): boolean {
    return this.#part === 'over'
  }

  /** Bytes came behind the end of the answer. */
  get hasSurplus(): boolean {
    return this.#surplus
  }

  /** The connection may carry another request. */
  get reusable(): boolean {
    return this.over && this.#usable && !this.#surplus
  }

  /** How long the receiver keeps an idle connection, in milliseconds; null when it did not say. */
  get keepAliveMs(): number | null {
    return this.#keepAliveMs
  }

  /** @throws BrokenAnswer when it is no answer; nothing may be fed afterwards */
  feed(piece: Buffer): void {
    let bytes = piece
    while (bytes.length > 0 && this.#part !== 'over') bytes = bytes.subarray(this.#read(bytes))
    if (bytes.length > 0) this.#surplus = true
  }

  /** The connection has ended; true when that completes the answer. */
  close(): boolean {
    this.#usable = false
    if (this.#part !== 'until close') return false
    this.#part = 'over'
    return true
  }

  /** Reads one part, or as much of it as is there. @returns how many bytes it used */
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
        return this.#readLine(bytes, line => this.#chunkEnd(line))
      case 'trailers':
        return this.#readLine(bytes, line => this.#trailer(line))
      case 'over':
        return bytes.length
    }
  }

  #readHead(bytes: Buffer): number {
    if (this.#partial.isEmpty) refuseOther(bytes)
    const { text, used } = this.#partial.readUntil(headEnd, bytes, headBytesMax, 'too large')
    if (text === null) {
      refuseOther(this.#partial.bytes)
      return used
    }
    const head = this.#headOf(text)
    if (!head.keepsAlive) this.#usable = false
    if (head.status >= 200) this.#part = this.#partAfter(head)
    // an interim answer has no body, and another reader may wait for one
    else if (head.framing !== 'until close') this.#usable = false
    this.#sink?.head(head)
    return used
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

  #partAfter({ status, framing, keepAliveMs }: AnswerHead): Part {
    this.#keepAliveMs = keepAliveMs
    if (framing === 0) return 'over'
    if (this.#bodiless || status === 204 || status === 304) {
      // another reader may wait for the body that it announces, or of a HEAD does not rule out
      if (framing !== 'until close' || this.#bodiless) this.#usable = false
      return 'over'
    }
    if (framing === 'chunked') return 'chunk size'
    if (framing === 'until close') return framing
    this.#left = framing
    return 'fixed'
  }

  #readBody(bytes: Buffer, next: Part): number {
    const length = Math.min(bytes.length, this.#left)
    this.#left -= length
    if (this.#left === 0) this.#part = next
    this.#sink?.body(length === bytes.length ? bytes : bytes.subarray(0, length))
    return length
  }

  #readLine(bytes: Buffer, use: (line: string) => void): number {
    const { text, used } = this.#partial.readUntil(lineEnd, bytes, lineBytesMax, 'chunks')
    if (text !== null) use(text)
    return used
  }

  #chunkSize(line: string): void {
    const size = /^([0-9a-f]{1,12})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i.exec(line)?.[1]
    if (size === undefined) throw new BrokenAnswer('chunks')
    if (size !== line) this.#usable = false
    this.#left = Number.parseInt(size, 16)
    this.#part = this.#left === 0 ? 'trailers' : 'chunk'
    this.#trailerBytes = 0
  }

  #chunkEnd(line: string): void {
    if (line !== '') throw new BrokenAnswer('chunks')
    this.#part = 'chunk size'
  }

  #trailer(line: string): void {
    this.#trailerBytes += line.length
    if (this.#trailerBytes > headBytesMax || /[\r\n]/.test(line)) throw new BrokenAnswer('chunks')
    if (line === '') this.#part = 'over'
    else this.#usable = false
  }
}

/** What does not begin as an answer never becomes one: no need to wait for its end. */
function refuseOther(bytes: Buffer): void {
  const beginning = 'HTTP/1.'
  const length = Math.min(bytes.length, beginning.length)
  if (bytes.toString('latin1', 0, length) === beginning.slice(0, length)) return
  const frameType = bytes[0] === 0 ? bytes[3] : undefined
  throw new BrokenAnswer(frameType === settingsFrame || frameType === goAwayFrame ? 'http2' : 'not http')
}

/** What a server begins with that speaks HTTP/2 only (RFC 9113 §4.1, §6.5, §6.8). */
const settingsFrame = 4
const goAwayFrame = 7
