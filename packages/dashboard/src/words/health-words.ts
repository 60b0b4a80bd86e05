import type { WebhookHealth } from '@posthorn/contract'
import { attemptErrorTexts } from '@posthorn/contract/plain'
import { countOf, formatCount, formatShare, formatSpan } from '../format/numbers.ts'
import { attemptsWords, shareOf } from './share-words.ts'
import { formatClock, formatMinute, formatTime, type Zone } from '../format/times.ts'

/** The reader's time zone and clock. */
export interface Reader {
  readonly zone: Zone
  readonly nowMs: number
}

/** A sentence about an endpoint, and what follows. */
export interface HealthWords {
  readonly headline: string
  readonly detail: string | null
}

/**
 * About an endpoint whose attempts have all failed for a while.
 * @param answer its last answer, such as `500 from your server`, if that is clearer than the error code
 */
export function failingWords(
  health: WebhookHealth,
  name: string,
  { zone, nowMs }: Reader,
  answer: string | null = null,
): HealthWords {
  const span = health.failing_since === null ? null : formatSpan(nowMs - Date.parse(health.failing_since))
  const stop =
    health.disables_at === null
      ? ''
      : `If nothing succeeds, we stop trying on ${formatMinute(health.disables_at, zone, nowMs)}. `
  return {
    headline: `${name} ${span === null ? 'is failing' : `has been failing for ${span}`}${answer === null ? reasonOf(health) : `: ${answer}`}.`,
    detail: `${stop}We retry its events; you can replay those that we give up on.`,
  }
}

/**
 * About an endpoint that acknowledges only some attempts.
 * @param answer its last answer to a failed delivery, such as `500 from your server`
 */
export function degradedWords(
  health: WebhookHealth,
  { zone, nowMs }: Reader,
  answer: string | null = null,
): HealthWords {
  const { last_failure_at: failedAt } = health
  const reason = answer === null ? reasonOf(health) : `: ${answer}`
  const last = failedAt === null ? '' : `Last failure ${formatTime(failedAt, zone, nowMs)}${reason}. `
  return {
    headline: `${hourShare(health)} ${hourWords(health, zone)}: ${attemptsWords(health.last_hour)}.`,
    detail: `${last}We retry what failed.`,
  }
}

/** `in the hour until 03:15`: counts of the last two minutes may change, so they are not in it. */
export function hourWords({ last_hour: { until } }: WebhookHealth, zone: Zone): string {
  return `in the hour until ${formatClock(until, zone)}`
}

/** `70% delivered`. */
export function hourShare(health: WebhookHealth): string {
  return `${formatShare(shareOf(health.last_hour))} delivered`
}

/** About an endpoint that works, although its latest attempts may have failed. */
export function healthyWords(
  health: WebhookHealth,
  { zone, nowMs }: Reader,
  answer: string | null = null,
): HealthWords {
  const { last_success_at: succeededAt, failures_in_row: failures, waiting_count: waiting } = health
  const last = succeededAt === null ? 'Answers.' : `Last success ${formatTime(succeededAt, zone, nowMs)}.`
  if (failures === 0) return { headline: last, detail: waiting === 0 ? null : waitingWords(waiting) }
  const attempts = failures === 1 ? 'The last attempt' : `The last ${formatCount(failures)} attempts`
  return {
    headline: `${attempts} failed${answer === null ? reasonOf(health) : `: ${answer}`}.`,
    detail: `${last} We retry what failed.`,
  }
}

export interface Return {
  /** When it answered again; null: not known to the minute. */
  readonly since: string | null
  readonly waiting: number
  readonly lastDueAt: string | null
  /** How many deliveries were exhausted during the outage; null: unknown. */
  readonly givenUp: number | null
}

/** About an endpoint that works again while failed deliveries still wait for their next attempt. */
export function backWords(back: Return, name: string, { zone, nowMs }: Reader): HealthWords {
  const since = back.since === null ? '' : ` since ${formatTime(back.since, zone, nowMs)}`
  const until =
    back.lastDueAt === null ? '' : `, the last one until ${formatMinute(back.lastDueAt, zone, nowMs)}`
  const verb = back.waiting === 1 ? 'waits' : 'wait'
  const givenUp = (back.givenUp ?? 0) === 0 ? '' : `; ${formatCount(back.givenUp)} were given up`
  return {
    headline: `${name} ${since === '' ? 'is back' : `has been back${since}`}.`,
    detail: `${countOf(back.waiting, 'delivery', 'deliveries')} ${verb} for a later attempt${until}${givenUp}.`,
  }
}

/** When it was disabled, and by which actor. */
export interface Disabling {
  readonly at: string | null
  readonly by: string | null
}

/** About an endpoint to which nothing is sent, and why. */
export function disabledWords(health: WebhookHealth, { at, by }: Disabling, reader: Reader): HealthWords {
  const on = at === null ? '' : ` on ${formatMinute(at, reader.zone, reader.nowMs)}`
  const waiting = waitingWords(health.waiting_count)
  const gone =
    health.gone === 0 ? '' : `${givenUpWords(health.gone)}. Replay them after you enable the endpoint. `
  const detail = `${gone}${waiting}`
  return { headline: disabledHeadline(health, at, by, on), detail }
}

function disabledHeadline(health: WebhookHealth, at: string | null, by: string | null, on: string): string {
  switch (health.disabled_reason) {
    case 'gone':
      return 'Your server answered 410 (gone), so we stopped at once.'
    case 'failing': {
      const span =
        at === null || health.failing_since === null
          ? 'days'
          : formatSpan(Date.parse(at) - Date.parse(health.failing_since))
      return `We stopped sending${on}, after ${span} without a success.`
    }
    case 'manual':
    case null:
      return `Disabled${by === null ? '' : ` by ${by}`}${on}.`
  }
}

/** About an endpoint that usually gets events but has had none for days. */
export function quietWords(health: WebhookHealth, { nowMs }: Reader): HealthWords {
  const last = health.last_attempt_at
  const usual =
    health.usual_per_day === null ? '' : `; usually ${formatCount(Math.round(health.usual_per_day))} a day`
  return {
    headline: `No event${last === null ? '' : ` for ${formatSpan(nowMs - Date.parse(last))}`}${usual}.`,
    detail: null,
  }
}

/** About deliveries that a 410 gave up, once the endpoint is enabled; null if there are none to replay. */
export function goneWords({ status, gone }: Pick<WebhookHealth, 'status' | 'gone'>): string | null {
  return status === 'disabled' || gone === 0 ? null : `${givenUpWords(gone)} when your server answered 410.`
}

function givenUpWords(gone: number): string {
  return countOf(gone, 'delivery was given up', 'deliveries were given up')
}

export function waitingWords(waiting: number): string {
  return waiting === 0 ? 'No event waits.' : `${countOf(waiting, 'event waits', 'events wait')}.`
}

function reasonOf({ last_error_code: code }: WebhookHealth): string {
  if (code === null) return ''
  const { label } = attemptErrorTexts[code]
  return `: ${label.charAt(0).toLowerCase()}${label.slice(1)}`
}
