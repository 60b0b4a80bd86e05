import type { Queryable } from '../db/database.ts'
import { type ClockFault, clockFault } from '../domain/maintenance-gate.ts'

export interface MaintenanceGateOptions {
  db: Queryable
  /** How far this process's clock is ahead of the database's, as of now. */
  skewMs: () => Promise<number>
  /** Milliseconds by clocks that nobody sets; while the machine sleeps, some of them stand still. */
  unsetClocks: ReadonlyArray<() => number>
  /** How far the database's clock may be ahead of the watermark when no process has watched it. */
  unwatchedMsMax: number
  /** Called when the clock is trusted again after it was ahead, until it succeeds: what was written meanwhile is due too late. */
  onSetBack: () => Promise<void>
  /** Called when maintenance stops, for what reason, and with null when it goes on. */
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
 * The one way to a cut-off: whatever deletes, gives up or disables because time has passed takes the time from `pass`,
 * which is the database's and exists only while it can be trusted.
 */
export class MaintenanceGate {
  readonly #options: MaintenanceGateOptions
  /** What the unset clocks said when this process last trusted the database's. */
  #trustedAt: readonly number[] | null = null
  #told: ClockFault | null = null

  constructor(options: MaintenanceGateOptions) {
    this.#options = options
  }

  /** As of the last `pass`. */
  get isStopped(): boolean {
    return this.#told !== null
  }

  /**
   * The database's time in milliseconds since the epoch, to count cut-offs from; null while maintenance is stopped.
   * Moves the watermark, or records that the clock jumped.
   * @throws DatabaseUnavailableError
   */
  async pass(): Promise<number | null> {
    const { db, unsetClocks, onSetBack, onChange } = this.#options
    const clocks = unsetClocks.map(read => read())
    const { fault, nowMs, seenMs, jumpedToMs, isAhead } = await this.#judge()
    if (fault === null) {
      if (jumpedToMs !== null) await onSetBack()
      await moveWatermark(db, nowMs)
      this.#trustedAt = clocks
    } else if (isAhead && jumpedToMs === null) {
      await recordJump(db, nowMs)
    }
    if (fault !== this.#told) onChange(fault, { nowMs, seenMs })
    this.#told = fault
    return fault === null ? nowMs : null
  }

  /** What `pass` would say, for those who only want to know; it writes nothing. */
  async look(): Promise<MaintenanceState> {
    return await this.#judge()
  }

  async #judge(): Promise<MaintenanceState & { jumpedToMs: number | null; isAhead: boolean }> {
    const { db, skewMs: readSkew, unsetClocks, unwatchedMsMax } = this.#options
    const skewMs = await readSkew()
    const clock = await readClock(db)
    const elapsedMs =
      this.#trustedAt &&
      Math.max(...unsetClocks.map((read, n) => read() - (this.#trustedAt?.[n] ?? Number.POSITIVE_INFINITY)))
    const facts = { ...clock, skewMs, elapsedMs, unwatchedMsMax }
    // whichever clock this process has: what the database's is ahead of is its own watermark
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

/** Not with each look: every process looks every few seconds, and the row is one for all. */
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
