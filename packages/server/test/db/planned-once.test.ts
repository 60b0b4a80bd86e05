import { describe, expect, test } from 'vitest'
import { openDatabases } from '../../src/open-databases.ts'
import { newDatabasePlace, serverBackends } from '../support/test-database.ts'

describe.each(serverBackends())('reading history on $name', backend => {
  test('a query is planned once per connection, for all values', async () => {
    await using place = await newDatabasePlace(backend)
    await using opened = new AsyncDisposableStack()
    const { history } = await openDatabases(place, opened, { onLost: () => {} })
    const asked = 'select count(*) as count from event where account_id = $1'
    const accounts = ['00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002']
    // one after the other, so that the pool uses the same connection for all
    for (const account of accounts) await history.query(asked, [account])
    const plans = await history.query(
      'select generic_plans, custom_plans from pg_prepared_statements where statement = $1',
      [asked],
    )
    expect(plans).toEqual([{ generic_plans: accounts.length, custom_plans: 0 }])
  })
})
