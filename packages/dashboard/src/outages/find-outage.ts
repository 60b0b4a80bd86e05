import type { StatsPoint } from '@posthorn/contract'

/** A time in which an endpoint hardly acknowledged anything. */
export interface Outage {
  /** The beginning of the first stretch with failures of it. */
  readonly sinceMs: number
  /** Where the endpoint acknowledges again; null while it does not. */
  readonly untilMs: number | null
  /** The beginning of the last stretch in which most attempts failed. */
  readonly lastBadMs: number
  /** Deliveries for which every try was used up meanwhile. */
  readonly givenUp: number
}

type Counts = Pick<StatsPoint, 'at' | 'delivered' | 'failed' | 'exhausted'>

/**
 * The latest outage within points of an endpoint's statistics, oldest first. Stretches without attempts do not end
 * one, because retries get rare; a stretch in which most attempts were acknowledged does, and belongs to it as far as
 * anything failed in it.
 */
export function findOutage(points: readonly Counts[]): Outage | null {
  const tried = points.filter(({ delivered, failed }) => delivered + failed > 0)
  const last = tried.findLastIndex(isBad)
  if (last === -1) return null
  const before = tried.findLastIndex((point, place) => place < last && !isBad(point))
  // an endpoint breaks and mends within a stretch: the one before it may have seen the first failures
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
