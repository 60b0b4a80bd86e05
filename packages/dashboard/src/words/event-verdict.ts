import type { Delivery, DeliveryState, Event } from '@posthorn/contract'
import { countOf } from '../format/numbers.ts'
import type { Sentence } from './sentence.ts'

export interface EventVerdict {
  readonly tone: DeliveryState | 'neutral'
  readonly headline: string
  readonly facts: readonly Sentence[]
}

/** Who received an event, in a sentence. For a single endpoint, its delivery has more details. */
export function eventVerdict({ type, erased_at: erasedAt, deliveries = [] }: Event): EventVerdict {
  const facts: Sentence[] =
    erasedAt === null
      ? []
      : [
          [
            'Its recipient was erased ',
            { at: erasedAt },
            '; the body was replaced, and we do not send it again.',
          ],
        ]
  if (deliveries.length === 0) {
    return {
      tone: 'neutral',
      headline: `No endpoint was subscribed to ${type} when this event was created.`,
      facts,
    }
  }
  const delivered = countIn(deliveries, 'delivered')
  const all = deliveries.length
  const tone = (['exhausted', 'failed', 'pending'] as const).find(state => countIn(deliveries, state) > 0)
  return {
    tone: tone ?? 'delivered',
    headline: headlineOf(delivered, all),
    facts: [...facts, ...openOnes(deliveries)],
  }
}

function headlineOf(delivered: number, all: number): string {
  if (delivered < all && delivered > 0) return `Delivered to ${delivered} of ${all} endpoints.`
  if (delivered === 0) return all === 1 ? 'Not delivered yet.' : `Delivered to none of ${all} endpoints.`
  if (all === 1) return 'Delivered.'
  return all === 2 ? 'Delivered to both endpoints.' : `Delivered to all ${all} endpoints.`
}

function openOnes(deliveries: readonly Delivery[]): Sentence[] {
  const waiting = countIn(deliveries, 'failed') + countIn(deliveries, 'pending')
  const givenUp = countIn(deliveries, 'exhausted')
  return [
    ...(waiting > 0 ? [[`${countOf(waiting, 'delivery is', 'deliveries are')} not finished yet.`]] : []),
    ...(givenUp > 0 ? [[`${countOf(givenUp, 'was', 'were')} given up.`]] : []),
  ]
}

function countIn(deliveries: readonly Delivery[], state: DeliveryState): number {
  return deliveries.filter(delivery => delivery.state === state).length
}
