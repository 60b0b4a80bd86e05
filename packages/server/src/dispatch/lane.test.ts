import { expect, test } from 'vitest'
import { AccountLoad } from './account-load.ts'
import { Lane } from './lane.ts'

test('the quickest attempt of the last seconds tells what a receiver takes, until it takes longer for good', () => {
  const lane = new Lane(new AccountLoad('a'), 'endpoint', 0)
  lane.finished('success', 50, 0)
  expect(lane.quickestMs).toBe(50)
  lane.finished('success', 2, 10)
  for (let nowMs = 20; nowMs < 1_000; nowMs += 10) lane.finished('success', 50, nowMs)
  expect(lane.quickestMs).toBeLessThan(10)
  lane.finished('failure', 0, 1_000)
  expect(lane.quickestMs).toBeGreaterThan(2)
  for (let nowMs = 1_000; nowMs < 40_000; nowMs += 100) lane.finished('success', 50, nowMs)
  expect(lane.quickestMs).toBeGreaterThan(45)
})
