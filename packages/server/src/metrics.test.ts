import { expect, test } from 'vitest'
import { BulkPace } from './domain/bulk-pace.ts'
import { createMetrics } from './metrics.ts'

test('whoever wonders why a burst is slow reads its pace, and that it has none once nobody waits for it', async () => {
  let nowMs = 0
  const pace = new BulkPace()
  const metrics = createMetrics({
    queue: async () => await Promise.resolve({ waiting: 0, oldestDueSeconds: 0 }),
    dispatcher: { load: { inFlight: 0, queued: 0, unsettled: 0 } },
    egress: { openSockets: 0 },
    pace,
    clock: { monotonicMs: () => nowMs },
    clockSkew: { skewMs: 0 },
    gate: { isStopped: false },
  })
  const shown = async (): Promise<number> =>
    Number(/^posthorn_bulk_pace_per_second (\S+)$/m.exec(await metrics.text())?.[1])

  expect(await shown()).toBe(0)
  // so many in a quarter of a second that bulk makes all the way that it can
  pace.storedFew(0, 1, 100)
  nowMs = 1
  expect(await shown()).toBe(pace.perMs(nowMs) * 1_000)
  expect(await shown()).toBeGreaterThan(0)
  nowMs = 2_000
  expect(await shown()).toBe(0)
})
