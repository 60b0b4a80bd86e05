import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { freeBytes } from './free-bytes.ts'
import { type Answer, type Copied, startEmbeddedWorker } from './start-embedded-worker.ts'
import { endOf, endsInReadyForQuery, simpleQuery } from './wire-messages.ts'

export interface ThreadEvents {
  /** Called when the thread has ended and cannot be restarted. The process should end. */
  onLost: (error: Error) => void
  /** Called with a line for the log when the thread is being restarted, or works again. */
  onTrouble?: ((message: string) => void) | undefined
}

/** PostgreSQL needs 16 MiB to begin a new WAL file. */
const freeBytesMin = 32 * 2 ** 20
/** Counting checks instead of time keeps a process that was suspended from restarting the thread. */
const checkEveryMs = 1_000
/** Soon after disk space was low, the thread hangs if it sends nothing for so many checks. */
const silentChecksMaxWhenLow = 5
/** At other times the limit is higher, because a vacuum of a large table sends nothing for minutes. */
const silentChecksMax = 900
const soonChecks = 60
const startTriesMax = 60
const stopWithinMs = 10_000

/**
 * The thread that runs PGlite. It receives messages of the wire protocol and sends the answers. PGlite has one session,
 * which the driver's connections use one after the other.
 *
 * If the disk is full when PGlite begins a new WAL file, PGlite hangs. After a failed write, its memory may differ from its
 * files. So this class ends the thread, as a crash would, and restarts it when there is disk space: recovery then finds
 * every committed row.
 */
export class EmbeddedThread {
  readonly #directory: string
  readonly #events: ThreadEvents
  readonly #watch: NodeJS.Timeout
  #worker: Worker | null
  /** Callbacks for the answers that are not complete yet, by message number. */
  readonly #unanswered = new Map<number, (bytes: Uint8Array) => void>()
  /** Requests for copies of the database, oldest first. */
  readonly #copies: PromiseWithResolvers<number>[] = []
  /** Callbacks that end the open connections. */
  readonly #connections = new Set<(error: Error) => void>()
  #sent = 0
  /** The end of the answer under way. Its last message may come in two pieces. */
  #answerEnd: Uint8Array = new Uint8Array()
  #silentChecks = 0
  #checksSinceLow = Infinity
  #checksSinceStart = Infinity
  #needsRestart = false
  #stopping = false

  private constructor(directory: string, worker: Worker, events: ThreadEvents) {
    this.#directory = directory
    this.#events = events
    this.#worker = worker
    this.#listenTo(worker)
    this.#watch = setInterval(() => this.#check(), checkEveryMs).unref()
  }

  static async start(directory: string, events: ThreadEvents): Promise<EmbeddedThread> {
    return new EmbeddedThread(directory, await startEmbeddedWorker(directory), events)
  }

  /** Why the database cannot work, or null if it can. */
  trouble(): string | null {
    if (this.#isLow()) {
      return `less than ${freeBytesMin / 2 ** 20} MiB are free on the disk of the embedded database: free some space`
    }
    return this.#worker === null ? 'the embedded database is being restarted' : null
  }

  /**
   * Opens a connection. It first discards the transaction and the prepared statements that the last one may have left.
   * @param onEnd called if the session ends before the connection does
   * @returns a function that closes the connection
   * @throws ConnectionLostError while the thread is being restarted
   */
  connect(onEnd: (error: Error) => void): () => void {
    if (this.#worker === null) throw new ConnectionLostError(this.trouble() ?? '')
    for (const statement of ['rollback', 'discard all']) this.send(simpleQuery(statement), () => {})
    this.#connections.add(onEnd)
    return () => this.#connections.delete(onEnd)
  }

  /** Sends whole messages and calls `onPiece` with every piece of the answer. */
  send(bytes: Uint8Array<ArrayBuffer>, onPiece: (bytes: Uint8Array) => void): void {
    const to = this.#sent++
    if (this.#worker === null) return // the connection has ended already
    if (this.#unanswered.size === 0) this.#silentChecks = 0
    this.#unanswered.set(to, onPiece)
    this.#worker.postMessage({ to, bytes }, [bytes.buffer])
  }

  /** Reports that the system refused PGlite a file or disk space, so that its memory may now differ from its files. */
  refused(isDiskFull: boolean): void {
    this.#needsRestart = true
    if (isDiskFull) this.#checksSinceLow = 0
  }

  /**
   * Copies all files between two messages, so that a database opened from the copy recovers with every committed row. Other
   * messages wait until the copy is complete.
   * @returns how many bytes of disk space are missing; 0 if the copy is complete
   */
  async copyTo(path: string): Promise<number> {
    if (this.#worker === null) throw new ConnectionLostError(this.trouble() ?? '')
    const copy = Promise.withResolvers<number>()
    this.#copies.push(copy)
    this.#worker.postMessage({ copyTo: path })
    return await copy.promise
  }

  /** Closes the database and ends the thread. A thread that hangs is ended without closing. */
  async stop(): Promise<void> {
    if (this.#stopping) return
    this.#stopping = true
    clearInterval(this.#watch)
    const worker = this.#worker
    if (worker === null) return
    const ended = once(worker, 'exit')
    worker.postMessage('close')
    const late = new AbortController()
    await Promise.race([ended, wait(stopWithinMs, null, { signal: late.signal }).catch(() => {})])
    late.abort()
    await worker.terminate()
  }

  #listenTo(worker: Worker): void {
    worker.on('message', (message: Answer | Copied) => {
      this.#silentChecks = 0
      if ('copied' in message) {
        const { copied } = message
        const copy = this.#copies.shift()
        if ('missingBytes' in copied) copy?.resolve(copied.missingBytes)
        else copy?.reject(new Error(`the embedded database could not be copied: ${copied.reason}`))
        return
      }
      const { to, bytes } = message
      if (bytes !== null) {
        this.#answerEnd = endOf(this.#answerEnd, bytes)
        this.#unanswered.get(to)?.(bytes)
        return
      }
      this.#unanswered.delete(to)
      // the driver would wait forever for the rest of the answer
      const isComplete = endsInReadyForQuery(this.#answerEnd)
      this.#answerEnd = new Uint8Array()
      if (!isComplete) this.#restart('the embedded database sent an incomplete answer')
    })
    worker.on('error', error => this.#ended(worker, error))
    worker.on('exit', code =>
      this.#ended(worker, new Error(`the embedded database's thread ended with ${code}`)),
    )
  }

  #ended(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    if (this.#stopping) return this.#disconnectAll(error.message)
    if (this.#checksSinceLow <= soonChecks) return this.#restart(error.message)
    this.#disconnectAll(error.message)
    this.#events.onLost(error)
  }

  #check(): void {
    if (this.#worker === null) return
    this.#checksSinceStart++
    this.#checksSinceLow = this.#isLow() ? 0 : this.#checksSinceLow + 1
    const isWaiting = this.#unanswered.size > 0 || this.#copies.length > 0
    this.#silentChecks = isWaiting ? this.#silentChecks + 1 : 0
    const silentMax = this.#checksSinceLow <= soonChecks ? silentChecksMaxWhenLow : silentChecksMax
    if (this.#silentChecks >= silentMax) {
      this.#restart(`the embedded database has not answered for ${this.#silentChecks} seconds`)
    } else if (this.#needsRestart && !this.#isLow() && this.#checksSinceStart > soonChecks) {
      this.#restart('the system refused the embedded database a file or disk space')
    }
  }

  #isLow(): boolean {
    return freeBytes(this.#directory) < freeBytesMin
  }

  /** Ends the thread and all connections, and starts a new thread as soon as there is disk space. */
  #restart(reason: string): void {
    const worker = this.#worker
    this.#disconnectAll(reason)
    this.#events.onTrouble?.(`${reason}: ${this.trouble()}`)
    const starting = async (): Promise<void> => {
      await worker?.terminate()
      const fresh = await this.#startWhenThereIsSpace()
      if (fresh === null) return
      if (this.#stopping) return void (await fresh.terminate())
      this.#needsRestart = false
      this.#checksSinceStart = 0
      this.#checksSinceLow = Infinity
      this.#silentChecks = 0
      this.#worker = fresh
      this.#listenTo(fresh)
      this.#events.onTrouble?.('the embedded database works again')
    }
    starting().catch((error: unknown) =>
      this.#events.onLost(error instanceof Error ? error : new Error(String(error))),
    )
  }

  async #startWhenThereIsSpace(): Promise<Worker | null> {
    for (let tries = 1; !this.#stopping; ) {
      if (!this.#isLow()) {
        try {
          return await startEmbeddedWorker(this.#directory)
        } catch (error) {
          if (tries++ >= startTriesMax) throw error
        }
      }
      await wait(checkEveryMs, undefined, { ref: false })
    }
    return null
  }

  /** Ends all connections and copies with an error. */
  #disconnectAll(reason: string): void {
    this.#worker = null
    this.#answerEnd = new Uint8Array()
    this.#unanswered.clear()
    const lost = new ConnectionLostError(reason)
    for (const copy of this.#copies.splice(0)) copy.reject(lost)
    const ended = new Set(this.#connections)
    this.#connections.clear()
    for (const end of ended) end(lost)
  }
}

/** The session ended. The code makes the driver treat it as a connection that the server reset. */
class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError'
  readonly code = 'ECONNRESET'
}
