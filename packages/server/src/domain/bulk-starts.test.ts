import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BulkStarts } from './bulk-starts.ts'

const many = 500

/** Begins whatever may begin of an account, millisecond by millisecond, and says how many that were. */
function begun(starts: BulkStarts, accountId: string, fromMs: number, untilMs: number): number {
  let count = 0
  for (let nowMs = fromMs; nowMs < untilMs; nowMs++) {
    while (!starts.mustWait(accountId, many, nowMs) && count < 100_000) {
      starts.begins(accountId, many, nowMs)
      count++
    }
  }
  return count
}

test('what was reported in bulk begins at the pace, and nobody else waits', () => {
  const starts = new BulkStarts(() => 2)
  starts.reported('bursting', 0)
  const inASecond = begun(starts, 'bursting', 0, 1_000)
  expect(inASecond).toBeGreaterThan(1_950)
  expect(inASecond).toBeLessThanOrEqual(2_008)
  expect(starts.mustWait('bursting', many, 999)).toBe(true)
  expect(starts.mustWait('other', many, 999)).toBe(false)
})

test('who has little unstarted waits for no pace, in however large a report it came, and takes nothing of it', () => {
  const starts = new BulkStarts(() => 1)
  for (const accountId of ['large', 'small']) starts.reported(accountId, 0)
  for (let n = 0; n < 100; n++) starts.begins('small', 20, 0)
  expect(starts.mustWait('small', 20, 0)).toBe(false)
  expect(begun(starts, 'large', 0, 1)).toBe(4)
})

test('of twenty thousand accounts and one that report in bulk the one whose report is the longest ago is like any other', () => {
  const starts = new BulkStarts(() => 1)
  for (let n = 0; n < 20_000; n++) starts.reported(`account ${n}`, 0)
  for (const accountId of ['account 0', 'one more']) starts.reported(accountId, 0)
  const rooms = ['account 0', 'account 1', 'one more'].map(accountId => starts.roomOf(accountId, 1))
  expect(rooms).toEqual([400, Number.POSITIVE_INFINITY, 400])
})

test('where nobody needs a pace there is none', () => {
  const starts = new BulkStarts(() => Number.POSITIVE_INFINITY)
  starts.reported('bursting', 0)
  expect(begun(starts, 'bursting', 0, 1)).toBe(100_000)
  expect(starts.roomOf('bursting', 1)).toBe(Number.POSITIVE_INFINITY)
})

test('after a pause no more begins at once than four milliseconds are worth', () => {
  const starts = new BulkStarts(() => 3)
  starts.reported('bursting', 0)
  begun(starts, 'bursting', 0, 100)
  expect(begun(starts, 'bursting', 5_000, 5_001)).toBe(12)
})

test('less than one a millisecond is a pace as well', () => {
  const starts = new BulkStarts(() => 0.25)
  starts.reported('bursting', 0)
  expect(begun(starts, 'bursting', 0, 400)).toBe(100)
})

test('an account counts as one that reports in bulk until ten seconds after its last report and its last beginning', () => {
  const starts = new BulkStarts(() => 1)
  starts.reported('bursting', 0)
  begun(starts, 'bursting', 9_000, 9_001)
  expect(starts.mustWait('bursting', many, 9_000)).toBe(true)
  expect([18_999, 19_000].map(nowMs => starts.roomOf('bursting', nowMs))).toEqual([
    400,
    Number.POSITIVE_INFINITY,
  ])
})

test('no more is held than will have begun long before its second is over', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.1, max: 50, noNaN: true }), perMs => {
      const starts = new BulkStarts(() => perMs)
      starts.reported('bursting', 0)
      expect(starts.roomOf('bursting', 1) / perMs).toBeLessThan(500)
    }),
  )
})
