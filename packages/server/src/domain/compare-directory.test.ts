import { array, assert, constantFrom, property, record, uniqueArray, uuid } from 'fast-check'
import { expect, test } from 'vitest'
import { compareDirectory, correctionOf, type PlacedAccount } from './compare-directory.ts'

const [a, b, c] = [
  '00000000-0000-7000-8000-00000000000a',
  '00000000-0000-7000-8000-00000000000b',
  '00000000-0000-7000-8000-00000000000c',
]
const placed = (account_id: string, shard: number, moving = false): PlacedAccount => ({
  account_id,
  shard,
  moving,
})

test('each disagreement is found', () => {
  const sameCode = `10000000${a.slice(8)}`
  expect(compareDirectory([placed(a, 0)], new Map([[0, [a]]]))).toEqual([])
  expect(
    compareDirectory(
      [placed(a, 0)],
      new Map([
        [0, [a]],
        [1, [a]],
      ]),
    ),
  ).toEqual([{ problem: 'on_two_shards', account_id: a, on: [0, 1] }])
  expect(
    compareDirectory(
      [placed(a, 0)],
      new Map([
        [0, [a]],
        [1, [sameCode]],
      ]),
    ),
  ).toEqual([{ problem: 'same_code', account_id: sameCode, on: [1], other_account_id: a }])
  expect(compareDirectory([placed(b, 1)], new Map([[0, [a, b]]]))).toEqual([
    { problem: 'not_placed', account_id: a, on: [0] },
    { problem: 'placed_elsewhere', account_id: b, on: [0], placed_on: 1 },
  ])
  expect(compareDirectory([placed(c, 1)], new Map([[0, []]]))).toEqual([
    { problem: 'no_account', account_id: c, on: [], placed_on: 1 },
  ])
})

test('an account that is moving may be anywhere', () => {
  const placements = [placed(a, 0, true), placed(b, 0, true)]
  expect(
    compareDirectory(
      placements,
      new Map([
        [0, [a]],
        [1, [a]],
      ]),
    ),
  ).toEqual([])
})

test('after all corrections, the directory agrees with the shards', () => {
  const shard = constantFrom(0, 1, 2)
  const accounts = uniqueArray(record({ account_id: uuid(), shard }), {
    selector: ({ account_id }) => account_id.slice(-8),
  })
  assert(
    property(accounts, array(record({ account_id: uuid(), shard })), array(shard), (owned, stray, wrong) => {
      const directory = [
        ...owned.slice(1).map((one, at) => ({ ...one, shard: wrong[at] ?? one.shard })),
        ...stray,
      ]
      const rows = new Map<string, PlacedAccount>(
        directory.map(one => [one.account_id, { ...one, moving: false }]),
      )
      const byShard = new Map(
        [0, 1, 2].map(number => [
          number,
          owned.filter(one => one.shard === number).map(one => one.account_id),
        ]),
      )
      for (const found of compareDirectory([...rows.values()], byShard)) {
        const correction = correctionOf(found)
        expect(correction).not.toBeNull()
        if (correction?.shard === null) rows.delete(found.account_id)
        else if (correction)
          rows.set(found.account_id, { account_id: found.account_id, shard: correction.shard, moving: false })
      }
      expect(compareDirectory([...rows.values()], byShard)).toEqual([])
    }),
  )
})
