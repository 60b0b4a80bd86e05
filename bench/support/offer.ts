import type { LoadPlan } from './load-plan.ts'
import type { LoadProcess } from './load-process.ts'

export interface Offered {
  /** Outcomes that the service has accepted so far, according to its responses. */
  accepted: number
  /** Requests that got neither 2xx nor 503, in words. */
  faults: string[]
}

export interface Offer extends Offered {
  /** Resolves after the responses of the current slice. */
  stop(): Promise<Offered>
}

/**
 * Offers an open-loop load in slices until it is stopped, so its duration need not be known in advance. There is a short
 * pause between two slices.
 */
export function offer(load: LoadProcess, plan: Omit<LoadPlan, 'pace'>, pace: OfferPace): Offer {
  let wanted = true
  const offered: Offered = { accepted: 0, faults: [] }
  const run = async (): Promise<Offered> => {
    while (wanted) {
      const firstOutcome = (plan.firstOutcome ?? 0) + offered.accepted
      const report = await load.run({ ...plan, firstOutcome, pace: { loop: 'open', ...pace } })
      offered.accepted += report.accepted
      // 503 means that the service is overloaded and stored nothing, so the ledger still balances
      const refused = Object.entries(report.refused).filter(([status]) => status !== '503')
      offered.faults.push(...refused.map(([status, count]) => `${count} requests refused with ${status}`))
      if (report.unanswered > 0) offered.faults.push(`${report.unanswered} requests not answered`)
    }
    return offered
  }
  const running = run()
  // `stop` reports the error
  running.catch(() => {})
  return Object.assign(offered, {
    stop: async () => {
      wanted = false
      return await running
    },
  })
}

/** @property seconds the length of a slice, which limits how long stopping takes */
export interface OfferPace {
  requestsPerSecond: number
  seconds: number
}
