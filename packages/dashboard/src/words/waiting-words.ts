import type { WaitingFor, WaitingReason, Webhook } from '@posthorn/contract'
import { aheadMax } from '@posthorn/contract/plain'
import { countOf } from '../format/numbers.ts'
import type { Sentence } from './sentence.ts'

/** What a delivery waits for, in a table cell that says when it is sent. */
export const waitingLabels: Record<WaitingReason, string> = {
  disabled: 'once enabled',
  retry: 'later',
  drain: 'slow backlog',
  rate_limit: 'rate limit',
  backlog: 'backlog',
  capacity: 'soon',
}

/** What a delivery waits for. */
export function waitingWords(
  { reason, ahead }: WaitingFor,
  endpoint: Pick<Webhook, 'disabled_reason'> | null,
): string {
  switch (reason) {
    case 'disabled':
      return `It waits for the endpoint, which ${whyDisabled[endpoint?.disabled_reason ?? 'manual']}.`
    case 'retry':
      return 'It waits for its next attempt.'
    case 'drain':
      return 'It waits because the endpoint was enabled again and gets its backlog slowly.'
    case 'rate_limit':
      return 'It waits for the rate limit of the endpoint.'
    case 'backlog':
      return `It waits behind ${othersWords(ahead)} of the endpoint.`
    case 'capacity':
      return 'It is the next one, and waits until we have capacity.'
  }
}

/** How many deliveries go first, and when this one probably goes. */
export function waitingFacts({ reason, ahead, estimated_at: at }: WaitingFor, nowMs: number): Sentence[] {
  if (reason === 'disabled') return [['Nothing is lost.']]
  const isCounted = reason === 'drain' || reason === 'rate_limit'
  const first: Sentence[] = isCounted && (ahead ?? 0) > 0 ? [[goFirst(ahead ?? 0)]] : []
  if (at === null || reason === 'retry') return first
  if (Date.parse(at) <= nowMs) return [...first, ['It should go out any moment.']]
  return [...first, ['We expect to send it ', { at, relative: true }, '.']]
}

function othersWords(ahead: number | null): string {
  if (ahead === null) return 'other deliveries'
  return `${atLeast(ahead)}${countOf(ahead, 'other delivery', 'other deliveries')}`
}

function goFirst(ahead: number): string {
  const words = `${atLeast(ahead)}${countOf(ahead, 'delivery goes', 'deliveries go')} first.`
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** The API counts no further than this. */
function atLeast(ahead: number): string {
  return ahead >= aheadMax ? 'at least ' : ''
}

const whyDisabled = {
  manual: 'is disabled',
  gone: 'is disabled because it answered 410',
  failing: 'is disabled because it failed for days',
} as const
