import { type AnswerHead, readHead } from './answer-head.ts'
import { BrokenAnswer } from './broken-answer.ts'
import { PartialBytes } from './partial-bytes.ts'

/** Receives the parts of an answer as they arrive. */
export interface AnswerSink {
  /** Called when the headers are complete. After an interim answer (status below 200) another one follows. */
  head(head: AnswerHead): void
  /** The buffer is reused after the call returns. */
  body(bytes: Buffer): void
}

const headBytesMax = 16_384
/** The parser caches a head up to this length, because the answers on a connection often have the same one. */
const cachedLengthMax = 1_024
const lineBytesMax = 1_024
const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')

/** The part of the answer that the next bytes belong to. */
type Part = 'head' | 'fixed' | 'until close' | 'chunk size' | 'chunk' | 'chunk end' | 'trailers' | 'complete'

/**
 * Parses HTTP/1.1 and 1.0 answers, in pieces of any size (RFC 9112). If two parsers could read an answer differently, this
 * one refuses it or marks the connection as not reusable. It buffers at most one head.
 */
export class AnswerParser {
  #part: Part = 'complete'
  readonly #partial = new PartialBytes()
  #left = 0
  #trailerBytes = 0
  #hasNoBody = false
  #hasExtraBytes = false
  #canReuse = true
  #keepAliveMs: number | null = null
  #lastText = ''
  #lastHead: AnswerHead | null = null
  #sink: AnswerSink | null = null

  /** Starts an answer. @param hasNoBody the answer to a HEAD request has no body, whatever its headers say */
  begin(hasNoBody: boolean, sink: AnswerSink): void {
    this.#part = 'head'
    this.#canReuse = true
    this.#hasNoBody = hasNoBody
    this.#sink = sink
  }

  /** Whether the answer is complete. */
  get isComplete(): boolean {
    return this.#part === 'complete'
  }

  /** Whether bytes followed the end of the answer. */
  get hasExtraBytes(): boolean {
    return this.#hasExtraBytes
  }

  /** Whether the connection may carry another request. */
  get isReusable(): boolean {
    return this.isComplete && this.#canReuse && !this.#hasExtraBytes
  }

  /** How long the receiver keeps an idle connection open; null if it did not say. */
  get keepAliveMs(): number | null {
    return this.#keepAliveMs
  }

  /** @throws BrokenAnswer if the bytes are not an answer; then do not call it again */
  feed(piece: Buffer): void {
    let bytes = piece
    while (bytes.length > 0 && this.#part !== 'complete') bytes = bytes.subarray(this.#read(bytes))
    if (bytes.length > 0) this.#hasExtraBytes = true
  }

  /** Call this when the connection has ended. @returns whether that completes the answer */
  close(): boolean {
    this.#canReuse = false
    if (this.#part !== 'until close') return false
    this.#part = 'complete'
    return true
  }

  /** Reads one part or the beginning of it. @returns how many bytes it used */
  #read(bytes: Buffer): number {
    switch (this.#part) {
      case 'head':
        return this.#readHead(bytes)
      case 'fixed':
        return this.#readBody(bytes, 'complete')
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
      case 'complete':
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
    if (!head.keepsAlive) this.#canReuse = false
    if (head.status >= 200) this.#part = this.#partAfter(head)
    // another parser could expect the body that an interim answer announces
    else if (head.framing !== 'until close') this.#canReuse = false
    this.#sink?.head(head)
    return used
  }

  #headOf(text: string): AnswerHead {
    if (this.#lastHead !== null && this.#lastText === text) return this.#lastHead
    const head = readHead(text)
    if (text.length <= cachedLengthMax) {
      this.#lastText = text
      this.#lastHead = head
    }
    return head
  }

  #partAfter({ status, framing, keepAliveMs }: AnswerHead): Part {
    this.#keepAliveMs = keepAliveMs
    if (framing === 0) return 'complete'
    if (this.#hasNoBody || status === 204 || status === 304) {
      // another parser could expect a body
      if (framing !== 'until close' || this.#hasNoBody) this.#canReuse = false
      return 'complete'
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
    if (size !== line) this.#canReuse = false
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
    if (line === '') this.#part = 'complete'
    else this.#canReuse = false
  }
}

/** Refuses bytes that do not begin like an answer at once, without waiting for the end of the head. */
function refuseOther(bytes: Buffer): void {
  const beginning = 'HTTP/1.'
  const length = Math.min(bytes.length, beginning.length)
  if (bytes.toString('latin1', 0, length) === beginning.slice(0, length)) return
  const frameType = bytes[0] === 0 ? bytes[3] : undefined
  throw new BrokenAnswer(frameType === settingsFrame || frameType === goAwayFrame ? 'http2' : 'not http')
}

/** The frames that an HTTP/2 server may send first (RFC 9113 §4.1, §6.5, §6.8). */
const settingsFrame = 4
const goAwayFrame = 7
