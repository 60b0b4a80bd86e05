import { expect, test } from 'vitest'
import { refreshed } from './use-rows.ts'

interface Row {
  readonly id: string
  readonly state: string
}

const idOf = ({ id }: Row): string => id
const failed = (...ids: string[]): Row[] => ids.map(id => ({ id, state: 'failed' }))

test('a shown row shows what became of it', () => {
  const newest = { data: [{ id: 'b', state: 'exhausted' }], next_cursor: 'more' }
  expect(refreshed([failed('b', 'a')], newest, idOf)).toEqual([
    [
      { id: 'b', state: 'exhausted' },
      { id: 'a', state: 'failed' },
    ],
  ])
})

test('what no longer passes the filters goes; what is older than the newest page is not touched', () => {
  const newest = { data: failed('e', 'd', 'b'), next_cursor: 'more' }
  expect(refreshed([failed('d', 'c', 'b'), failed('a')], newest, idOf)).toEqual([
    failed('d', 'b'),
    failed('a'),
  ])
})

test('when the newest page holds everything, what it does not hold is gone', () => {
  expect(refreshed([failed('b', 'a')], { data: failed('b'), next_cursor: null }, idOf)).toEqual([failed('b')])
})

test('new rows are not put in by themselves, and a newest page of strangers moves nothing', () => {
  expect(refreshed([failed('a')], { data: failed('z', 'y'), next_cursor: 'more' }, idOf)).toEqual([
    failed('a'),
  ])
  expect(refreshed([failed('a')], null, idOf)).toEqual([failed('a')])
})
