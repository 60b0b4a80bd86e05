import type { Clock } from '../context.ts'
import type { MaintenanceGate } from './maintenance-gate.ts'

/** A task that runs periodically. */
export interface Job {
  name: string
  everyMs: number
  /** The delay before the first run, if it is not `everyMs`. */
  firstAfterMs?: number
  run: () => Promise<object>
}

/** A job that deletes, gives up or disables something because of its age. */
export interface GatedJob extends Omit<Job, 'run'> {
  /** @param nowMs the database's time, which cutoffs are computed from */
  run: (nowMs: number) => Promise<object>
}

/** Runs a job only while the gate is open, with the time that the gate returns. */
export function gated(gate: Pick<MaintenanceGate, 'pass'>, job: GatedJob): Job {
  return {
    ...job,
    run: async () => {
      const nowMs = await gate.pass()
      return nowMs === null ? {} : await job.run(nowMs)
    },
  }
}

const checkEveryMs = 1_000

/** Runs due jobs one at a time, so a slow job delays the others. */
export class JobScheduler implements AsyncDisposable {
  readonly #jobs: Array<Job & { dueAtMs: number }>
  readonly #monotonicMs: () => number
  readonly #onError: (job: string, error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(clock: Clock, jobs: readonly Job[], onError: (job: string, error: unknown) => void) {
    this.#monotonicMs = () => clock.monotonicMs()
    this.#onError = onError
    this.#jobs = jobs.map(job => ({
      ...job,
      dueAtMs: this.#monotonicMs() + (job.firstAfterMs ?? job.everyMs),
    }))
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running = this.#running.then(async () => await this.#runDue())
    }, checkEveryMs)
    this.#timer.unref()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  async #runDue(): Promise<void> {
    for (const job of this.#jobs) {
      if (this.#monotonicMs() < job.dueAtMs) continue
      job.dueAtMs = this.#monotonicMs() + job.everyMs
      try {
        await job.run()
      } catch (error) {
        this.#onError(job.name, error)
      }
    }
  }
}
