import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/**
 * The thread that PGlite runs in: messages of the wire protocol go in, and what the database says to each comes out.
 * There is one session, and connections of the driver follow one another on it; whatever the last one left behind is
 * cleared away before the next one begins.
 */
export class EmbeddedThread {
  readonly #worker: Worker
  /** Who hears the answer to which message; nobody, when its connection is gone. */
  readonly #hearers = new Map<number, (bytes: Uint8Array) => void>()
  /** Who waits for copies of the database; they come in order. */
  readonly #dumps: PromiseWithResolvers<Uint8Array<ArrayBuffer>>[] = []
  #sent = 0
  #stopping = false

  private constructor(worker: Worker, onLost: (error: Error) => void) {
    this.#worker = worker
    worker.on('message', (message: Answer | Dump) => {
      if ('archive' in message) {
        const dump = this.#dumps.shift()
        if (message.archive !== null) dump?.resolve(message.archive)
        else dump?.reject(new Error(`the embedded database was not copied: ${message.reason}`))
        return
      }
      const { to, bytes } = message
      if (bytes === null) this.#hearers.delete(to)
      else this.#hearers.get(to)?.(bytes)
    })
    worker.on('error', error => onLost(error))
    worker.on('exit', code => {
      for (const dump of this.#dumps) dump.reject(new Error("the embedded database's thread has ended"))
      if (!this.#stopping) onLost(new Error(`the embedded database's thread ended with ${code}`))
    })
  }

  /** Starts the thread and waits until PGlite has recovered and is ready. */
  static async start(directory: string, onLost: (error: Error) => void): Promise<EmbeddedThread> {
    const file = new URL(`./embedded-worker${extname(import.meta.url)}`, import.meta.url)
    const worker = new Worker(file, { workerData: { directory } })
    await once(worker, 'message')
    return new EmbeddedThread(worker, onLost)
  }

  /** Undoes what a connection that broke off may have left: its transaction, its prepared statements. */
  reset(): void {
    for (const statement of ['rollback', 'discard all']) this.send(simpleQuery(statement), () => {})
  }

  /** Sends whole messages; `hear` is called with every piece of the answer. */
  send(bytes: Uint8Array<ArrayBuffer>, hear: (bytes: Uint8Array) => void): void {
    const to = this.#sent++
    this.#hearers.set(to, hear)
    this.#worker.postMessage({ to, bytes }, [bytes.buffer])
  }

  /**
   * A copy of all files between two messages, when nothing else is written: what a killed process leaves, from which
   * the database recovers with every committed row. Nothing else is answered meanwhile.
   */
  async dump(): Promise<Uint8Array<ArrayBuffer>> {
    const dump = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
    this.#dumps.push(dump)
    this.#worker.postMessage('dump')
    return await dump.promise
  }

  /** Closes the database cleanly and ends the thread. */
  async stop(): Promise<void> {
    if (this.#stopping) return
    this.#stopping = true
    const ended = once(this.#worker, 'exit')
    this.#worker.postMessage('close')
    await ended
  }
}

/** A piece of the answer to message `to`; null when the answer is complete. */
export interface Answer {
  to: number
  bytes: Uint8Array | null
}

/** All files of the database as a tar archive, or why there is none. */
export type Dump = { archive: Uint8Array<ArrayBuffer> } | { archive: null; reason: string }

/** The message `Query` of the wire protocol (PostgreSQL documentation, "Message Formats"). */
function simpleQuery(statement: string): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(`${statement}\0`)
  const message = new Uint8Array(5 + text.length)
  message[0] = 0x51
  new DataView(message.buffer).setInt32(1, 4 + text.length)
  message.set(text, 5)
  return message
}
