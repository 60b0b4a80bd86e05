import type { Queryable } from '../db/database.ts'
import type { Activity } from './activity.ts'

export interface ProcessRegisterOptions {
  db: Queryable
  process: ProcessFacts
  /** No other process can live on this database: what is registered died. */
  alone: boolean
  activity: () => Activity
  everyMs: number
  onError: (error: unknown) => void
}

export interface ProcessFacts {
  /** A UUID, new at each start. */
  id: string
  host: string
  role: 'all' | 'api' | 'dispatcher'
  version: string
  startedAtMs: number
}

/** Says in the database, again and again, that this process lives and what it does. It signs off at its end. */
export class ProcessRegister implements AsyncDisposable {
  readonly #options: ProcessRegisterOptions
  #timer: NodeJS.Timeout | undefined
  #olderLive = false
  #running: Promise<void> = Promise.resolve()

  private constructor(options: ProcessRegisterOptions) {
    this.#options = options
  }

  static async open(options: ProcessRegisterOptions): Promise<ProcessRegister> {
    const register = new ProcessRegister(options)
    if (options.alone) await options.db.query('delete from process')
    await register.#say()
    register.#timer = setInterval(() => {
      register.#running = register.#running.then(async () => await register.#say().catch(options.onError))
    }, options.everyMs)
    register.#timer.unref()
    return register
  }

  /** Whether a process of a release that knows of no holds has said in the last quarter of a minute that it lives. */
  get olderLive(): boolean {
    return this.#olderLive
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { db, process, onError } = this.#options
    clearInterval(this.#timer)
    await this.#running
    await db.query('delete from process where id = $1', [process.id]).catch(onError)
  }

  async #say(): Promise<void> {
    const { db, process, activity } = this.#options
    const { inFlight, held, unsettled, perSecond } = activity()
    const [others] = await db.query<{ older_live: boolean }>(
      `insert into process (id, host, role, version, started_at, in_flight, held, unsettled, accepted_per_second,
         delivered_per_second, failed_per_second, knows_holds)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, true)
       on conflict (id) do update
       set last_seen_at = now(), in_flight = excluded.in_flight, held = excluded.held,
         unsettled = excluded.unsettled, accepted_per_second = excluded.accepted_per_second,
         delivered_per_second = excluded.delivered_per_second, failed_per_second = excluded.failed_per_second
       returning exists (
         select from process other where not other.knows_holds and other.last_seen_at > now() - interval '15 seconds'
       ) as older_live`,
      [
        process.id,
        process.host,
        process.role,
        process.version,
        new Date(process.startedAtMs),
        inFlight,
        held,
        unsettled,
        perSecond.accepted,
        perSecond.delivered,
        perSecond.failed,
      ],
    )
    this.#olderLive = others?.older_live ?? false
  }
}

/**
 * Forgets processes that have said nothing for an hour. One that stood still finds its row gone and writes it anew.
 * @param nowMs from the maintenance gate
 */
export async function forgetSilentProcesses(db: Queryable, nowMs: number): Promise<{ forgotten: number }> {
  const rows = await db.query(
    `delete from process where last_seen_at < $1::timestamptz - interval '1 hour' returning 1 as one`,
    [new Date(nowMs)],
  )
  return { forgotten: rows.length }
}
