import type { Queryable } from '../db/database.ts'
import { delivered, givenUp } from '../stats/attempt-counts.ts'
import { usualDays, usualPerDay } from '../domain/usual-per-day.ts'
import type { HealthRow } from './row.ts'

const minuteMs = 60_000
const quarterMs = 15 * minuteMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const hoursShown = 24
/** An attempt counts in the minute of its start. By default, it ends within 15 s and is written within 5 s. */
const writtenWithinMs = minuteMs

/** The recent traffic of an endpoint, from the statistics. */
export interface Traffic {
  usualPerDay: number | null
  /** Oldest first; the last one is the current hour. */
  hours: Array<{ atMs: number } & Attempts>
  /** Of the last 60 complete minutes. */
  lastHour: Attempts
  lastDay: Attempts
}

interface Attempts {
  delivered: number
  failed: number
}

/** The end of the newest minute whose counts are all written, so that they do not change any more. */
export function completeUntilMs(nowMs: number): number {
  return Math.floor((nowMs - writtenWithinMs) / minuteMs) * minuteMs
}

interface TrafficRow {
  endpoint_id: string
  /** Counted from the first hour that is shown; −1 for all earlier hours. */
  hour: number
  /** Counted back from today, which is 0. */
  day: number
  delivered: number
  failed: number
  finished: number
  hour_delivered: number
  hour_failed: number
  day_delivered: number
  day_failed: number
}

/** Reads the traffic of several endpoints in one statement. Returns a function that gives the traffic of one. */
export async function readTraffic(
  db: Queryable,
  accountId: string,
  endpoints: ReadonlyArray<Pick<HealthRow, 'id' | 'created_at' | 'now'>>,
): Promise<(endpointId: string) => Traffic> {
  const nowMs = endpoints[0]?.now.getTime() ?? 0
  const firstHourMs = Math.floor(nowMs / hourMs) * hourMs - (hoursShown - 1) * hourMs
  const { fromMs, untilMs } = usualDays({ createdAtMs: 0, nowMs })
  const completeMs = completeUntilMs(nowMs)
  const inLastHour = 'at >= $8 and at < $9'
  const inLastDay = 'at >= $10'
  const rows = await db.query<TrafficRow>(
    // reads the last week of each endpoint by attempt_stat_endpoint, and returns at most 33 rows each
    `select endpoint_id, greatest(floor(extract(epoch from at - $4::timestamptz) / 3600), -1)::int as hour,
       floor(extract(epoch from at - $5::timestamptz) / 86400)::int as day,
       ${sumOf('result = $6')} as delivered, ${sumOf('result not in ($6, $7)')} as failed,
       ${sumOf('result in ($6, $7)')} as finished,
       ${sumOf(`result = $6 and ${inLastHour}`)} as hour_delivered,
       ${sumOf(`result not in ($6, $7) and ${inLastHour}`)} as hour_failed,
       ${sumOf(`result = $6 and ${inLastDay}`)} as day_delivered,
       ${sumOf(`result not in ($6, $7) and ${inLastDay}`)} as day_failed
     from attempt_stat
     where account_id = $1 and endpoint_id = any($2::uuid[]) and at >= $3
     group by 1, 2, 3`,
    [
      accountId,
      endpoints.map(endpoint => endpoint.id),
      new Date(Math.min(fromMs, lastDayFromMs(nowMs))),
      new Date(firstHourMs),
      new Date(untilMs),
      delivered,
      givenUp,
      new Date(completeMs - hourMs),
      new Date(completeMs),
      new Date(lastDayFromMs(nowMs)),
    ],
  )
  const byEndpoint = Map.groupBy(rows, row => row.endpoint_id)
  const createdAtMs = new Map(endpoints.map(endpoint => [endpoint.id, endpoint.created_at.getTime()]))
  return endpointId => {
    const own = byEndpoint.get(endpointId) ?? []
    const days = usualDays({ createdAtMs: createdAtMs.get(endpointId) ?? nowMs, nowMs })
    const inDays = own.filter(({ day }) => day < 0 && untilMs + day * dayMs >= days.fromMs)
    return {
      usualPerDay: usualPerDay(sum(inDays, 'finished'), days),
      hours: Array.from({ length: hoursShown }, (_, hour) => {
        const inHour = own.filter(row => row.hour === hour)
        return {
          atMs: firstHourMs + hour * hourMs,
          delivered: sum(inHour, 'delivered'),
          failed: sum(inHour, 'failed'),
        }
      }),
      lastHour: { delivered: sum(own, 'hour_delivered'), failed: sum(own, 'hour_failed') },
      lastDay: { delivered: sum(own, 'day_delivered'), failed: sum(own, 'day_failed') },
    }
  }
}

/** The start of the last 24 hours: 96 quarters with the current one, as in the dashboard's charts, so that numbers agree. */
export function lastDayFromMs(nowMs: number): number {
  return Math.floor(nowMs / quarterMs) * quarterMs - (dayMs - quarterMs)
}

function sumOf(condition: string): string {
  return `coalesce(sum(count) filter (where ${condition}), 0)::float8`
}

type Sums = Omit<TrafficRow, 'endpoint_id' | 'hour' | 'day'>

function sum(rows: readonly TrafficRow[], what: keyof Sums): number {
  return rows.reduce((total, row) => total + row[what], 0)
}
