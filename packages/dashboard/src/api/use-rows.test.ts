import { expect, test } from 'vitest'
import { refreshed } from './use-rows.ts'

interface Row {
  readonly id: string
  readonly state: string
}

const idOf = ({ id }: Row): string => id
const failed = (...ids: string[]): Row[] => ids.map(id => ({ id, state: 'failed' }))

test('a visible row is updated to its new state', () => {
  const newest = { data: [{ id: 'b', state: 'exhausted' }], next_cursor: 'more' }
  expect(refreshed([failed('b', 'a')], newest, idOf)).toEqual([
    [
      { id: 'b', state: 'exhausted' },
      { id: 'a', state: 'failed' },
    ],
  ])
})

test('rows that no longer match the filters disappear; rows older than the newest page stay', () => {
  const newest = { data: failed('e', 'd', 'b'), next_cursor: 'more' }
  expect(refreshed([failed('d', 'c', 'b'), failed('a')], newest, idOf)).toEqual([
    failed('d', 'b'),
    failed('a'),
  ])
})

test('if the newest page is the whole list, rows missing from it disappear', () => {
  expect(refreshed([failed('b', 'a')], { data: failed('b'), next_cursor: null }, idOf)).toEqual([failed('b')])
})

test('new rows are not inserted on their own, and a page of unknown rows changes nothing', () => {
  expect(refreshed([failed('a')], { data: failed('z', 'y'), next_cursor: 'more' }, idOf)).toEqual([
    failed('a'),
  ])
  expect(refreshed([failed('a')], null, idOf)).toEqual([failed('a')])
})
