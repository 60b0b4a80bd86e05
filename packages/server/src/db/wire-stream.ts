import { Duplex } from 'node:stream'
import type { EmbeddedThread } from './embedded-thread.ts'
import { lastMessageType, messageTypes } from './wire-messages.ts'

/**
 * The driver uses this stream instead of a socket. It buffers messages up to one that the server answers (Sync, Query)
 * and sends them to the embedded database together, so that a statement costs one message between threads.
 */
export class WireStream extends Duplex {
  readonly #thread: EmbeddedThread
  #buffered: Buffer[] = []
  #started = false
  #disconnect: () => void = () => {}

  constructor(thread: EmbeddedThread) {
    super()
    this.#thread = thread
  }

  /** The driver calls this to connect a socket. */
  connect(): this {
    try {
      this.#disconnect = this.#thread.connect(error => this.destroy(error))
      queueMicrotask(() => this.emit('connect'))
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)))
    }
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#take(chunk)
    done()
  }

  override _writev(chunks: Array<{ chunk: Buffer }>, done: () => void): void {
    for (const { chunk } of chunks) this.#take(chunk)
    done()
  }

  override _final(done: () => void): void {
    this.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#disconnect()
    done(error)
  }

  #take(chunk: Buffer): void {
    // the driver writes whole messages; the first has no type byte
    const last = this.#started ? lastMessageType(chunk) : messageTypes.sync
    this.#started = true
    if (last === messageTypes.terminate) return // ends this connection, not the database
    this.#buffered.push(chunk)
    if (last !== messageTypes.sync && last !== messageTypes.query) return
    const bytes = new Uint8Array(this.#buffered.reduce((sum, part) => sum + part.length, 0))
    let offset = 0
    for (const part of this.#buffered) {
      bytes.set(part, offset)
      offset += part.length
    }
    this.#buffered = []
    // the answer to a closed connection must not reach the next one
    this.#thread.send(bytes, piece => {
      if (!this.destroyed && !this.readableEnded) this.push(piece)
    })
  }
}
