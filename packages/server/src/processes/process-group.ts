import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { GroupMetrics } from './group-metrics.ts'
import { answerOver } from './questions.ts'

/** How a member begins: it is ready, or it ended before it was. */
export type Beginning = { ready: true } | { exitCode: number }

/** What ended a process may still be there: so long until another takes its place. */
const replaceAfterMs = 1_000

/** The processes that a leader has started, from its side. */
export class ProcessGroup {
  readonly #log: Log
  /** Those that live, and when each has ended with which exit code. */
  readonly #members = new Map<Worker, Promise<number>>()
  readonly #ready = new Set<Worker>()
  readonly #metrics = new GroupMetrics()
  readonly #ending = new AbortController()
  #replaces = false

  constructor(log: Log) {
    this.#log = log
  }

  /** Starts one more, and resolves when it can work or has ended. */
  async begin(): Promise<Beginning> {
    const worker = cluster.fork()
    // what was said to one that is just dying: its end tells
    worker.on('error', () => {})
    const ended = this.#untilEnd(worker)
    this.#members.set(worker, ended)
    const { promise: ready, resolve } = Promise.withResolvers<Beginning>()
    answerOver(worker, {
      ready: async () => {
        this.#ready.add(worker)
        resolve({ ready: true })
        return await Promise.resolve(null)
      },
      metrics: async () => await this.#metrics.text(this.#ready),
    })
    return await Promise.race([ready, ended.then(exitCode => ({ exitCode }))])
  }

  /** From now on whoever ends by itself is replaced. */
  replaceWhoEnds(): void {
    this.#replaces = true
  }

  /** Asks all of them to drain, and resolves when they have ended: with 0 where all that had something to drain did. */
  async end(): Promise<number> {
    this.#ending.abort()
    const codes = [...this.#members].map(async ([worker, ended]) => {
      const drains = this.#ready.has(worker)
      worker.process.kill('SIGTERM')
      return (await ended) * Number(drains)
    })
    return Math.max(0, ...(await Promise.all(codes)))
  }

  async #untilEnd(worker: Worker): Promise<number> {
    const [code, signal] = (await once(worker, 'exit')) as [number | null, string | null]
    this.#members.delete(worker)
    this.#ready.delete(worker)
    await this.#metrics.ended(worker)
    if (this.#replaces && !this.#ending.signal.aborted) {
      this.#log.error({ process: worker.id, code, signal }, 'a process ended; another takes its place')
      void this.#replace()
    }
    return code ?? 1
  }

  async #replace(): Promise<void> {
    await wait(replaceAfterMs)
    if (!this.#ending.signal.aborted) await this.begin()
  }
}
