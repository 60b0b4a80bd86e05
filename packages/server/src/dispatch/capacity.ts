import type { HandOffCapacity } from '../domain/hand-off.ts'
import type { ClaimRequest } from './claim.ts'
import type { DueEndpoints } from './due-endpoints.ts'
import type { Scheduler } from './scheduler.ts'

/** Deliveries claimed by one statement: more would keep its rows locked for longer than others should wait. */
const claimMax = 1_000

/**
 * What the accept statement may hand over to this process now. It hands over nothing to a failing endpoint, or to one that has
 * something due already: the oldest goes first.
 * @param dueOf the endpoints of an account that have something due
 * @param isSmall whether the report brings only a few events, for which capacity is kept free
 */
export function handOffCapacity(
  scheduler: Scheduler,
  dueOf: (accountId: string) => Iterable<string>,
  perEndpointMax: number,
  isSmall: boolean,
): HandOffCapacity {
  const ofUnproven = scheduler.capacityOfShares().unproven
  const perEndpoint = Math.min(perEndpointMax, ofUnproven)
  return {
    total: scheduler.capacity(isSmall),
    perEndpoint,
    known: events => {
      const capacities = new Map<string, number>()
      for (const [accountId, count] of events) {
        const ofAccount = scheduler.capacityOfAccount(accountId)
        for (const endpoint of scheduler.endpointsOf(accountId)) {
          const { share } = endpoint
          const own = share === 'failing' ? 0 : Math.min(ofAccount, endpoint.capacity(perEndpointMax))
          const capacity = share === 'proven' ? own : Math.min(own, ofUnproven)
          // thousands of endpoints may be known, so send only those that differ from the default
          if (Math.min(capacity, count) !== Math.min(perEndpoint, count))
            capacities.set(endpoint.endpointId, capacity)
        }
        for (const endpointId of dueOf(accountId)) capacities.set(endpointId, 0)
      }
      return capacities
    },
  }
}

/** Divides the capacity of this process among the endpoints that have something due. */
export function claimRequests(due: DueEndpoints, scheduler: Scheduler): ClaimRequest[] {
  let total = Math.min(claimMax, scheduler.capacity(false))
  const ofShares = scheduler.capacityOfShares()
  const ofAccounts = new Map<string, number>()
  const requests: ClaimRequest[] = []
  for (const endpoint of due.roundRobin()) {
    if (total <= 0) break
    const { accountId, endpointId, failuresInRow } = endpoint
    const own = scheduler.capacityOfEndpoint(endpointId, failuresInRow)
    const ofAccount = ofAccounts.get(accountId) ?? scheduler.capacityOfAccount(accountId)
    const capacity = Math.min(total, own.capacity, ofShares[own.share], ofAccount)
    if (capacity <= 0) continue
    requests.push({ ...endpoint, capacity })
    total -= capacity
    ofAccounts.set(accountId, ofAccount - capacity)
    ofShares[own.share] -= capacity
    if (own.share === 'failing') ofShares.unproven -= capacity
    else ofShares.failing = Math.min(ofShares.failing, ofShares.unproven)
  }
  return requests
}
