import type { WebhookHealth } from '@posthorn/contract'
import { attemptErrorTexts } from '@posthorn/contract/plain'
import { countOf, formatCount, formatSpan } from '../format/numbers.ts'
import { formatMinute, formatTime, type Zone } from '../format/times.ts'

/** How the reader reads times. */
export interface Reader {
  readonly zone: Zone
  readonly nowMs: number
}

/** What is to be said of an endpoint: what is, and what follows from it. */
export interface HealthWords {
  readonly headline: string
  readonly detail: string | null
}

/**
 * Of an endpoint with which nothing has succeeded for a while.
 * @param answer what it answered last, where that says more than the error's code: `500 from your server`
 */
export function failingWords(
  health: WebhookHealth,
  host: string,
  { zone, nowMs }: Reader,
  answer: string | null = null,
): HealthWords {
  const span = health.failing_since === null ? null : formatSpan(nowMs - Date.parse(health.failing_since))
  const stop =
    health.disables_at === null
      ? ''
      : `If nothing succeeds, we stop trying on ${formatMinute(health.disables_at, zone, nowMs)}. `
  return {
    headline: `${host} has failed${span === null ? '' : ` for ${span}`}${answer === null ? reasonOf(health) : `: ${answer}`}.`,
    detail: `${stop}Events keep waiting; nothing is lost.`,
  }
}

export interface Return {
  /** When it answered again; null: not known to the minute. */
  readonly since: string | null
  readonly waiting: number
  readonly lastDueAt: string | null
  /** Deliveries for which every try was used up meanwhile; null: not known. */
  readonly givenUp: number | null
}

/** Of an endpoint that works again while what failed still waits for its next try. */
export function backWords(back: Return, host: string, { zone, nowMs }: Reader): HealthWords {
  const since = back.since === null ? '' : ` since ${formatTime(back.since, zone, nowMs)}`
  const until = back.lastDueAt === null ? '' : `, the last until ${formatMinute(back.lastDueAt, zone, nowMs)}`
  const verb = back.waiting === 1 ? 'waits' : 'wait'
  const givenUp = (back.givenUp ?? 0) === 0 ? '' : `; ${formatCount(back.givenUp)} were given up`
  return {
    headline: `${host} is back${since}.`,
    detail: `${countOf(back.waiting, 'delivery', 'deliveries')} ${verb} for a later try${until}${givenUp}.`,
  }
}

/** When it was disabled, and by whom where somebody did it. */
export interface Disabling {
  readonly at: string | null
  readonly by: string | null
}

/** Of an endpoint to which nothing is sent, and why. */
export function disabledWords(health: WebhookHealth, { at, by }: Disabling, reader: Reader): HealthWords {
  const on = at === null ? '' : ` on ${formatMinute(at, reader.zone, reader.nowMs)}`
  const waiting = waitingWords(health.waiting_count)
  const detail = health.disabled_reason === 'gone' ? `${goneWords(health.gone)} ${waiting}` : waiting
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
      return `Paused${by === null ? '' : ` by ${by}`}${on}.`
  }
}

/** Of an endpoint that usually gets events and has had none for days. */
export function quietWords(health: WebhookHealth, { nowMs }: Reader): HealthWords {
  const last = health.last_attempt_at
  const usual =
    health.usual_per_day === null ? '' : `; usually ${formatCount(Math.round(health.usual_per_day))} a day`
  return {
    headline: `No event${last === null ? '' : ` for ${formatSpan(nowMs - Date.parse(last))}`}${usual}.`,
    detail: null,
  }
}

function goneWords(gone: number): string {
  const givenUp = countOf(gone, 'delivery was given up', 'deliveries were given up')
  return `${givenUp}: after enabling, replay what is exhausted.`
}

function waitingWords(waiting: number): string {
  return waiting === 0 ? 'No event waits.' : `${countOf(waiting, 'event waits', 'events wait')}.`
}

function reasonOf({ last_error_code: code }: WebhookHealth): string {
  if (code === null) return ''
  const { label } = attemptErrorTexts[code]
  return `: ${label.charAt(0).toLowerCase()}${label.slice(1)}`
}
