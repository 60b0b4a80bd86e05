import type { Socket } from 'node:net'
import { Client, type Dispatcher } from 'undici'
import type { PostRequest } from './egress.ts'
import type { Origin } from './origin.ts'

const idleMs = 10_000

/**
 * HTTP/1.1 on one open socket, one request at a time. The client below never opens a socket itself: when this one is
 * gone the connection is gone, and a request that was not yet written fails with `SocketGone`.
 */
export class Connection {
  readonly origin: Origin
  readonly openedAtMs: number
  /** Whether a request has gone over it before. */
  used = false
  readonly #socket: Socket
  readonly #client: Client

  constructor(origin: Origin, socket: Socket, openedAtMs: number) {
    this.origin = origin
    this.openedAtMs = openedAtMs
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

  send(path: string, request: PostRequest, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch(
      { method: 'POST', path, headers: mutableHeaders(request.headers), body: request.body, blocking: false },
      handler,
    )
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** Calls back once, when the socket is closed. */
  onceGone(then: (connection: Connection) => void): void {
    this.#socket.once('close', () => then(this))
  }
}

/** The socket closed before the request was written to it. */
class SocketGone extends Error {
  override readonly name = 'SocketGone'
  readonly code = 'SOCKET_GONE'
}

/** The client only reads the list; its types do not say so. */
function mutableHeaders(headers: readonly string[]): string[] {
  return headers as string[]
}
