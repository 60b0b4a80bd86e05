import { connectApi, expectStatus, type Page } from '../../packages/server/test/support/api.ts'
import { feed, reportsOf } from '../support/feed.ts'
import { finished } from '../support/finished.ts'
import type { Stage } from './stage.ts'

const lists = ['/v1/deliveries?limit=20', '/v1/events?limit=20']

/** Deliveries per second of new outcomes. */
export async function feedRate(
  stage: Stage,
  url: string,
  { outcomes, fanOut }: { outcomes: number; fanOut: number },
): Promise<number> {
  const accountIds = stage.accounts.map(({ id }) => id)
  const reports = [...reportsOf(accountIds, outcomes)]
  const before = await finished(url, 0)
  const startedMs = performance.now()
  await feed(url, stage.installation.adminToken, reports)
  const after = await finished(url, before + outcomes * fanOut)
  stage.accepted(outcomes, outcomes * fanOut)
  return ((after - before) / (performance.now() - startedMs)) * 1_000
}

/** Pages per second through the API: the first two pages of deliveries and of events. */
export async function listRate(stage: Stage, url: string): Promise<number> {
  const api = connectApi(url, stage.accounts[0]?.apiKey ?? '')
  const startedMs = performance.now()
  for (const list of lists) {
    const first = expectStatus(200, await api.get<Page<unknown>>(list))
    expectStatus(200, await api.get(`${list}&cursor=${first.next_cursor ?? ''}`))
  }
  return (2 * lists.length * 1_000) / (performance.now() - startedMs)
}
