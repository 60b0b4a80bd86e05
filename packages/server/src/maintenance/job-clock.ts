import type { Clock } from '../context.ts'
import type { MaintenanceGate } from './maintenance-gate.ts'

/** Something that has to be done now and then. */
export interface Job {
  name: string
  everyMs: number
  /** The first time, when that is not after the usual time. */
  firstAfterMs?: number
  run: () => Promise<object>
}

/** A job that deletes, gives up or disables because time has passed. */
export interface GatedJob extends Omit<Job, 'run'> {
  /** Is given the database's time, in milliseconds since the epoch: cut-offs are counted from it. */
  run: (nowMs: number) => Promise<object>
}

/** Runs a job only while the gate lets it pass, with the time from there. */
export function gated(gate: Pick<MaintenanceGate, 'pass'>, job: GatedJob): Job {
  return {
    ...job,
    run: async () => {
      const nowMs = await gate.pass()
      return nowMs === null ? {} : await job.run(nowMs)
    },
  }
}

/** How often it is looked which jobs are due. */
const lookEveryMs = 1_000

/** Does jobs when their time has come, one at a time: one that takes long keeps those behind it waiting. */
export class JobClock implements AsyncDisposable {
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
    }, lookEveryMs)
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
