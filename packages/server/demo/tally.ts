import type { Delivery, EventType } from '@posthorn/contract'

/** What one receiver and the service each say about the same endpoint. */
export interface TallyInput {
  readonly name: string
  readonly subscribed: readonly EventType[]
  /** Every delivery of the endpoint, read from the API. */
  readonly deliveries: readonly Pick<Delivery, 'event_id' | 'state'>[]
  /** Ids of the events that the receiver verified and acknowledged. */
  readonly acknowledged: ReadonlySet<string>
}

/** How many deliveries are in each state, and everything on which the two sides differ. */
export interface Tally {
  readonly states: ReadonlyMap<Delivery['state'], number>
  readonly differences: readonly string[]
}

/** Compares what was reported, what the service says it delivered, and what the receiver verified. */
export function tally(input: TallyInput, accepted: ReadonlyMap<string, EventType>): Tally {
  const states = new Map<Delivery['state'], number>()
  for (const { state } of input.deliveries) states.set(state, (states.get(state) ?? 0) + 1)
  const expected = [...accepted].filter(([, type]) => input.subscribed.includes(type)).map(([id]) => id)
  const delivered = new Set(
    input.deliveries.filter(({ state }) => state === 'delivered').map(delivery => delivery.event_id),
  )
  return {
    states,
    differences: [
      ...missing(expected, delivered, 'was reported and is not delivered'),
      ...missing(delivered, input.acknowledged, 'is delivered for the service and unknown to the receiver'),
      ...missing(input.acknowledged, delivered, 'was verified by the receiver and is not delivered'),
      ...missing(delivered, new Set(expected), 'is delivered and was never reported'),
    ].map(text => `${input.name}: ${text}`),
  }
}

function missing(ids: Iterable<string>, from: ReadonlySet<string>, text: string): string[] {
  return [...ids].filter(id => !from.has(id)).map(id => `${id} ${text}`)
}
