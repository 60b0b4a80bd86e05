import type { Delivery, DeliveryState, Event } from '@posthorn/contract'
import { deliveryReason } from '../words/delivery-reason.ts'
import { recipientsWords } from '../words/recipients-words.ts'
import type { Match } from './match.ts'

/** The states by how much somebody wants to know of them. */
const worstFirst: readonly DeliveryState[] = ['exhausted', 'failed', 'pending', 'delivered']

/** An event, with the state and the reason of whichever of its deliveries fares worst. */
export function eventMatch(event: Event, deliveries: readonly Delivery[]): Match {
  const worst = deliveries.toSorted((a, b) => worstFirst.indexOf(a.state) - worstFirst.indexOf(b.state))[0]
  return {
    href: `/events/${event.id}`,
    title: `${event.type} to ${recipientsWords(event.data.to)}`,
    detail: event.id,
    at: event.created_at,
    ...(worst !== undefined && { state: worst.state, reason: deliveryReason(worst) }),
  }
}

export function deliveryMatch(delivery: Delivery): Match {
  return {
    href: `/deliveries/${delivery.id}`,
    title: `${delivery.event.type} to ${recipientsWords(delivery.event.to)}`,
    detail: delivery.id,
    state: delivery.state,
    reason: deliveryReason(delivery),
    at: delivery.created_at,
  }
}
