import { describe, expect, test } from 'vitest'
import { cleanSearchIndex } from '../../src/maintenance/clean-search-index.ts'
import { openPlace } from '../support/open-place.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { allBackends, newDatabasePlace, newestServer, openTestDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, verbContext } from '../verbs/verb-context.ts'

describe.each(allBackends())('on $name', backend => {
  test('cleaning the search index moves its pending entries, and a second run finds none', async () => {
    await using db = await openTestDatabase(backend)
    const ctx = verbContext(db)
    const accountId = await newAccount(ctx)
    for (let n = 0; n < 20; n++) await storeEvent(ctx, accountId, {})
    expect((await cleanSearchIndex(db)).pages).toBeGreaterThan(0)
    expect((await cleanSearchIndex(db)).pages).toBe(0)
  })
})

test('a process with role api also cleans the search index', async () => {
  await using place = await newDatabasePlace(newestServer())
  await using _service = await startService(newInstallation(place), { POSTHORN_ROLE: 'api' })
  await using db = await openPlace(place)
  await until('a connection of the process has cleaned the index', async () => {
    const [connection] = await db.query(
      `select 1 from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and query like '%gin_clean_pending_list%'`,
    )
    return connection
  })
})
