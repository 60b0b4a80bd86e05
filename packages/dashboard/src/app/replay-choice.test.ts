import { expect, test } from 'vitest'
import { chosenStates, replayChoice } from './replay-choice.ts'

test('a replay covers failed and exhausted deliveries, unless the address says otherwise', () => {
  expect(chosenStates(replayChoice({}))).toEqual(['failed', 'exhausted'])
  expect(chosenStates(replayChoice({ states: 'delivered,failed' }))).toEqual(['failed', 'delivered'])
  expect(chosenStates(replayChoice({ states: '' }))).toEqual([])
  expect(replayChoice({ states: 'failed,exhausted' })).toEqual({})
})

test('a window limit that is not a timestamp is ignored', () => {
  expect(replayChoice({ since: 'yesterday', until: '2026-11-20T03:18:00Z' })).toEqual({
    until: '2026-11-20T03:18:00Z',
  })
})

test('a window limit may have a leap second and lower-case letters', () => {
  expect(replayChoice({ since: '2016-12-31t23:59:60z' })).toEqual({ since: '2017-01-01T00:00:00.000Z' })
})
