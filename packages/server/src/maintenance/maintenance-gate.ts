import type { Queryable } from '../db/database.ts'
import { type ClockFault, clockFault } from '../domain/maintenance-gate.ts'

export interface MaintenanceGateOptions {
  db: Queryable
  /** How far this process's clock is ahead of the database's, as of now. */
  skewMs: () => Promise<number>
  /** Clocks that nobody can set, in milliseconds. Some of them stop while the machine sleeps. */
  unsetClocks: ReadonlyArray<() => number>
  /** How far the database's clock may be ahead of the watermark if no process has watched it. */
  unwatchedMsMax: number
  /** Called when the clock is trusted again after it was ahead, and repeated until it succeeds. It repairs due times. */
  onSetBack: () => Promise<void>
  /** Called with the reason when maintenance stops, and with null when it continues. */
  onChange: (fault: ClockFault | null, clock: MaintenanceClock) => void
}

/** The database's clock and the watermark, in milliseconds since the epoch. */
export interface MaintenanceClock {
  nowMs: number
  seenMs: number
}

export interface MaintenanceState extends MaintenanceClock {
  fault: ClockFault | null
}

/**
 * Gives jobs that delete, give up or disable because of age the time for their cutoffs. The time is the database's, and the
 * gate returns it only while that clock can be trusted.
 */
export class MaintenanceGate {
  readonly #options: MaintenanceGateOptions
  /** The readings of `unsetClocks` when this process last trusted the database's clock. */
  #trustedAt: readonly number[] | null = null
  #fault: ClockFault | null = null

  constructor(options: MaintenanceGateOptions) {
    this.#options = options
  }

  /** Whether the last `pass` found a fault. */
  get isStopped(): boolean {
    return this.#fault !== null
  }

  /**
   * The database's time in milliseconds since the epoch; null while maintenance is stopped. It moves the watermark, or
   * records that the clock jumped.
   * @throws DatabaseUnavailableError
   */
  async pass(): Promise<number | null> {
    const { db, unsetClocks, onSetBack, onChange } = this.#options
    const clocks = unsetClocks.map(read => read())
    const { fault, nowMs, seenMs, jumpedToMs, isAhead } = await this.#check()
    if (fault === null) {
      if (jumpedToMs !== null) await onSetBack()
      await moveWatermark(db, nowMs)
      this.#trustedAt = clocks
    } else if (isAhead && jumpedToMs === null) {
      await recordJump(db, nowMs)
    }
    if (fault !== this.#fault) onChange(fault, { nowMs, seenMs })
    this.#fault = fault
    return fault === null ? nowMs : null
  }

  /** Returns what `pass` would find, without writing. */
  async look(): Promise<MaintenanceState> {
    return await this.#check()
  }

  async #check(): Promise<MaintenanceState & { jumpedToMs: number | null; isAhead: boolean }> {
    const { db, skewMs: readSkew, unsetClocks, unwatchedMsMax } = this.#options
    const skewMs = await readSkew()
    const clock = await readClock(db)
    const elapsedMs =
      this.#trustedAt &&
      Math.max(...unsetClocks.map((read, n) => read() - (this.#trustedAt?.[n] ?? Number.POSITIVE_INFINITY)))
    const facts = { ...clock, skewMs, elapsedMs, unwatchedMsMax }
    // this compares the database's clock with its own watermark only, so this process's clock does not matter
    return {
      ...clock,
      fault: clockFault(facts),
      isAhead: clockFault({ ...facts, skewMs: 0 }) === 'clock_jumped',
    }
  }
}

async function readClock(db: Queryable): Promise<MaintenanceClock & { jumpedToMs: number | null }> {
  const [row] = await db.query<{ now: Date; seen_at: Date; jumped_at: Date | null }>(
    'select clock_timestamp() as now, seen_at, jumped_at from maintenance_clock',
  )
  if (row === undefined)
    throw new Error('the table maintenance_clock has lost its row; restore it from a backup')
  return {
    nowMs: row.now.getTime(),
    seenMs: row.seen_at.getTime(),
    jumpedToMs: row.jumped_at?.getTime() ?? null,
  }
}

/** Moves the watermark in steps of five seconds, because all processes update the same row. */
async function moveWatermark(db: Queryable, nowMs: number): Promise<void> {
  await db.query(
    `update maintenance_clock set seen_at = greatest(seen_at, $1::timestamptz), jumped_at = null
     where seen_at < $1::timestamptz - interval '5 seconds' or jumped_at is not null`,
    [new Date(nowMs)],
  )
}

async function recordJump(db: Queryable, nowMs: number): Promise<void> {
  await db.query('update maintenance_clock set jumped_at = $1 where jumped_at is null', [new Date(nowMs)])
}
