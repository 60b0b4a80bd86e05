import type { WebhookHealth } from '@posthorn/contract'
import {
  backWords,
  degradedWords,
  type Disabling,
  disabledWords,
  failingWords,
  type HealthWords,
  healthyWords,
  quietWords,
  type Reader,
  type Return,
  waitingWords,
} from './health-words.ts'

/** Facts that the health does not include. */
export interface KnownBesides {
  readonly disabling: Disabling
  readonly back: Return | null
  /** The endpoint's last answer to a failed delivery. */
  readonly answer: string | null
}

/** The most important sentence about an endpoint in any state. */
export function endpointWords(
  health: WebhookHealth,
  name: string,
  { disabling, back, answer }: KnownBesides,
  reader: Reader,
): HealthWords {
  switch (health.state) {
    case 'disabled':
      return disabledWords(health, disabling, reader)
    case 'failing':
      return failingWords(health, name, reader, answer)
    case 'degraded': {
      const degraded = degradedWords(health, reader, answer)
      const waiting = back === null ? null : backWords(back, name, reader).detail
      return { ...degraded, detail: [degraded.detail, waiting].filter(words => words !== null).join(' ') }
    }
    case 'quiet':
      return quietWords(health, reader)
    case 'new':
      return { headline: 'Nothing sent yet.', detail: waitingWords(health.waiting_count) }
    case 'healthy':
      return back === null ? healthyWords(health, reader, answer) : backWords(back, name, reader)
  }
}
