import { expect, test } from 'vitest'
import { directoryFlaw, shardFlaw } from './shard-flaw.ts'

const front = { installationId: 'ours', schema: 7 }

test.each([
  [7, null],
  [6, null],
  [5, 'its schema has version 5, but this front needs 6 or 7: upgrade the shard'],
  [8, 'its schema has version 8, but this front knows only 7: upgrade the front first'],
])('a front of schema 7 with a shard of schema %s', (schema, flaw) => {
  expect(shardFlaw({ installationId: 'ours', schema }, front)).toBe(flaw)
})

test('a shard must belong to the installation, as soon as it is known', () => {
  const stranger = { installationId: 'theirs', schema: 7 }
  expect(shardFlaw(stranger, front)).toMatch(/another installation/)
  expect(shardFlaw(stranger, { ...front, installationId: null })).toBeNull()
})

test('the shards must fit the directory', () => {
  const shard = { number: 1, accounts: 3, placed: 3, arriving: 0, isInDirectory: true }
  // a place without an account is normal, because it is reserved first
  expect(directoryFlaw([shard, { ...shard, number: 2, placed: 4 }])).toBeNull()
  expect(directoryFlaw([{ ...shard, accounts: null }])).toBeNull()
  expect(directoryFlaw([shard, { ...shard, number: 2, placed: 2 }])).toMatch(/^shard 2 has 3 accounts/)
  // the end of a move was interrupted
  expect(directoryFlaw([{ ...shard, placed: 2, arriving: 1 }])).toBeNull()
  expect(directoryFlaw([{ ...shard, isInDirectory: false }])).toMatch(/posthorn shards add/)
})
