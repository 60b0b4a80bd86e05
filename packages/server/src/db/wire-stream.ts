import { Duplex } from 'node:stream'
import type { EmbeddedThread } from './embedded-thread.ts'

const sync = 0x53 // 'S'
const simpleQuery = 0x51 // 'Q'
const terminate = 0x58 // 'X'

/**
 * Stands where the driver expects a socket. It gathers messages until one that the server answers (Sync, Query)
 * and hands them to the embedded database as one piece, so that a statement costs one crossing of threads.
 */
export class WireStream extends Duplex {
  readonly #thread: EmbeddedThread
  #gathered: Buffer[] = []
  #started = false
  #leave: () => void = () => {}

  constructor(thread: EmbeddedThread) {
    super()
    this.#thread = thread
  }

  /** What the driver calls on a socket to connect it. */
  connect(): this {
    try {
      this.#leave = this.#thread.connect(error => this.destroy(error))
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
    this.#leave()
    done(error)
  }

  #take(chunk: Buffer): void {
    // the driver writes whole messages; the first has no type byte
    const last = this.#started ? lastMessageType(chunk) : sync
    this.#started = true
    if (last === terminate) return // ends this connection, not the database
    this.#gathered.push(chunk)
    if (last !== sync && last !== simpleQuery) return
    const bytes = new Uint8Array(this.#gathered.reduce((sum, part) => sum + part.length, 0))
    let offset = 0
    for (const part of this.#gathered) {
      bytes.set(part, offset)
      offset += part.length
    }
    this.#gathered = []
    // the end of an answer to a connection that was given up must not reach the next one
    this.#thread.send(bytes, said => {
      if (!this.destroyed && !this.readableEnded) this.push(said)
    })
  }
}

function lastMessageType(chunk: Buffer): number | undefined {
  let type: number | undefined
  for (let offset = 0; offset + 5 <= chunk.length; offset += 1 + chunk.readInt32BE(offset + 1)) {
    type = chunk[offset]
  }
  return type
}
