import type { Delivery, EventType } from '@posthorn/contract'

/** The events of one endpoint according to the service and to the receiver. */
export interface TallyInput {
  readonly name: string
  readonly subscribed: readonly EventType[]
  /** Every delivery of the endpoint, read from the API. */
  readonly deliveries: readonly Pick<Delivery, 'event_id' | 'state'>[]
  /** Ids of the events that the receiver verified and acknowledged. */
  readonly acknowledged: ReadonlySet<string>
}

/** The number of deliveries by state, and the differences between the service and the receiver. */
export interface Tally {
  readonly states: ReadonlyMap<Delivery['state'], number>
  readonly differences: readonly string[]
}

/** Compares the reported events, the delivered events according to the service, and the verified events. */
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
      ...missing(expected, delivered, 'was reported but not delivered'),
      ...missing(delivered, input.acknowledged, 'was delivered, but the receiver did not verify it'),
      ...missing(
        input.acknowledged,
        delivered,
        'was verified, but the service does not count it as delivered',
      ),
      ...missing(delivered, new Set(expected), 'was delivered but never reported'),
    ].map(text => `${input.name}: ${text}`),
  }
}

function missing(ids: Iterable<string>, from: ReadonlySet<string>, text: string): string[] {
  return [...ids].filter(id => !from.has(id)).map(id => `${id} ${text}`)
}
