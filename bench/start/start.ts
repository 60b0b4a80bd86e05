import { newInstallation } from '../../packages/server/test/support/service-process.ts'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { atMost, type Bench, type BenchResult, type BenchRow } from '../support/bench.ts'
import { compiled, type Form, fromSources } from '../support/installed.ts'
import { median } from '../support/median.ts'
import { type DatabaseKind, newPlace, startBenchPostgres } from '../support/place.ts'
import { operate } from '../support/operated.ts'
import { startsAfterKill } from './after-kill.ts'

const goalMs = { afterStop: 1_500, afterKill: 5_000 }

/** The time from the command to ready: at the first start, after a clean stop, and after a kill. */
export const start: Bench = {
  name: 'start',
  run: async scale => {
    const times = scale === 'quick' ? 1 : 5
    // an accepted and delivered outcome writes four rows: event, delivery, queue, attempt
    const rows = scale === 'quick' ? 4_000 : 100_000
    await using postgres = await startBenchPostgres(scale)
    const result: BenchResult = { rows: [], unbalanced: [] }
    using sources = fromSources()
    const forms: Form[] = [sources]
    using published = scale === 'full' ? compiled() : null
    if (published !== null) forms.push(published)
    for (const form of forms) {
      const embedded = await firstAndLater(form, 'embedded', times, postgres)
      const server = await firstAndLater(form, 'PostgreSQL', times, postgres)
      const killed = await startsAfterKill(form, { rows, times }, postgres)
      result.unbalanced.push(...killed.unbalanced)
      result.rows.push(
        row(`${form.name}, embedded, after a clean stop`, embedded.later, goalMs.afterStop),
        row(
          `${form.name}, embedded, after kill -9 with ${rows} rows`,
          killed.readyMs,
          goalMs.afterKill,
          killed.beside,
        ),
        row(`${form.name}, embedded, the very first`, embedded.first, null),
        row(`${form.name}, PostgreSQL, after a clean stop`, server.later, null),
        row(`${form.name}, PostgreSQL, the very first`, server.first, null),
      )
    }
    return result
  },
}

/** Starts each database for the first time, stops it, and starts it again. */
async function firstAndLater(form: Form, kind: DatabaseKind, times: number, postgres: PostgresServer) {
  const first: number[] = []
  const later: number[] = []
  for (let n = 0; n < times; n++) {
    await using place = await newPlace(kind, postgres)
    const installation = newInstallation(place)
    for (const measured of [first, later]) {
      await using service = await operate(form, installation)
      measured.push(service.readyMs)
      await service.stop()
    }
  }
  return { first, later }
}

function row(what: string, readyMs: readonly number[], goal: number | null, beside?: string): BenchRow {
  const ms = Math.round(median(readyMs))
  return {
    what,
    measured: `${ms} ms (${Math.round(Math.min(...readyMs))} to ${Math.round(Math.max(...readyMs))})`,
    ...(beside !== undefined && { beside }),
    goal: goal === null ? null : atMost(goal, ms, ' ms'),
  }
}
