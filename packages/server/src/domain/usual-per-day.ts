const dayMs = 86_400_000
const daysMax = 7

/** The days in UTC, all of them over, whose average says what is usual at an endpoint. */
export interface UsualDays {
  fromMs: number
  /** Exclusive: when today began. */
  untilMs: number
  /** Those that the endpoint has seen from their beginning, seven at most. */
  days: number
}

/**
 * The last seven days that are over, or as many as the endpoint has lived through.
 * @example
 * usualDays({ createdAtMs: Date.parse('2026-11-18T10:00Z'), nowMs: Date.parse('2026-11-21T04:00Z') }).days // 2
 */
export function usualDays({ createdAtMs, nowMs }: { createdAtMs: number; nowMs: number }): UsualDays {
  const untilMs = Math.floor(nowMs / dayMs) * dayMs
  const firstDayMs = Math.ceil(createdAtMs / dayMs) * dayMs
  const days = Math.min(daysMax, Math.max(0, (untilMs - firstDayMs) / dayMs))
  return { fromMs: untilMs - days * dayMs, untilMs, days }
}

/** The average of so many in those days, to a tenth; null when there is no such day. */
export function usualPerDay(count: number, { days }: UsualDays): number | null {
  return days === 0 ? null : Math.round((count / days) * 10) / 10
}
