import type { Delivery, DeliveryState, Event } from '@posthorn/contract'
import { deliveryReason } from '../words/delivery-reason.ts'
import { eventReason } from '../words/event-reason.ts'
import { recipientsWords } from '../words/recipients-words.ts'
import type { Match } from './match.ts'

/** The states in order of urgency. */
const worstFirst: readonly DeliveryState[] = ['exhausted', 'failed', 'pending', 'delivered']

/** A match for an event, with the state and reason of its most urgent webhook delivery. */
export function eventMatch(event: Event, deliveries: readonly Delivery[]): Match {
  const worst = deliveries.toSorted((a, b) => worstFirst.indexOf(a.state) - worstFirst.indexOf(b.state))[0]
  const why = eventReason(event)
  return {
    group: 'Events',
    href: `/events/${event.id}`,
    title: `${event.type} to ${recipientsWords(event.data.to)}`,
    detail: event.id,
    at: event.created_at,
    ...(why !== null && { reason: why }),
    ...(worst !== undefined && { webhook: { state: worst.state, reason: deliveryReason(worst) } }),
  }
}

export function deliveryMatch(delivery: Delivery): Match {
  return {
    group: 'Webhook deliveries',
    href: `/deliveries/${delivery.id}`,
    title: `${delivery.event.type} to ${recipientsWords(delivery.event.to)}`,
    detail: delivery.id,
    webhook: { state: delivery.state, reason: deliveryReason(delivery) },
    at: delivery.created_at,
  }
}
