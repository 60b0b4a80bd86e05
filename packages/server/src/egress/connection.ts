import type { Socket } from 'node:net'
import { AnswerParser } from './answer-parser.ts'
import type { Attempt } from './attempt.ts'
import { BrokenAnswer } from './broken-answer.ts'
import { type Certificate, noPhases, type Phases } from './egress.ts'
import type { Handshake } from './handshake.ts'
import type { Origin } from './origin.ts'
import { requestBytes } from './request-bytes.ts'

/** How long a connection may be idle, and how much sooner than the receiver we close it. */
const idleMs = 10_000
const idleMarginMs = 1_000

/** HTTP/1.1 on one open socket, one request at a time. */
export class Connection {
  readonly origin: Origin
  readonly openedAtMs: number
  readonly certificate: Certificate | null
  /** The receiver may have closed it meanwhile. */
  wasIdle = false
  /** While it waits for its next request, until when it is good for one. */
  idleUntilMs = Number.POSITIVE_INFINITY
  /** The one whose answer has not ended. */
  attempt: Attempt | null = null
  /** Nobody knows whether the receiver has the request. */
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

  get gone(): boolean {
    return this.#receiverEnded || this.#socket.destroyed
  }

  /** Bytes of the request that the receiver's side has not taken yet. */
  get unsentBytes(): number {
    return this.#socket.writableLength
  }

  /** How long opening it took; no phase for all but the first attempt that gets it. */
  takePhases(): Phases {
    const phases = this.#phases ?? noPhases()
    this.#phases = null
    return phases
  }

  /**
   * Sends an attempt's request. On a connection that was idle it is written after the event loop has looked at all
   * sockets once more, so that the end of the connection, or an unrequested answer, is found before.
   * @throws UnsendableRequest
   */
  send(attempt: Attempt): void {
    const pieces = requestBytes(this.origin, attempt.path, attempt.request)
    this.attempt = attempt
    this.written = false
    this.#answering = false
    this.idleUntilMs = Number.POSITIVE_INFINITY
    this.#parser.begin(attempt.request.body === null, attempt)
    if (this.wasIdle) afterLooking(() => this.#write(pieces))
    else this.#write(pieces)
  }

  /** The bytes are good until it returns. */
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
    if (this.#parser.over) this.#conclude()
    else this.attempt?.reading()
  }

  destroy(): void {
    this.attempt = null
    this.#socket.destroy()
  }

  /** Calls back once, when the socket is closed. */
  onceGone(then: () => void): void {
    this.#socket.once('close', then)
  }

  /** From now on it waits for its next request. */
  rest(nowMs: number): void {
    const keptMs = this.#parser.keepAliveMs
    this.wasIdle = true
    this.idleUntilMs = nowMs + (keptMs === null ? idleMs : Math.min(idleMs, keptMs - idleMarginMs))
    this.#phases = null
  }

  #write(pieces: readonly Uint8Array[]): void {
    if (this.attempt === null) return
    if (this.gone) return this.#break(new BrokenAnswer('closed'))
    if (this.#socket.readableLength > 0) return this.#refuseUnrequested()
    this.written = true
    this.attempt.written()
    for (const piece of pieces) this.#socket.write(piece)
  }

  /** Bytes that come before a request was written are no answer to it. */
  #refuseUnrequested(): void {
    this.origin.refuseReuse()
    this.#break(new BrokenAnswer('too early'))
  }

  #ended(): void {
    this.#receiverEnded = true
    if (this.attempt !== null && this.#parser.close()) this.#conclude()
  }

  #conclude(): void {
    const attempt = this.attempt
    this.attempt = null
    if (this.#parser.hasSurplus) this.origin.refuseReuse()
    attempt?.over(this.#parser.reusable && !this.gone && this.unsentBytes === 0)
  }

  #break(error: Error): void {
    const attempt = this.attempt
    this.destroy()
    attempt?.broken(error)
  }
}

/** The second immediate waits for another poll: the answer before may have been read in that of the first. */
function afterLooking(run: () => void): void {
  setImmediate(() => setImmediate(run))
}
