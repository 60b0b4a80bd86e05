import type { StatsPoint } from '@posthorn/contract'

/** A time in which almost every attempt to an endpoint failed. */
export interface Outage {
  /** The start of the first bucket with failures. */
  readonly sinceMs: number
  /** The start of the bucket where the endpoint works again; null while it does not. */
  readonly untilMs: number | null
  /** The start of the last bucket in which most attempts failed. */
  readonly lastBadMs: number
  /** Deliveries that were exhausted during the outage. */
  readonly givenUp: number
}

type Counts = Pick<StatsPoint, 'at' | 'delivered' | 'failed' | 'exhausted'>

/**
 * The latest outage in an endpoint's statistics, given oldest first. Buckets without attempts do not end it, because
 * retries become rare. The first bucket in which most attempts succeed ends it, and belongs to it if it has
 * failures.
 */
export function findOutage(points: readonly Counts[]): Outage | null {
  const tried = points.filter(({ delivered, failed }) => delivered + failed > 0)
  const last = tried.findLastIndex(isBad)
  if (last === -1) return null
  const before = tried.findLastIndex((point, place) => place < last && !isBad(point))
  // the outage may start within the bucket before
  const begins = (tried[before]?.failed ?? 0) > 0 ? before : before + 1
  const first = tried[begins]
  const lastBad = tried[last]
  const mended = tried[last + 1]
  if (first === undefined || lastBad === undefined) return null
  return {
    sinceMs: Date.parse(first.at),
    untilMs: mended === undefined ? null : Date.parse(mended.at),
    lastBadMs: Date.parse(lastBad.at),
    givenUp: tried.slice(begins, last + 2).reduce((sum, point) => sum + point.exhausted, 0),
  }
}

function isBad({ delivered, failed }: Counts): boolean {
  return failed > delivered
}
