const dayMs = 86_400_000
const daysMax = 7

/** The past days in UTC whose average is the usual traffic of an endpoint. */
export interface UsualDays {
  fromMs: number
  /** The start of today, exclusive. */
  untilMs: number
  /** Full days since the endpoint was created, at most seven. */
  days: number
}

/**
 * The last seven full days, or fewer if the endpoint is younger.
 * @example
 * usualDays({ createdAtMs: Date.parse('2026-11-18T10:00Z'), nowMs: Date.parse('2026-11-21T04:00Z') }).days // 2
 */
export function usualDays({ createdAtMs, nowMs }: { createdAtMs: number; nowMs: number }): UsualDays {
  const untilMs = Math.floor(nowMs / dayMs) * dayMs
  const firstDayMs = Math.ceil(createdAtMs / dayMs) * dayMs
  const days = Math.min(daysMax, Math.max(0, (untilMs - firstDayMs) / dayMs))
  return { fromMs: untilMs - days * dayMs, untilMs, days }
}

/** The average per day, rounded to a tenth; null if there is no full day. */
export function usualPerDay(count: number, { days }: UsualDays): number | null {
  return days === 0 ? null : Math.round((count / days) * 10) / 10
}
