import type { WebhookHealth } from '@posthorn/contract'
import { countOf } from '../format/numbers.ts'
import { formatTime } from '../format/times.ts'
import {
  backWords,
  type Disabling,
  disabledWords,
  failingWords,
  type HealthWords,
  quietWords,
  type Reader,
  type Return,
} from './health-words.ts'

/** Facts that the health does not include. */
export interface KnownBesides {
  readonly disabling: Disabling
  readonly back: Return | null
  /** The last answer of a failing endpoint. */
  readonly answer: string | null
}

/** The most important sentence about an endpoint in any state. */
export function endpointWords(
  health: WebhookHealth,
  host: string,
  { disabling, back, answer }: KnownBesides,
  reader: Reader,
): HealthWords {
  switch (health.state) {
    case 'disabled':
      return disabledWords(health, disabling, reader)
    case 'failing':
      return failingWords(health, host, reader, answer)
    case 'degraded':
      return healthyWords(health, reader)
    case 'quiet':
      return quietWords(health, reader)
    case 'new':
      return { headline: 'Nothing sent yet.', detail: waitingWords(health.waiting_count) }
    case 'healthy':
      return back === null ? healthyWords(health, reader) : backWords(back, host, reader)
  }
}

function healthyWords(health: WebhookHealth, reader: Reader): HealthWords {
  const last = health.last_success_at
  return {
    headline: last === null ? 'Answers.' : `Last success ${formatTime(last, reader.zone, reader.nowMs)}.`,
    detail: waitingWords(health.waiting_count),
  }
}

function waitingWords(waiting: number): string | null {
  return waiting === 0 ? null : `${countOf(waiting, 'event waits', 'events wait')}.`
}
