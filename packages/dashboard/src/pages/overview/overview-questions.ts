import type { SendingDomain, Stats } from '@posthorn/contract'
import { endpointHealth } from '../../api/use-endpoint-health.ts'
import { askAhead, type Question } from '../../api/use-live.ts'
import { webhooks } from '../../api/use-webhooks.ts'
import { longestRange, type OverviewRange, rangeQuery } from './overview-range.ts'

export function statsOf(range: OverviewRange): Question<Stats> {
  return {
    key: ['stats', range],
    load: async (call, signal) => await call('getStats', { query: rangeQuery(range, Date.now()), signal }),
  }
}

export const newestDomains: Question<SendingDomain[]> = {
  key: ['domains', 'overview'],
  load: async (call, signal) => (await call('listSendingDomains', { query: { limit: 100 }, signal })).data,
}

/** Asks for the numbers while the code of the page loads. */
export function askForOverview(context: Parameters<typeof askAhead>[0], chosen?: OverviewRange): void {
  askAhead(context, statsOf(chosen ?? longestRange))
  askAhead(context, endpointHealth)
  askAhead(context, webhooks)
  askAhead(context, newestDomains)
}
