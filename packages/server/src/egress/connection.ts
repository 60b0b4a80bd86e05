import type { Socket } from 'node:net'
import { AnswerParser } from './answer-parser.ts'
import type { Attempt } from './attempt.ts'
import { BrokenAnswer } from './broken-answer.ts'
import { type Certificate, noPhases, type Phases } from './egress.ts'
import type { Handshake } from './handshake.ts'
import type { Origin } from './origin.ts'
import { requestBytes } from './request-bytes.ts'

/** How long a connection may be idle. */
const idleMs = 10_000
/** How much earlier than the receiver we close an idle connection. */
const idleMarginMs = 1_000

/** HTTP/1.1 on one open socket, one request at a time. */
export class Connection {
  readonly origin: Origin
  readonly openedAtMs: number
  readonly certificate: Certificate | null
  /** The receiver may have closed the connection since its last answer. */
  wasIdle = false
  /** Until when an idle connection may be reused. */
  idleUntilMs = Number.POSITIVE_INFINITY
  /** The attempt whose answer is not complete. */
  attempt: Attempt | null = null
  /** The request was written, so the receiver may have it. */
  written = false
  readonly #socket: Socket
  readonly #parser = new AnswerParser()
  #phases: Phases | null
  #answering = false
  #receiverEnded = false
  #error: Error | null = null

  constructor({ origin, certificate, phases }: Handshake, socket: Socket, openedAtMs: number) {
    this.origin = origin
    this.openedAtMs = openedAtMs
    this.certificate = certificate
    this.#phases = phases
    this.#socket = socket
    socket.on('end', () => this.#ended())
    socket.on('error', error => (this.#error = error))
    socket.once('close', () => this.#break(this.#error ?? new BrokenAnswer('closed')))
  }

  get isClosed(): boolean {
    return this.#receiverEnded || this.#socket.destroyed
  }

  /** Bytes of the request that the socket has not sent yet. */
  get unsentBytes(): number {
    return this.#socket.writableLength
  }

  /** The phases of opening the connection, for the first attempt that uses it only. */
  takePhases(): Phases {
    const phases = this.#phases ?? noPhases()
    this.#phases = null
    return phases
  }

  /**
   * Sends an attempt's request. On an idle connection it first lets the event loop poll the sockets, to find out whether the
   * receiver has closed the connection or sent bytes that nobody requested.
   * @throws UnsendableRequest
   */
  send(attempt: Attempt): void {
    const pieces = requestBytes(this.origin, attempt.path, attempt.request)
    this.attempt = attempt
    this.written = false
    this.#answering = false
    this.idleUntilMs = Number.POSITIVE_INFINITY
    const { body, isRead } = attempt.request
    this.#parser.begin(body === null && isRead !== true, attempt)
    if (this.wasIdle) afterPoll(() => this.#write(pieces))
    else this.#write(pieces)
  }

  /** The buffer is reused after the call returns. */
  receive(bytes: Buffer): void {
    if (this.attempt === null || !this.written) return this.#refuseUnrequested()
    if (!this.#answering) {
      this.#answering = true
      this.attempt.answering()
    }
    try {
      this.#parser.feed(bytes)
    } catch (error) {
      return this.#break(error instanceof Error ? error : new BrokenAnswer('closed'))
    }
    if (this.#parser.isComplete) this.#complete()
    else this.attempt?.reading()
  }

  destroy(): void {
    this.attempt = null
    this.#socket.destroy()
  }

  /** Calls back once, when the socket is closed. */
  onceClosed(then: () => void): void {
    this.#socket.once('close', then)
  }

  /** Marks the connection as idle until its next request. */
  becomeIdle(nowMs: number): void {
    const keepAliveMs = this.#parser.keepAliveMs
    this.wasIdle = true
    this.idleUntilMs = nowMs + (keepAliveMs === null ? idleMs : Math.min(idleMs, keepAliveMs - idleMarginMs))
    this.#phases = null
  }

  #write(pieces: readonly Uint8Array[]): void {
    if (this.attempt === null) return
    if (this.isClosed) return this.#break(new BrokenAnswer('closed'))
    if (this.#socket.readableLength > 0) return this.#refuseUnrequested()
    this.written = true
    this.attempt.written()
    for (const piece of pieces) this.#socket.write(piece)
  }

  /** Bytes that arrive before the request is written cannot be its answer. */
  #refuseUnrequested(): void {
    this.origin.refuseReuse()
    this.#break(new BrokenAnswer('too early'))
  }

  #ended(): void {
    this.#receiverEnded = true
    if (this.attempt !== null && this.#parser.close()) this.#complete()
  }

  #complete(): void {
    const attempt = this.attempt
    this.attempt = null
    if (this.#parser.hasExtraBytes) this.origin.refuseReuse()
    attempt?.completed(this.#parser.isReusable && !this.isClosed && this.unsentBytes === 0)
  }

  #break(error: Error): void {
    const attempt = this.attempt
    this.destroy()
    attempt?.broken(error)
  }
}

/** Uses two immediates: the first may run before the next poll, the second runs after it. */
function afterPoll(run: () => void): void {
  setImmediate(() => setImmediate(run))
}
