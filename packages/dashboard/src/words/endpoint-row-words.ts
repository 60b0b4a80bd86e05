import type { Webhook, WebhookHealth } from '@posthorn/contract'
import { attemptErrorTexts, defaultEventTypes, optInEventTypes } from '@posthorn/contract/plain'
import { formatSpan } from '../format/numbers.ts'
import { formatMinute } from '../format/times.ts'
import { attemptsWords } from './share-words.ts'
import { hourShare, hourWords, type Reader, quietWords } from './health-words.ts'

/** The text after the state in a list: `41 min`, `70% delivered`, `gone`; empty if the state says everything. */
export function rowStateWords(health: WebhookHealth, { nowMs }: Reader): string | undefined {
  if (health.state === 'failing' && health.failing_since !== null) {
    return formatSpan(nowMs - Date.parse(health.failing_since))
  }
  if (health.state === 'degraded') return hourShare(health)
  const reason = health.disabled_reason
  return health.state === 'disabled' && reason !== null && reason !== 'manual' ? reason : undefined
}

/** The reason and what follows, in a line; null if there is nothing to add. */
export function rowDetailWords(health: WebhookHealth, reader: Reader): string | null {
  const { zone, nowMs } = reader
  switch (health.state) {
    case 'failing': {
      const off =
        health.disables_at === null
          ? ''
          : ` · disabled on ${formatMinute(health.disables_at, zone, nowMs)} if nothing succeeds`
      const { last_error_code: code } = health
      return `${code === null ? '' : attemptErrorTexts[code].label}${off}`
    }
    case 'degraded':
      return `${attemptsWords(health.last_hour)} ${hourWords(health, zone)}`
    case 'disabled': {
      const stopped = health.warnings.find(
        ({ code }) => code === 'disabled_failing' || code === 'disabled_gone',
      )
      if (stopped === undefined) return null
      const after =
        health.failing_since === null || stopped.code === 'disabled_gone'
          ? ''
          : `, after ${formatSpan(Date.parse(stopped.since) - Date.parse(health.failing_since))}`
      return `since ${formatMinute(stopped.since, zone, nowMs)}${after}`
    }
    case 'quiet':
      return quietWords(health, reader).headline
    case 'new':
    case 'healthy':
      return null
  }
}

/** `Certificate expires in 6 days`, from 14 days before; null if it is valid for longer or unknown. */
export function certificateWords(endsAt: string | null, nowMs: number): string | null {
  if (endsAt === null) return null
  const leftMs = Date.parse(endsAt) - nowMs
  if (leftMs > warnedDays * dayMs) return null
  if (leftMs <= 0) return 'Certificate has expired'
  const days = Math.floor(leftMs / dayMs)
  return `Certificate expires ${days === 0 ? 'today' : days === 1 ? 'in 1 day' : `in ${days} days`}`
}

/** `all outcomes`, `all outcomes, deferred`, or `bounced, failed`. */
export function subscriptionWords(events: Webhook['events']): string {
  const hasOutcomes = defaultEventTypes.every(type => events.includes(type))
  const others = hasOutcomes ? optInEventTypes.filter(type => events.includes(type)) : events
  return [...(hasOutcomes ? ['all outcomes'] : []), ...others.map(type => type.replace('email.', ''))].join(
    ', ',
  )
}

const dayMs = 86_400_000
const warnedDays = 14
