import type { Queryable } from '../../packages/server/src/db/database.ts'
import { type ClaimRequest, claim, type ClaimOptions } from '../../packages/server/src/dispatch/claim.ts'
import { findDue, firstEndpoint } from '../../packages/server/src/dispatch/find-due.ts'
import { startService } from '../../packages/server/test/support/service-process.ts'
import { startProcess } from '../../packages/server/test/verbs/stored-delivery.ts'
import { finished } from '../support/finished.ts'
import type { Stage } from './stage.ts'

const endpointsAtOnce = 50
export const claimedEach = 10

/** A process that keeps its claims until after the bench. */
export async function newClaimer(db: Queryable): Promise<ClaimOptions> {
  const number = await startProcess({ db }, 3_000)
  return { number, drainPerSecond: 1, monotonicMs: () => performance.now() }
}

/** Claims once from every endpoint with due deliveries. Returns the deliveries per second of the statement alone. */
export async function claimRate(db: Queryable): Promise<{ rate: number; lookMs: number }> {
  const claimer = await newClaimer(db)
  const startedMs = performance.now()
  const endpoints = await dueEndpoints(db)
  const lookMs = performance.now() - startedMs
  let claimed = 0
  for (let n = 0; n < endpoints.length; n += endpointsAtOnce)
    claimed += (await claim(db, endpoints.slice(n, n + endpointsAtOnce), claimer)).claimed.length
  return { rate: (claimed / (performance.now() - startedMs - lookMs)) * 1_000, lookMs }
}

export async function dueEndpoints(db: Queryable): Promise<ClaimRequest[]> {
  const endpoints: ClaimRequest[] = []
  for (let after: string | null = firstEndpoint; after !== null; ) {
    const { found, last } = await findDue(db, after)
    for (const endpoint of found) endpoints.push({ ...endpoint, capacity: claimedEach })
    after = last
  }
  return endpoints
}

/** Starts a service with at least `count` due deliveries. Returns its rate between the first and the last tenth. */
export async function drainRate(stage: Stage, count: number): Promise<number> {
  await using service = await startService(stage.installation)
  await finished(service.url, count / 10)
  const startedMs = performance.now()
  const first = await finished(service.url, 0)
  const last = await finished(service.url, (count * 9) / 10)
  const rate = ((last - first) / (performance.now() - startedMs)) * 1_000
  await service.stop()
  return rate
}
