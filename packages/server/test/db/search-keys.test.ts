import { describe, expect, test } from 'vitest'
import { fileSearchKeys } from '../../src/maintenance/file-search-keys.ts'
import { allBackends, openTestDatabase } from '../support/test-database.ts'
import { storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, verbContext } from '../verbs/verb-context.ts'

describe.each(allBackends())('on $name', backend => {
  test('no report has to file what others brought before it: that is done beside it, and finds nothing twice', async () => {
    await using db = await openTestDatabase(backend)
    const ctx = verbContext(db)
    const accountId = await newAccount(ctx)
    for (let n = 0; n < 20; n++) await storeEvent(ctx, accountId, {})
    expect((await fileSearchKeys(db)).pages).toBeGreaterThan(0)
    expect((await fileSearchKeys(db)).pages).toBe(0)
  })
})
