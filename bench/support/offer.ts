import type { LoadPlan } from './load-plan.ts'
import type { LoadProcess } from './load-process.ts'

export interface Offered {
  /** Outcomes that the service said it had accepted so far. */
  accepted: number
  /** Requests that were neither accepted nor put off, in words. */
  faults: string[]
}

export interface Offer extends Offered {
  /** Resolves when the slice under way has been answered; none follows. */
  stop(): Promise<Offered>
}

/**
 * Offers an open-loop load for as long as it takes, in slices: how long that is need not be known before. Between two
 * slices there is a moment without.
 */
export function offer(load: LoadProcess, plan: Omit<LoadPlan, 'pace'>, pace: OfferPace): Offer {
  let wanted = true
  const offered: Offered = { accepted: 0, faults: [] }
  const run = async (): Promise<Offered> => {
    while (wanted) {
      const firstOutcome = (plan.firstOutcome ?? 0) + offered.accepted
      const report = await load.run({ ...plan, firstOutcome, pace: { loop: 'open', ...pace } })
      offered.accepted += report.accepted
      // 503 says that it has too much to do and stored nothing: no fault of its ledger
      const refused = Object.entries(report.refused).filter(([status]) => status !== '503')
      offered.faults.push(...refused.map(([status, count]) => `${count} requests refused with ${status}`))
      if (report.unanswered > 0) offered.faults.push(`${report.unanswered} requests not answered`)
    }
    return offered
  }
  const running = run()
  // whoever stops it is told
  running.catch(() => {})
  return Object.assign(offered, {
    stop: async () => {
      wanted = false
      return await running
    },
  })
}

/** @property seconds of one slice: what stopping takes at most */
export interface OfferPace {
  requestsPerSecond: number
  seconds: number
}
