import { randomUUID } from 'node:crypto'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { outcome } from '../support/outcome.ts'
import { newPlace } from '../support/place.ts'
import { openPlace } from '../../packages/server/test/support/open-place.ts'

/** The times in milliseconds of durable inserts of one event body, one after the other on one connection. */
export async function commitTimesMs(postgres: PostgresServer, seconds: number): Promise<number[]> {
  await using place = await newPlace('PostgreSQL', postgres)
  await using db = await openPlace(place)
  await db.query('create table bare (id uuid not null, body bytea not null)')
  const insert = { name: 'bare', text: 'insert into bare (id, body) values ($1, $2)' }
  const timesMs: number[] = []
  const untilMs = performance.now() + seconds * 1_000
  while (performance.now() < untilMs) {
    const values = [randomUUID(), Buffer.from(JSON.stringify(outcome(timesMs.length, 0)))]
    const startedMs = performance.now()
    await db.query(insert, values)
    timesMs.push(performance.now() - startedMs)
  }
  return timesMs
}
