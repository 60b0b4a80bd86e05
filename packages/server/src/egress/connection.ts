import type { Socket } from 'node:net'
import type { Place } from '../domain/line.ts'
import { AnswerParser, type AnswerSink } from './answer-parser.ts'
import { BrokenAnswer } from './broken-answer.ts'
import type { Certificate } from './egress.ts'
import type { OpenedSocket } from './open-socket.ts'
import type { Origin } from './origin.ts'
import { type OutgoingRequest, requestBytes } from './request-bytes.ts'

/** How long a connection may be idle, and how much sooner than the receiver we give it up. */
const idleMs = 10_000
const idleMarginMs = 1_000

/** Who makes a request and hears what comes of it; exactly one of `over` and `broken` is the last. */
export interface Exchanging extends AnswerSink {
  /** From here on nobody knows whether the receiver has it. */
  written(): void
  /** The first byte of an answer is here. */
  answering(): void
  over(reusable: boolean): void
  /** No whole answer will come. @param error a `BrokenAnswer`, or what the socket said */
  broken(error: Error): void
}

/**
 * HTTP/1.1 on one open socket, one request at a time. When the socket is gone the connection is gone, and a request
 * that was not yet written ends with `SocketGone`.
 */
export class Connection {
  readonly origin: Origin
  readonly openedAtMs: number
  readonly certificate: Certificate | null
  /** Whether it has been idle: the receiver may have closed it meanwhile. */
  wasIdle = false
  /** Since when it may wait for its next request, and until when it is good for one. */
  idleUntilMs = 0
  /** Where it stands among those that are idle, while it is. */
  idlePlace: Place<Connection> | null = null
  /** An answer was read from it to the end. */
  hasAnswered = false
  readonly #socket: Socket
  readonly #parser = new AnswerParser()
  #exchanging: Exchanging | null = null
  #written = false
  #answering = false
  #receiverEnded = false
  #error: Error | null = null

  constructor(
    origin: Origin,
    { socket, listen }: OpenedSocket,
    openedAtMs: number,
    certificate: Certificate | null,
  ) {
    this.origin = origin
    this.openedAtMs = openedAtMs
    this.certificate = certificate
    this.#socket = socket
    listen(piece => this.#hear(piece))
    socket.on('end', () => this.#ended())
    socket.on('error', error => (this.#error = error))
    socket.once('close', () => this.#break(this.#error ?? new SocketGone()))
  }

  get gone(): boolean {
    return this.#receiverEnded || this.#socket.destroyed
  }

  /** Bytes of the request that the receiver's side has not taken yet. */
  get unsentBytes(): number {
    return this.#socket.writableLength
  }

  /**
   * Sends a request. On a connection that was idle it is written after the event loop has looked at all sockets once
   * more, so that the end of the connection, or an answer that nobody asked for, is found before.
   * @throws UnsendableRequest
   */
  send(path: string, request: OutgoingRequest, exchanging: Exchanging): void {
    const pieces = requestBytes(this.origin, path, request)
    this.#exchanging = exchanging
    this.#written = false
    this.#answering = false
    this.#parser.begin(request.body === null, exchanging)
    if (this.wasIdle) afterLooking(() => this.#write(pieces))
    else this.#write(pieces)
  }

  destroy(): void {
    this.#exchanging = null
    this.#socket.destroy()
  }

  /** Calls back once, when the socket is closed. */
  onceGone(then: (connection: Connection) => void): void {
    this.#socket.once('close', () => then(this))
  }

  /** From now on it waits for its next request. */
  rest(nowMs: number): void {
    this.wasIdle = true
    const keptMs = this.#parser.keepAliveMs
    this.idleUntilMs = nowMs + (keptMs === null ? idleMs : Math.min(idleMs, keptMs - idleMarginMs))
  }

  #write(pieces: readonly Uint8Array[]): void {
    if (this.#exchanging === null) return
    if (this.gone) return this.#break(new SocketGone())
    if (this.#socket.readableLength > 0) return this.#refuseUnrequested()
    this.#written = true
    this.#exchanging.written()
    for (const piece of pieces) this.#socket.write(piece)
  }

  #hear(piece: Buffer): void {
    const exchanging = this.#exchanging
    if (exchanging === null || !this.#written) return this.#refuseUnrequested()
    if (!this.#answering) {
      this.#answering = true
      exchanging.answering()
    }
    try {
      this.#parser.feed(piece)
    } catch (error) {
      return this.#break(error instanceof Error ? error : new SocketGone())
    }
    if (this.#parser.over) this.#conclude()
  }

  /** Bytes that come before a request was written are no answer to it. */
  #refuseUnrequested(): void {
    this.origin.reuse.refuse()
    this.#break(new BrokenAnswer('too early'))
  }

  /** The receiver says no more. */
  #ended(): void {
    this.#receiverEnded = true
    if (this.#exchanging !== null && this.#parser.close()) this.#conclude()
  }

  #conclude(): void {
    const exchanging = this.#exchanging
    this.#exchanging = null
    this.hasAnswered = true
    if (this.#parser.hasSurplus) this.origin.reuse.refuse()
    exchanging?.over(this.#parser.reusable && !this.gone && this.unsentBytes === 0)
  }

  #break(error: Error): void {
    const exchanging = this.#exchanging
    this.destroy()
    exchanging?.broken(error)
  }
}

/** The socket closed before there was an answer. */
class SocketGone extends Error {
  override readonly name = 'SocketGone'
  readonly code = 'SOCKET_GONE'
}

/** An immediate runs after the poll of its own turn, in which the answer before may have been read: the second one waits for another. */
function afterLooking(run: () => void): void {
  setImmediate(() => setImmediate(run))
}
