import { expect, test } from 'vitest'
import { embedded, openTestDatabase } from '../support/test-database.ts'

test('the embedded database answers whole, wherever its buffer of 8 KiB cuts the answer', async () => {
  await using db = await openTestDatabase(embedded)
  const lengths = Array.from({ length: 200 }, (_, n) => 8_000 + n)
  for (const length of lengths) {
    const [row] = await db.query<{ text: string }>(`select repeat('x', $1::int) as text`, [length])
    expect(row?.text).toHaveLength(length)
  }
})
