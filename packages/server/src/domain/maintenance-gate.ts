/** What is known of the database's clock. Times in milliseconds. */
export interface ClockFacts {
  /** What it says now. */
  nowMs: number
  /** The watermark: the latest time of this clock at which maintenance trusted it. */
  seenMs: number
  /** What it said when it was found to have jumped ahead; null when it has not. */
  jumpedToMs: number | null
  /** How far this process's clock is ahead of it. */
  skewMs: number
  /** Time since this process last trusted the clock, by a clock that nobody sets; null when it never has. */
  elapsedMs: number | null
  /** How far it may be ahead of the watermark when no process has watched it: the service may have been stopped. */
  unwatchedMsMax: number
}

/**
 * Why maintenance is stopped: this process's clock and the database's differ, the database's clock is behind the
 * watermark, or it jumped ahead of it.
 */
export type ClockFault = 'clocks_differ' | 'clock_behind' | 'clock_jumped'

/** Clocks may differ, and be set, by so much. */
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
  // who has not watched cannot tell a jump from time that passed, until the clock is set back
  const isSetBack = jumpedToMs !== null && nowMs < jumpedToMs - clockToleranceMs
  return jumpedToMs === null || hasWatched || isSetBack ? null : 'clock_jumped'
}

/** Long enough for a weekend, shorter than what disables an endpoint by default. */
const stoppedMsMax = 3 * 86_400_000

/** How long a stop may be without a confirmation: a wrong clock may cost a quarter of what is kept, three days at most. */
export function unwatchedMsMax(retentionDays: number): number {
  return Math.min(stoppedMsMax, (retentionDays * 86_400_000) / 4)
}
