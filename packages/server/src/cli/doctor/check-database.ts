import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/database.ts'
import { asCalled } from '../called-as.ts'
import type { Check } from '../check.ts'
import { describeFailure } from '../describe-failure.ts'
import { checkMoves } from './check-moves.ts'

const versionMin = 15
const skewMsMax = 60_000

/** Checks that the database answers, and checks its version, schema, clock and unfinished moves. A front has none. */
export async function checkDatabase({ databaseUrl, dataDir, role }: Config): Promise<Check[]> {
  const name = 'Database'
  if (role === 'front') return []
  if (databaseUrl === null) {
    // only one process can open it, and the service may be running
    const isMade = existsSync(join(dataDir, 'database'))
    const found = isMade ? 'embedded' : 'embedded, created at the first start'
    return [{ name, state: 'ok', found: `${found}; uses the clock of this machine` }]
  }
  try {
    // imported here because the driver is slow to load
    const [{ openDatabase }, { expectedSchemaVersion }] = await Promise.all([
      import('../../db/open-database.ts'),
      import('../../db/migrate.ts'),
    ])
    await using database = await openDatabase({
      url: databaseUrl,
      dataDir,
      connectionsMax: 1,
      onLost: () => {},
    })
    const version = await versionCheck(database, await expectedSchemaVersion())
    const moves = version.state === 'ok' ? await checkMoves(database) : []
    return [version, await clockCheck(database), ...moves]
  } catch (error) {
    const advice = 'Check the network too (see docs/run/postgresql.md)'
    return [{ name, state: 'broken', found: describeFailure(error), advice }]
  }
}

async function versionCheck(database: Database, expected: number): Promise<Check> {
  const name = 'Database'
  const [server] = await database.query<{ version: number; has_schema: boolean }>(
    `select current_setting('server_version_num')::int / 10000 as version,
       to_regclass('schema_migration') is not null as has_schema`,
  )
  const version = server?.version ?? 0
  if (version < versionMin) {
    return {
      name,
      state: 'broken',
      found: `PostgreSQL ${version}`,
      advice: `Posthorn needs ${versionMin} or newer: upgrade the server`,
    }
  }
  const [schema] = server?.has_schema
    ? await database.query<{ version: number; breaks: boolean }>(
        `select coalesce(max(version), 0) as version, coalesce(bool_or(breaking and version > $1), false) as breaks
         from schema_migration`,
        [expected],
      )
    : []
  const found = `PostgreSQL ${version}, schema ${schema?.version ?? 'not created yet'}`
  if (schema?.breaks === true) {
    return { name, state: 'broken', found, advice: 'A newer Posthorn migrated it: upgrade this one' }
  }
  if ((schema?.version ?? 0) >= expected) return { name, state: 'ok', found }
  const advice = asCalled(
    `This build needs schema ${expected}: posthorn start or posthorn migrate updates it`,
  )
  return { name, state: 'note', found, advice }
}

async function clockCheck(database: Database): Promise<Check> {
  const name = 'Clock'
  const askedMs = Date.now()
  const [row] = await database.query<{ now: Date }>('select clock_timestamp() as now')
  const answeredMs = Date.now()
  const skewMs = (row?.now.getTime() ?? 0) - (askedMs + answeredMs) / 2
  const found = `the database clock is ${Math.abs(skewMs).toFixed(0)} ms ${skewMs < 0 ? 'behind' : 'ahead'}`
  if (Math.abs(skewMs) <= skewMsMax) return { name, state: 'ok', found }
  return {
    name,
    state: 'broken',
    found,
    advice: 'Synchronize the clocks of both machines with NTP (see docs/run/clock.md)',
  }
}
