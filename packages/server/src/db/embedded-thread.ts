import { once } from 'node:events'
import { extname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { freeBytes } from './free-bytes.ts'

export interface ThreadEvents {
  /** It is gone for good; the process should end. */
  onLost: (error: Error) => void
  /** It was ended and is started again, or works again: one line for the log. */
  onTrouble?: ((message: string) => void) | undefined
}

/** Less than that, and PostgreSQL cannot begin a new file of its log (16 MiB). */
const freeBytesMin = 32 * 2 ** 20
/** How often it is looked at; a process that stood still finds one look due, not many. */
const lookEveryMs = 1_000
/** So many looks without a word from it mean that it hangs, soon after a shortage of disk space. */
const silentLooksMaxWhenShort = 5
/** The same at any other time: a vacuum of a large table says nothing for minutes. */
const silentLooksMax = 900
const soonLooks = 60
const startTriesMax = 60
const stopWithinMs = 10_000

/**
 * The thread that PGlite runs in: messages of the wire protocol go in, and what the database says to each comes out.
 * There is one session, and connections of the driver follow one another on it; whatever the last one left behind is
 * cleared away before the next one begins.
 *
 * PGlite does not survive a full disk when it begins a new file of its log: it spins or sleeps for ever. And after it was
 * refused a file, its memory and the files may differ. So the thread is ended, as a crash would end it, and started
 * again once there is room: recovery then finds every committed row.
 */
export class EmbeddedThread {
  readonly #directory: string
  readonly #events: ThreadEvents
  readonly #watch: NodeJS.Timeout
  #worker: Worker | null
  /** Who hears the answer to which message; nobody, when its connection is gone. */
  readonly #hearers = new Map<number, (bytes: Uint8Array) => void>()
  /** Who waits for copies of the database; they come in order. */
  readonly #dumps: PromiseWithResolvers<Uint8Array<ArrayBuffer>>[] = []
  /** Connections, which end with the session. */
  readonly #connections = new Set<(error: Error) => void>()
  #sent = 0
  #heardLast: Uint8Array = new Uint8Array()
  #silentLooks = 0
  #looksSinceShort = Infinity
  #looksSinceStart = Infinity
  #isDoubtful = false
  #stopping = false

  private constructor(directory: string, worker: Worker, events: ThreadEvents) {
    this.#directory = directory
    this.#events = events
    this.#worker = worker
    this.#listenTo(worker)
    this.#watch = setInterval(() => this.#look(), lookEveryMs).unref()
  }

  /** Starts the thread and waits until PGlite has recovered and is ready. */
  static async start(directory: string, events: ThreadEvents): Promise<EmbeddedThread> {
    return new EmbeddedThread(directory, await startWorker(directory), events)
  }

  /** Why it cannot do its work; null when it can. */
  trouble(): string | null {
    if (this.#isShort()) {
      return `less than ${freeBytesMin / 2 ** 20} MiB are free where the embedded database lies: make room there`
    }
    return this.#worker === null ? 'the embedded database is being started again' : null
  }

  /**
   * Opens a connection: undoes what one that broke off may have left, its transaction, its prepared statements.
   * @param onEnd called when the session ends under it
   * @returns what to call when it is closed
   * @throws ConnectionLostError while the thread is being started again
   */
  connect(onEnd: (error: Error) => void): () => void {
    if (this.#worker === null) throw new ConnectionLostError(this.trouble() ?? '')
    for (const statement of ['rollback', 'discard all']) this.send(simpleQuery(statement), () => {})
    this.#connections.add(onEnd)
    return () => this.#connections.delete(onEnd)
  }

  /** Sends whole messages; `hear` is called with every piece of the answer. */
  send(bytes: Uint8Array<ArrayBuffer>, hear: (bytes: Uint8Array) => void): void {
    const to = this.#sent++
    if (this.#worker === null) return // its connection has been told
    if (this.#hearers.size === 0) this.#silentLooks = 0
    this.#hearers.set(to, hear)
    this.#worker.postMessage({ to, bytes }, [bytes.buffer])
  }

  /** It was refused a file or room on the disk: what it remembers of its files may be wrong from here on. */
  doubt(isDiskFull: boolean): void {
    this.#isDoubtful = true
    if (isDiskFull) this.#looksSinceShort = 0
  }

  /**
   * A copy of all files between two messages, when nothing else is written: what a killed process leaves, from which
   * the database recovers with every committed row. Nothing else is answered meanwhile.
   */
  async dump(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#worker === null) throw new ConnectionLostError(this.trouble() ?? '')
    const dump = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
    this.#dumps.push(dump)
    this.#worker.postMessage('dump')
    return await dump.promise
  }

  /** Closes the database cleanly and ends the thread; one that hangs is ended without. */
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
    worker.on('message', (message: Answer | Dump) => {
      this.#silentLooks = 0
      if ('archive' in message) {
        const dump = this.#dumps.shift()
        if (message.archive !== null) dump?.resolve(message.archive)
        else dump?.reject(new Error(`the embedded database was not copied: ${message.reason}`))
        return
      }
      const { to, bytes } = message
      if (bytes !== null) {
        this.#heardLast = bytes
        this.#hearers.get(to)?.(bytes)
        return
      }
      this.#hearers.delete(to)
      // the driver would wait for the rest of the answer for ever
      if (!endsInReadyForQuery(this.#heardLast)) this.#startAgain('the embedded database broke off an answer')
    })
    worker.on('error', error => this.#ended(worker, error))
    worker.on('exit', code =>
      this.#ended(worker, new Error(`the embedded database's thread ended with ${code}`)),
    )
  }

  #ended(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    if (this.#stopping) return this.#forget(error.message)
    if (this.#looksSinceShort <= soonLooks) return this.#startAgain(error.message)
    this.#forget(error.message)
    this.#events.onLost(error)
  }

  #look(): void {
    if (this.#worker === null) return
    this.#looksSinceStart++
    this.#looksSinceShort = this.#isShort() ? 0 : this.#looksSinceShort + 1
    const isAsked = this.#hearers.size > 0 || this.#dumps.length > 0
    this.#silentLooks = isAsked ? this.#silentLooks + 1 : 0
    const silentMax = this.#looksSinceShort <= soonLooks ? silentLooksMaxWhenShort : silentLooksMax
    if (this.#silentLooks >= silentMax) {
      this.#startAgain(`the embedded database has not answered for ${this.#silentLooks} seconds`)
    } else if (this.#isDoubtful && !this.#isShort() && this.#looksSinceStart > soonLooks) {
      this.#startAgain('the embedded database was refused a file or room on the disk')
    }
  }

  #isShort(): boolean {
    return freeBytes(this.#directory) < freeBytesMin
  }

  /** Ends what may hang, tells everybody, and starts it again as soon as there is room. */
  #startAgain(reason: string): void {
    const worker = this.#worker
    this.#forget(reason)
    this.#events.onTrouble?.(`${reason}: ${this.trouble()}`)
    const starting = async (): Promise<void> => {
      await worker?.terminate()
      const fresh = await this.#startWhenThereIsRoom()
      if (fresh === null) return
      if (this.#stopping) return void (await fresh.terminate())
      this.#isDoubtful = false
      this.#looksSinceStart = 0
      this.#looksSinceShort = Infinity
      this.#silentLooks = 0
      this.#worker = fresh
      this.#listenTo(fresh)
      this.#events.onTrouble?.('the embedded database works again')
    }
    starting().catch((error: unknown) =>
      this.#events.onLost(error instanceof Error ? error : new Error(String(error))),
    )
  }

  async #startWhenThereIsRoom(): Promise<Worker | null> {
    for (let tries = 1; !this.#stopping; ) {
      if (!this.#isShort()) {
        try {
          return await startWorker(this.#directory)
        } catch (error) {
          if (tries++ >= startTriesMax) throw error
        }
      }
      await wait(lookEveryMs, undefined, { ref: false })
    }
    return null
  }

  /** Whoever waits for an answer gets none. */
  #forget(reason: string): void {
    this.#worker = null
    this.#hearers.clear()
    const lost = new ConnectionLostError(reason)
    for (const dump of this.#dumps.splice(0)) dump.reject(lost)
    const ended = new Set(this.#connections)
    this.#connections.clear()
    for (const end of ended) end(lost)
  }
}

/** The session ended; to the driver it looks like a connection that the server reset. */
class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError'
  readonly code = 'ECONNRESET'
}

/** A piece of the answer to message `to`; null when the answer is complete. */
export interface Answer {
  to: number
  bytes: Uint8Array | null
}

/** All files of the database as a tar archive, or why there is none. */
export type Dump = { archive: Uint8Array<ArrayBuffer> } | { archive: null; reason: string }

async function startWorker(directory: string): Promise<Worker> {
  const file = new URL(`./embedded-worker${extname(import.meta.url)}`, import.meta.url)
  const worker = new Worker(file, { workerData: { directory } })
  const ended = once(worker, 'exit').then(([code]) => {
    throw new Error(`the embedded database's thread ended with ${code} before it was ready`)
  })
  ended.catch(() => {})
  await Promise.race([once(worker, 'message'), ended])
  return worker
}

/** Every answer ends with the message `ReadyForQuery`: `Z`, its length of 5, and the state of the transaction. */
function endsInReadyForQuery(bytes: Uint8Array): boolean {
  return bytes.at(-6) === 0x5a && bytes.at(-2) === 5
}

/** The message `Query` of the wire protocol (PostgreSQL documentation, "Message Formats"). */
function simpleQuery(statement: string): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(`${statement}\0`)
  const message = new Uint8Array(5 + text.length)
  message[0] = 0x51
  new DataView(message.buffer).setInt32(1, 4 + text.length)
  message.set(text, 5)
  return message
}
