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
} from './health-words.ts'
import { isBack } from './is-back.ts'

/** What is to be said first of an endpoint, whatever its state. */
export function endpointWords(
  health: WebhookHealth,
  host: string,
  disabling: Disabling,
  reader: Reader,
): HealthWords {
  switch (health.state) {
    case 'disabled':
      return disabledWords(health, disabling, reader)
    case 'failing':
      return failingWords(health, host, reader)
    case 'quiet':
      return quietWords(health, reader)
    case 'new':
      return { headline: 'Nothing was sent yet.', detail: waitingWords(health.waiting) }
    case 'healthy':
      return healthyWords(health, host, reader)
  }
}

function healthyWords(health: WebhookHealth, host: string, reader: Reader): HealthWords {
  if (isBack(health)) {
    const { waiting, last_due_at: lastDueAt } = health
    return backWords({ since: null, waiting, lastDueAt, givenUp: null }, host, reader)
  }
  const last = health.last_success_at
  return {
    headline: last === null ? 'Answers.' : `Last success ${formatTime(last, reader.zone, reader.nowMs)}.`,
    detail: waitingWords(health.waiting),
  }
}

function waitingWords(waiting: number): string | null {
  return waiting === 0 ? null : `${countOf(waiting, 'event waits', 'events wait')}.`
}
