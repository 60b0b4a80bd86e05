import type { Replay } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { addedUp, estimateWords, replayHeadline, replayLabel, shownState } from './replay-words.ts'

const reader = { zone: 'utc', nowMs: Date.parse('2026-11-20T04:00:00Z') } as const

const replay: Replay = {
  id: 'rpl_01k',
  webhook_id: 'wh_01k',
  state: 'running',
  total: 1_204,
  done: 760,
  delivered: 702,
  failed_again: 29,
  pending: 29,
  seconds_left: 95,
  since: '2026-11-19T21:00:00.000Z',
  until: '2026-11-20T04:00:00.000Z',
  states: ['failed'],
  types: [],
  created_at: '2026-11-20T03:58:00.000Z',
  finished_at: null,
}

test('a running replay shows its progress, its results and the remaining time', () => {
  expect(replayHeadline(replay)).toBe('731 of 1,204 · 702 delivered · 29 failed again · 1 min 35 s left')
})

test('a stopped replay says how many deliveries were sent and how many were not', () => {
  expect(replayHeadline({ ...replay, state: 'cancelled', done: 731 })).toBe(
    'Stopped. 731 sent, 473 not sent.',
  )
})

test('a replay is done once none of its deliveries is pending', () => {
  const done = {
    ...replay,
    state: 'done',
    done: 1_204,
    delivered: 1_100,
    failed_again: 92,
    pending: 12,
    seconds_left: null,
  } as const
  expect(replayHeadline(done)).toBe('1,192 of 1,204 · 1,100 delivered · 92 failed again')
  expect(shownState(done)).toBe('running')
  expect(replayHeadline({ ...done, pending: 0, delivered: 1_112 })).toBe(
    'Done. 1,204 deliveries sent again: 1,112 delivered, 92 failed again.',
  )
})

test('a replay whose results are no longer known shows only its total', () => {
  const old = { ...replay, state: 'done', delivered: null, failed_again: null, pending: null } as const
  expect(replayHeadline(old)).toBe('Done. 1,204 deliveries sent again.')
})

test('the estimate adds up the selected states', () => {
  const estimate = addedUp([
    {
      dry_run: true,
      count: 1_140,
      first: '2026-11-19T21:12:07.000Z',
      last: '2026-11-20T03:17:55.000Z',
      estimated_seconds: 228,
    },
    {
      dry_run: true,
      count: 64,
      first: '2026-11-19T22:00:00.000Z',
      last: '2026-11-20T01:00:00.000Z',
      estimated_seconds: 13,
    },
    { dry_run: true, count: 0, first: null, last: null, estimated_seconds: 0 },
  ])
  expect(estimateWords(estimate, reader)).toBe('1,204 deliveries, 21:12:07 to 03:17:55, about 4 min.')
  expect(replayLabel(estimate.count)).toBe('Replay 1,204 deliveries')
  expect(replayLabel(1)).toBe('Replay 1 delivery')
})
