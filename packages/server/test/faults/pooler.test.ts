import { once } from 'node:events'
import { describe, expect } from 'vitest'
import { openDatabase } from '../../src/db/open-database.ts'
import { canRun, hasProgram } from '../support/can-run.ts'
import { pgbouncerVersion, type PgbouncerOptions, startPgbouncer } from '../support/pgbouncer.ts'
import { newInstallation, spawnService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer, withoutTemplate } from '../support/test-database.ts'
import { fault } from './fault.ts'

const runs = canRun('a start through PgBouncer', hasProgram('pgbouncer'), 'pgbouncer')

/** What an operator adds to PgBouncer until Posthorn can connect. */
const ignored = ['options', 'statement_timeout', 'idle_in_transaction_session_timeout']

const poolers: ReadonlyArray<PgbouncerOptions> = [
  { mode: 'session', ignored: [] },
  { mode: 'session', ignored },
  { mode: 'transaction', ignored },
]

describe.runIf(runs)('PgBouncer', () => {
  fault(
    'F73',
    'Posthorn refuses to start through a pooler that drops its settings, says what to do, and changes nothing',
    async seen => {
      await using place = await newDatabasePlace(withoutTemplate(newestServer()))
      const direct = place.databaseUrl ?? ''
      for (const options of poolers) {
        await using pooler = await startPgbouncer(direct, options)
        const through = pooler.url(direct)
        for (const databaseUrl of [through, through.replace('posthorn@', 'posthorn@%2Fnowhere,')]) {
          const { exitCode, output } = await runService(databaseUrl)
          expect([options, exitCode, output]).toEqual([options, 1, expect.stringMatching(advice)])
        }
      }
      // the control: a start without the pooler creates them
      expect(await tablesIn(direct)).toBe(0)
      seen(`${pgbouncerVersion()}, in session mode and in transaction mode`)
    },
  )
})

const advice = /DATABASE_URL leads to a connection pooler .*Name the PostgreSQL server itself/

async function runService(databaseUrl: string): Promise<{ exitCode: number | null; output: string }> {
  const place = { databaseUrl, dataDir: '/nowhere', [Symbol.asyncDispose]: async () => {} }
  const child = spawnService(newInstallation(place))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      // a start that was not refused
      if (output.includes('Posthorn listens on')) child.kill('SIGKILL')
    })
  }
  await once(child, 'close')
  return { exitCode: child.exitCode, output }
}

async function tablesIn(url: string): Promise<number> {
  await using db = await openDatabase({ url, dataDir: '', connectionsMax: 1, onLost: () => {} })
  const [row] = await db.query<{ count: number }>(
    `select count(*) from pg_class where relnamespace = 'public'::regnamespace`,
  )
  return row?.count ?? 0
}
