import type { Replay, ReplayDryRun } from '@posthorn/contract'
import type { ReplayState } from '@posthorn/contract/plain'
import { countOf, formatCount, formatDuration, formatSpan } from '../format/numbers.ts'
import { formatMinute, formatTime } from '../format/times.ts'
import type { Reader } from './health-words.ts'

/** What several dry runs, one for each chosen state, come to together. */
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

/** What the button does, with the number. */
export function replayLabel(count: number | null): string {
  return count === null ? 'Counting' : `Replay ${countOf(count, 'delivery', 'deliveries')}`
}

/** What it means to send deliveries of a state again. `count`: how many there are; null: not counted. */
export function replayStateWords(
  state: ReplayState,
  count: number | null,
  lastDueAt: string | null,
  { zone, nowMs }: Reader,
): string {
  switch (state) {
    case 'failed': {
      const until = lastDueAt === null ? '' : ` until ${formatMinute(lastDueAt, zone, nowMs)}`
      return `They would go by themselves${until}; this sends them now.`
    }
    case 'exhausted':
      return 'Every try was used up. Nothing sends them but this.'
    case 'delivered':
      return `${count === null ? 'They are' : `${formatCount(count)} ${count === 1 ? 'is' : 'are'}`} delivered already and would arrive again; your dedupe by event id must hold.`
    case 'missing':
      return 'Events that were never meant for this endpoint, such as those from before it was made. New deliveries are made for them.'
  }
}

/** Why there is nothing to replay, and when there was something last. */
export function nothingToReplayWords(lastExhaustedAt: string | null, { zone, nowMs }: Reader): string {
  const last =
    lastExhaustedAt === null
      ? ''
      : ` The last exhausted delivery was ${formatMinute(lastExhaustedAt, zone, nowMs)}.`
  return `Nothing to replay in this window.${last}`
}

/** Of what was queued, how many have been tried again by now; null when that cannot be told. */
export function triedAgain({ delivered, failed_again: failed }: Replay): number | null {
  return delivered === null || failed === null ? null : delivered + failed
}

/** True while numbers of a replay still change. */
export function isMoving({ state, pending }: Replay): boolean {
  return state === 'running' || (pending ?? 0) > 0
}

/** What a replay is to people: it goes on until nothing of it waits, also when everything is queued. */
export function shownState(replay: Replay): Replay['state'] {
  return replay.state === 'done' && isMoving(replay) ? 'running' : replay.state
}

/** How far a replay came, in a sentence. */
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
      return `Stopped. ${formatCount(done)} sent, ${formatCount(Math.max(0, total - done))} left alone.`
    case 'done': {
      const results = isTold
        ? `: ${formatCount(delivered)} delivered, ${formatCount(failed)} failed again.`
        : '.'
      return `Done. ${countOf(total, 'delivery', 'deliveries')} sent again${results}`
    }
  }
}

/** For the tab: how far it is, at a glance. */
export function replayTitle(replay: Replay): string {
  if (isMoving(replay)) {
    const { total, done } = replay
    return `${total === 0 ? 0 : Math.floor((100 * (triedAgain(replay) ?? done)) / total)} % · Replay`
  }
  return replay.state === 'done' ? '✓ Replay done' : 'Replay stopped'
}
