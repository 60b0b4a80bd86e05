/** Facts about the database's clock. Times are in milliseconds. */
export interface ClockFacts {
  /** Its current time. */
  nowMs: number
  /** The watermark: the latest time of this clock at which maintenance trusted it. */
  seenMs: number
  /** Its time when a jump ahead was detected; null if there was none. */
  jumpedToMs: number | null
  /** How far this process's clock is ahead of it. */
  skewMs: number
  /** Time since this process last trusted the clock, by a clock that nobody can set; null if it never did. */
  elapsedMs: number | null
  /** How far it may be ahead of the watermark if no process has watched it, because the service was stopped. */
  unwatchedMsMax: number
}

/**
 * Why maintenance is stopped: this process's clock and the database's differ, the database's clock is behind the
 * watermark, or it jumped ahead of it.
 */
export type ClockFault = 'clocks_differ' | 'clock_behind' | 'clock_jumped'

/** How much clocks may differ, or be adjusted. */
const clockToleranceMs = 60_000

/**
 * Why the database's clock must not decide what is deleted now; null when it may. While a process watches, the clock may
 * advance by the time that passed. When none has watched, it may advance by `unwatchedMsMax`.
 */
export function clockFault(facts: ClockFacts): ClockFault | null {
  const { nowMs, seenMs, jumpedToMs, skewMs, elapsedMs, unwatchedMsMax } = facts
  if (Math.abs(skewMs) > clockToleranceMs) return 'clocks_differ'
  if (nowMs < seenMs - clockToleranceMs) return 'clock_behind'
  const hasWatched = elapsedMs !== null
  const advanceMsMax = hasWatched ? elapsedMs + clockToleranceMs : unwatchedMsMax
  if (nowMs - seenMs > advanceMsMax) return 'clock_jumped'
  // a process that has not watched cannot tell a jump from time that has passed, unless the clock is set back
  const isSetBack = jumpedToMs !== null && nowMs < jumpedToMs - clockToleranceMs
  return jumpedToMs === null || hasWatched || isSetBack ? null : 'clock_jumped'
}

/** Longer than a weekend, but shorter than the default time after which a failing endpoint is disabled. */
const stoppedMsMax = 3 * 86_400_000

/** How long a stop may last without a confirmation. It limits what a wrong clock can delete to a quarter of the retention. */
export function unwatchedMsMax(retentionDays: number): number {
  return Math.min(stoppedMsMax, (retentionDays * 86_400_000) / 4)
}
