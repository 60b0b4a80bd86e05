import { randomUUID } from 'node:crypto'
import type { Queryable } from '../../packages/server/src/db/database.ts'
import { claim, type EndpointRoom } from '../../packages/server/src/dispatch/claim.ts'
import { findReady, firstEndpoint } from '../../packages/server/src/dispatch/find-ready.ts'
import { startService } from '../../packages/server/test/support/service-process.ts'
import { finished } from '../support/finished.ts'
import type { Stage } from './stage.ts'

const endpointsAtOnce = 50
export const roomEach = 10

export const claimOptions = {
  processId: randomUUID(),
  leaseMs: 3_600_000,
  monotonicMs: () => performance.now(),
}

/** Claims from every endpoint that has something due, once, and answers deliveries per second of the statement alone. */
export async function claimRate(db: Queryable): Promise<{ rate: number; lookMs: number }> {
  const startedMs = performance.now()
  const rooms = await roomsOfReady(db)
  const lookMs = performance.now() - startedMs
  let claimed = 0
  for (let n = 0; n < rooms.length; n += endpointsAtOnce)
    claimed += (await claim(db, rooms.slice(n, n + endpointsAtOnce), claimOptions)).length
  return { rate: (claimed / (performance.now() - startedMs - lookMs)) * 1_000, lookMs }
}

export async function roomsOfReady(db: Queryable): Promise<EndpointRoom[]> {
  const rooms: EndpointRoom[] = []
  for (let after: string | null = firstEndpoint; after !== null; ) {
    const { ready, last } = await findReady(db, after)
    for (const endpoint of ready) rooms.push({ ...endpoint, room: roomEach })
    after = last
  }
  return rooms
}

/** Starts a service where `count` are due or more, and answers deliveries per second from the first tenth to the last. */
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
