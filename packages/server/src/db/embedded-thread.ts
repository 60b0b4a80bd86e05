import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** The thread that PGlite runs in: bytes of the wire protocol go in and come out. */
export class EmbeddedThread {
  readonly #worker: Worker
  #onBytes: (bytes: Uint8Array) => void = () => {}
  #stopping = false

  private constructor(worker: Worker, onLost: (error: Error) => void) {
    this.#worker = worker
    worker.on('message', (bytes: Uint8Array) => this.#onBytes(bytes))
    worker.on('error', error => onLost(error))
    worker.on('exit', code => {
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

  /** Whoever set this last receives what the database says: the one connection under way. */
  receive(onBytes: (bytes: Uint8Array) => void): void {
    this.#onBytes = onBytes
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    this.#worker.postMessage(bytes, [bytes.buffer])
  }

  /** Closes the database cleanly and ends the thread. */
  async stop(): Promise<void> {
    if (this.#stopping) return
    this.#stopping = true
    const ended = new Promise(resolve => this.#worker.once('exit', resolve))
    this.#worker.postMessage('close')
    await ended
  }
}
