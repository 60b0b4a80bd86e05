import type { Queryable } from '../db/database.ts'
import { delivered, givenUp } from '../stats/attempt-counts.ts'
import { usualDays, usualPerDay } from '../domain/usual-per-day.ts'
import type { HealthRow } from './row.ts'

const hourMs = 3_600_000
const dayMs = 86_400_000
const hoursShown = 24

/** The recent traffic of an endpoint, from the statistics. */
export interface Traffic {
  usualPerDay: number | null
  /** Oldest first; the last one is the current hour. */
  hours: Array<{ atMs: number; delivered: number; failed: number }>
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
  const rows = await db.query<TrafficRow>(
    // reads the last week of each endpoint by attempt_stat_endpoint, and returns at most 33 rows each
    `select endpoint_id, greatest(floor(extract(epoch from at - $4::timestamptz) / 3600), -1)::int as hour,
       floor(extract(epoch from at - $5::timestamptz) / 86400)::int as day,
       coalesce(sum(count) filter (where result = $6), 0)::float8 as delivered,
       coalesce(sum(count) filter (where result not in ($6, $7)), 0)::float8 as failed,
       coalesce(sum(count) filter (where result in ($6, $7)), 0)::float8 as finished
     from attempt_stat
     where account_id = $1 and endpoint_id = any($2::uuid[]) and at >= $3
     group by 1, 2, 3`,
    [
      accountId,
      endpoints.map(endpoint => endpoint.id),
      new Date(Math.min(fromMs, firstHourMs)),
      new Date(firstHourMs),
      new Date(untilMs),
      delivered,
      givenUp,
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
    }
  }
}

function sum(rows: readonly TrafficRow[], what: 'delivered' | 'failed' | 'finished'): number {
  return rows.reduce((total, row) => total + row[what], 0)
}
