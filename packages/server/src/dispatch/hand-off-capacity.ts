import type { HandOffCapacity } from '../domain/hand-off.ts'
import type { Scheduler } from './scheduler.ts'

/**
 * What the accept statement may hand over to this process now. A failing endpoint gets nothing: its deliveries wait in the
 * queue. Neither does an endpoint that has something due already: the oldest goes first.
 * @param dueOf the endpoints of an account that have something due
 * @param forSingleEvents whether the report brings a few events, for which capacity is kept free
 */
export function handOffCapacity(
  scheduler: Scheduler,
  dueOf: (accountId: string) => Iterable<string>,
  perEndpointMax: number,
  forSingleEvents: boolean,
): HandOffCapacity {
  const ofUnproven = scheduler.capacityOfShares().unproven
  const perEndpoint = Math.min(perEndpointMax, ofUnproven)
  return {
    total: scheduler.capacity(forSingleEvents),
    perEndpoint,
    known: events => {
      const capacities = new Map<string, number>()
      for (const [accountId, count] of events) {
        const ofAccount = scheduler.capacityOfAccount(accountId)
        for (const endpoint of scheduler.endpointsOf(accountId)) {
          const { share } = endpoint
          const own = share === 'failing' ? 0 : Math.min(ofAccount, endpoint.capacity(perEndpointMax))
          const capacity = share === 'proven' ? own : Math.min(own, ofUnproven)
          // only where it matters, because thousands of endpoints may be known
          if (Math.min(capacity, count) !== Math.min(perEndpoint, count))
            capacities.set(endpoint.endpointId, capacity)
        }
        for (const endpointId of dueOf(accountId)) capacities.set(endpointId, 0)
      }
      return capacities
    },
  }
}
