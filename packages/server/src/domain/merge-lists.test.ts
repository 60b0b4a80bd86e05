import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { mergeLists } from './merge-lists.ts'
import { typeId } from './type-id.ts'

interface Item {
  id: string
}

interface Page {
  data: Item[]
  next_cursor: string | null
}

/** One page of the list of a shard, as the shard answers it. */
function pageOf(uuids: readonly string[], limit: number, cursor: string | null): Page {
  const before = cursor === null ? null : (decodeCursor(cursor)?.[0] ?? '')
  const rest = uuids
    .filter(uuid => before === null || uuid < before)
    .sort()
    .reverse()
  const shown = rest.slice(0, limit)
  const last = shown.at(-1)
  return {
    data: shown.map((uuid): Item => ({ id: typeId('acct', uuid) })),
    next_cursor: rest.length > limit && last !== undefined ? encodeCursor([last]) : null,
  }
}

const uuids = fc.uniqueArray(fc.uuid({ version: 7 }), { maxLength: 40 })
const shards = 4

test('the pages of a list over shards, one after the other, are the whole list', () => {
  fc.assert(
    fc.property(
      uuids,
      fc.infiniteStream(fc.nat(shards - 1)),
      fc.integer({ min: 1, max: 12 }),
      (all, where, limit) => {
        const placed = all.map(uuid => ({ uuid, shard: where.next().value as number }))
        const lists = Array.from({ length: shards }, (_, n) =>
          placed.filter(({ shard }) => shard === n).map(({ uuid }) => uuid),
        )
        let cursor: string | null = null
        const found: Item[] = []
        do {
          const from: string | null = cursor
          const page: Page = mergeLists(
            lists.map(list => pageOf(list, limit, from)),
            limit,
            'acct',
          )
          expect(page).toEqual(pageOf(all, limit, from))
          found.push(...page.data)
          cursor = page.next_cursor
        } while (cursor !== null)
        expect(found).toEqual(pageOf(all, all.length, null).data)
      },
    ),
    { numRuns: 500 },
  )
})
