import { expect, test } from 'vitest'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { oldGarbageOf } from './old-garbage.ts'

test('most statement values are freed without a full garbage collection', async () => {
  await using place = await newDatabasePlace(newestServer())
  const statements = 2_000
  const bytes = 8_000
  expect(await oldGarbageOf(place.databaseUrl ?? '', statements, bytes)).toBeLessThan(
    (statements * bytes) / 4,
  )
})
