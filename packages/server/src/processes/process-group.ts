import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { respond } from './channel.ts'
import { GroupMetrics } from './group-metrics.ts'

/** A process is ready, or it exited before that. */
export type StartResult = { ready: true } | { exitCode: number }

/** The pause before a process is replaced, because the cause of its exit may persist. */
const replaceAfterMs = 1_000

/** The processes that a leader has started. */
export class ProcessGroup {
  readonly #log: Log
  /** Running processes, with their exit codes. */
  readonly #members = new Map<Worker, Promise<number>>()
  readonly #ready = new Set<Worker>()
  readonly #metrics = new GroupMetrics()
  readonly #stopping = new AbortController()
  #replaces = false

  constructor(log: Log) {
    this.#log = log
  }

  /** Starts a process, and resolves when it is ready or has exited. */
  async start(): Promise<StartResult> {
    const worker = cluster.fork()
    // sending to a process that is exiting fails; its exit is handled below
    worker.on('error', () => {})
    const exited = this.#untilExit(worker)
    this.#members.set(worker, exited)
    const { promise: ready, resolve } = Promise.withResolvers<StartResult>()
    respond(worker, {
      ready: async () => {
        this.#ready.add(worker)
        resolve({ ready: true })
        return await Promise.resolve(null)
      },
      metrics: async () => await this.#metrics.text(this.#ready),
    })
    return await Promise.race([ready, exited.then(exitCode => ({ exitCode }))])
  }

  /** From now on, replaces each process that exits. */
  replaceExited(): void {
    this.#replaces = true
  }

  /** Makes all processes drain. Resolves when they have exited: with 0 if all that were ready exited with 0. */
  async stop(): Promise<number> {
    this.#stopping.abort()
    const codes = [...this.#members].map(async ([worker, exited]) => {
      const wasReady = this.#ready.has(worker)
      worker.process.kill('SIGTERM')
      return (await exited) * Number(wasReady)
    })
    return Math.max(0, ...(await Promise.all(codes)))
  }

  async #untilExit(worker: Worker): Promise<number> {
    const [code, signal] = (await once(worker, 'exit')) as [number | null, string | null]
    this.#members.delete(worker)
    this.#ready.delete(worker)
    await this.#metrics.exited(worker)
    if (this.#replaces && !this.#stopping.signal.aborted) {
      this.#log.error({ process: worker.id, code, signal }, 'a process ended; another takes its place')
      void this.#replace()
    }
    return code ?? 1
  }

  async #replace(): Promise<void> {
    await wait(replaceAfterMs)
    if (!this.#stopping.signal.aborted) await this.start()
  }
}
