import type { Socket } from 'node:net'
import { Client, type Dispatcher } from 'undici'
import type { Certificate, PostRequest } from './egress.ts'
import type { Origin } from './origin.ts'

const idleMs = 10_000

/**
 * HTTP/1.1 on one open socket, one request at a time. The client below never opens a socket itself: when this one is
 * gone the connection is gone, and a request that was not yet written fails with `SocketGone`.
 */
export class Connection {
  readonly origin: Origin
  readonly openedAtMs: number
  readonly certificate: Certificate | null
  /** Whether a request has gone over it before. */
  used = false
  readonly #socket: Socket
  readonly #client: Client

  constructor(origin: Origin, socket: Socket, openedAtMs: number, certificate: Certificate | null) {
    this.origin = origin
    this.openedAtMs = openedAtMs
    this.certificate = certificate
    this.#socket = socket
    let handedOver = false
    this.#client = new Client(origin.href, {
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: 16_384,
      // deadlines are the attempt's: those of the client start anew with every interim answer and every byte
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      connect(_options, callback) {
        if (handedOver) return callback(new SocketGone(), null)
        handedOver = true
        // the client cannot take a socket while it is still asking for one
        queueMicrotask(() => callback(null, socket))
      },
    })
  }

  get gone(): boolean {
    return this.#socket.destroyed
  }

  /** Bytes of the request that the receiver's side has not taken yet. */
  get unsentBytes(): number {
    return this.#socket.writableLength
  }

  send(path: string, request: OutgoingRequest, handler: Dispatcher.DispatchHandler): void {
    const { body } = request
    const method = body === null ? 'HEAD' : 'POST'
    const headers = mutableHeaders(request.headers)
    this.#client.dispatch({ method, path, headers, body, blocking: false }, handler)
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** Calls back once, when the socket is closed. */
  onceGone(then: (connection: Connection) => void): void {
    this.#socket.once('close', () => then(this))
  }
}

/** Without a body it is a HEAD. */
export type OutgoingRequest = Omit<PostRequest, 'body'> & { body: Uint8Array | null }

/** The socket closed before the request was written to it. */
class SocketGone extends Error {
  override readonly name = 'SocketGone'
  readonly code = 'SOCKET_GONE'
}

/** The client only reads the list; its types do not say so. */
function mutableHeaders(headers: readonly string[]): string[] {
  return headers as string[]
}
