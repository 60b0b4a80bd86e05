import type { AskedEndpoint } from './claim.ts'
import type { DueEndpoints } from './due-endpoints.ts'
import type { Scheduler } from './scheduler.ts'

/** Deliveries claimed by one statement: more keep its rows locked for longer than others should wait. */
const claimMax = 1_000

/** Divides the capacity of this process among the endpoints that have something due. */
export function askedEndpoints(due: DueEndpoints, scheduler: Scheduler): AskedEndpoint[] {
  let total = Math.min(claimMax, scheduler.capacity(false))
  const ofShares = scheduler.capacityOfShares()
  const ofAccounts = new Map<string, number>()
  const asked: AskedEndpoint[] = []
  for (const endpoint of due.inTurn()) {
    if (total <= 0) break
    const { accountId, endpointId, failuresInRow } = endpoint
    const own = scheduler.capacityOfEndpoint(endpointId, failuresInRow)
    const ofAccount = ofAccounts.get(accountId) ?? scheduler.capacityOfAccount(accountId)
    const capacity = Math.min(total, own.capacity, ofShares[own.share], ofAccount)
    if (capacity <= 0) continue
    asked.push({ ...endpoint, capacity })
    total -= capacity
    ofAccounts.set(accountId, ofAccount - capacity)
    ofShares[own.share] -= capacity
    if (own.share === 'failing') ofShares.unproven -= capacity
    else ofShares.failing = Math.min(ofShares.failing, ofShares.unproven)
  }
  return asked
}
