import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface ClientAnswer {
  status: number
  body: string
}

/** The timeout of a response. */
const answerTimeoutMs = 60_000

/**
 * One keep-alive connection with one request at a time. It does as little work as possible, because client and service
 * share few cores.
 */
export class ClientConnection {
  readonly #url: URL
  #socket: Socket | undefined
  #received = ''
  #onEnd: ((answer: ClientAnswer | null) => void) | undefined

  constructor(url: string) {
    this.#url = new URL(url)
  }

  async open(): Promise<void> {
    await once(this.#connect(), 'connect')
  }

  /**
   * Sends a request of ASCII characters. After a lost connection, the next request opens a new one.
   * @param onEnd gets null if the connection ended without a response
   */
  send(request: string, onEnd: (answer: ClientAnswer | null) => void): void {
    this.#onEnd = onEnd
    const socket = this.#socket ?? this.#connect()
    socket.write(request, 'latin1')
  }

  close(): void {
    this.#socket?.destroy()
  }

  #connect(): Socket {
    const socket = connect({ host: this.#url.hostname, port: Number(this.#url.port), noDelay: true })
    this.#socket = socket
    this.#received = ''
    socket.setEncoding('latin1')
    socket.setTimeout(answerTimeoutMs, () => socket.destroy())
    socket.on('data', (piece: string) => this.#take(piece))
    // "close" follows
    socket.on('error', () => {})
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = undefined
      this.#end(null)
    })
    return socket
  }

  #take(piece: string): void {
    this.#received += piece
    const headEnd = this.#received.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const bodyAt = headEnd + 4
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(this.#received)?.[1] ?? 0)
    if (this.#received.length < bodyAt + length) return
    const answer = { status: Number(this.#received.slice(9, 12)), body: this.#received.slice(bodyAt) }
    this.#received = ''
    this.#end(answer)
  }

  #end(answer: ClientAnswer | null): void {
    const onEnd = this.#onEnd
    this.#onEnd = undefined
    onEnd?.(answer)
  }
}
