import { describe, expect, test } from 'vitest'
import type { Database, Queryable } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { lookupsOnlySettings, ordinarySettings, plannedOnceSettings } from '../../src/db/session-settings.ts'
import { otherDefaults, setOtherDefaults } from '../support/other-defaults.ts'
import { eachKind, newDatabasePlace, serverBackends } from '../support/test-database.ts'
import { until } from '../support/until.ts'

/** The defaults of PostgreSQL, and the settings of Posthorn. */
const expected = {
  client_encoding: 'UTF8',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  search_path: 'public',
  row_security: 'on',
  default_transaction_isolation: 'read committed',
  transaction_isolation: 'read committed',
  gin_fuzzy_search_limit: '0',
  lock_timeout: '0',
  idle_session_timeout: '0',
  exit_on_error: 'off',
  plan_cache_mode: 'auto',
  jit: 'off',
  enable_seqscan: 'on',
  enable_nestloop: 'on',
  enable_partition_pruning: 'on',
}

describe.each(serverBackends())('on $name with other defaults', backend => {
  test('every kind of connection has the settings that the SQL depends on', async () => {
    await using place = await newDatabasePlace(backend)
    const url = place.databaseUrl ?? ''
    await setOtherDefaults(url)
    const timeouts = { statement_timeout: '1min', idle_in_transaction_session_timeout: '1min' }
    for (const [settings, differ] of [
      [ordinarySettings, {}],
      [lookupsOnlySettings, { enable_seqscan: 'off' }],
      [
        plannedOnceSettings,
        { enable_seqscan: 'off', enable_bitmapscan: 'off', plan_cache_mode: 'force_generic_plan' },
      ],
    ] as const) {
      const wanted = { ...expected, ...timeouts, ...differ }
      // options in the URL do not change that
      for (const at of [url, `${url}?options=${encodeURIComponent('-c datestyle=German -c timezone=EST')}`]) {
        await using db = await open(at, settings)
        expect(await settingsOf(db, wanted)).toEqual(wanted)
        await db.transaction(async tx => expect(await settingsOf(tx, wanted)).toEqual(wanted))
      }
    }
  })

  test('a listening connection is not closed for being idle', async () => {
    await using place = await newDatabasePlace(backend)
    await setOtherDefaults(place.databaseUrl ?? '')
    await using db = await open(place.databaseUrl ?? '', ordinarySettings)
    const heard: string[] = []
    await using _ = await db.listen('some_channel', payload => heard.push(payload))
    const idle = await until('it has been idle for much longer than the default allows', async () => {
      const [row] = await db.query<{ idleMs: number }>(
        `select (extract(epoch from clock_timestamp() - state_change) * 1000)::int as "idleMs" from pg_stat_activity
         where datname = current_database() and query like 'listen %'`,
      )
      return row !== undefined && row.idleMs > 500 ? row.idleMs : undefined
    })
    expect(idle).toBeGreaterThan(Number.parseInt(otherDefaults['idle_session_timeout'] ?? '', 10))
    await db.query(`select pg_notify('some_channel', 'hello')`)
    await until('it is heard', () => heard.length === 1)
  })
})

test.each(eachKind())('a new $name has the settings that the SQL depends on', async backend => {
  await using place = await newDatabasePlace(backend)
  await using db = await openDatabase({
    url: place.databaseUrl,
    dataDir: place.dataDir,
    connectionsMax: 1,
    onLost: () => {},
  })
  const wanted = { ...expected, enable_seqscan: backend.serverUrl === null ? 'off' : 'on' }
  expect(await settingsOf(db, wanted)).toEqual(wanted)
})

async function open(url: string, settings: readonly string[]): Promise<Database> {
  return await openDatabase({ url, dataDir: '', connectionsMax: 2, settings, onLost: () => {} })
}

async function settingsOf(
  db: Pick<Queryable, 'query'>,
  wanted: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const rows = await db.query<{ name: string; value: string }>(
    'select name, current_setting(name) as value from unnest($1::text[]) as s (name)',
    [Object.keys(wanted)],
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}
