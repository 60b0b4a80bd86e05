import type { Replay, ReplayDryRun } from '@posthorn/contract'
import type { ReplayState } from '@posthorn/contract/plain'
import { countOf, formatCount, formatDuration, formatSpan } from '../format/numbers.ts'
import { formatMinute, formatTime } from '../format/times.ts'
import type { Reader } from './health-words.ts'

/** The sum of several dry runs, one for each chosen state. */
export interface ReplayEstimate {
  readonly count: number
  readonly first: string | null
  readonly last: string | null
  readonly seconds: number
}

export function addedUp(runs: readonly ReplayDryRun[]): ReplayEstimate {
  const known = (times: readonly (string | null)[]): string[] =>
    times.filter(time => time !== null).toSorted()
  return {
    count: runs.reduce((sum, run) => sum + run.count, 0),
    first: known(runs.map(run => run.first))[0] ?? null,
    last: known(runs.map(run => run.last)).at(-1) ?? null,
    seconds: runs.reduce((sum, run) => sum + run.estimated_seconds, 0),
  }
}

/** `1,204 deliveries, 19 Nov 21:12:07 to 03:17:55, about 4 min.` */
export function estimateWords(
  { count, first, last, seconds }: ReplayEstimate,
  { zone, nowMs }: Reader,
): string {
  const time = (at: string): string => formatTime(at, zone, nowMs)
  const span =
    first === null || last === null ? '' : `, ${time(first)}${first === last ? '' : ` to ${time(last)}`}`
  return `${countOf(count, 'delivery', 'deliveries')}${span}, about ${formatSpan(seconds * 1_000)}.`
}

/** The button's label, with the number. */
export function replayLabel(count: number | null): string {
  return count === null ? 'Counting' : `Replay ${countOf(count, 'delivery', 'deliveries')}`
}

/** What a replay of deliveries in this state means. `count`: how many there are; null: not counted. */
export function replayStateWords(
  state: ReplayState,
  count: number | null,
  lastDueAt: string | null,
  { zone, nowMs }: Reader,
): string {
  switch (state) {
    case 'failed': {
      const until = lastDueAt === null ? '' : ` by ${formatMinute(lastDueAt, zone, nowMs)}`
      return `We would retry them anyway${until}; a replay sends them now.`
    }
    case 'exhausted':
      return 'All attempts failed. Only a replay sends them again.'
    case 'delivered':
      return `${count === null ? 'They are' : `${formatCount(count)} ${count === 1 ? 'is' : 'are'}`} already delivered and would arrive again. Your server must ignore event ids that it has seen.`
    case 'missing':
      return 'Events without a delivery to this endpoint, such as those from before it existed. We create deliveries for them.'
  }
}

/** Why there is nothing to replay, and when the last exhausted delivery was. */
export function nothingToReplayWords(lastExhaustedAt: string | null, { zone, nowMs }: Reader): string {
  const last =
    lastExhaustedAt === null
      ? ''
      : ` The last exhausted delivery was ${formatMinute(lastExhaustedAt, zone, nowMs)}.`
  return `Nothing to replay in this window.${last}`
}

/** How many queued deliveries had another attempt; null: unknown. */
export function triedAgain({ delivered, failed_again: failed }: Replay): number | null {
  return delivered === null || failed === null ? null : delivered + failed
}

/** True while numbers of a replay can still change. */
export function isMoving({ state, pending }: Replay): boolean {
  return state === 'running' || (pending ?? 0) > 0
}

/** The state for people: a replay runs until none of its deliveries waits, even if all are queued. */
export function shownState(replay: Replay): Replay['state'] {
  return replay.state === 'done' && isMoving(replay) ? 'running' : replay.state
}

/** The progress of a replay, in a sentence. */
export function replayHeadline(replay: Replay): string {
  const { total, done, delivered, failed_again: failed, seconds_left: left } = replay
  const tried = triedAgain(replay)
  const isTold = tried !== null
  switch (shownState(replay)) {
    case 'running': {
      const results = isTold
        ? ` · ${formatCount(delivered)} delivered · ${formatCount(failed)} failed again`
        : ''
      const rest = left === null ? '' : ` · ${formatDuration(left * 1_000)} left`
      return `${formatCount(tried ?? done)} of ${formatCount(total)}${results}${rest}`
    }
    case 'cancelled':
      return `Stopped. ${formatCount(done)} sent, ${formatCount(Math.max(0, total - done))} not sent.`
    case 'done': {
      const results = isTold
        ? `: ${formatCount(delivered)} delivered, ${formatCount(failed)} failed again.`
        : '.'
      return `Done. ${countOf(total, 'delivery', 'deliveries')} sent again${results}`
    }
  }
}

/** The progress for the tab's title. */
export function replayTitle(replay: Replay): string {
  if (isMoving(replay)) {
    const { total, done } = replay
    return `${total === 0 ? 0 : Math.floor((100 * (triedAgain(replay) ?? done)) / total)} % · Replay`
  }
  return replay.state === 'done' ? '✓ Replay done' : 'Replay stopped'
}
