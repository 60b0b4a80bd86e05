import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TimerHeap } from './timer-heap.ts'

test('due items come out in order of their due time, and none comes out early', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ add: fc.integer({ min: 0, max: 1_000 }) }),
      fc.record({ take: fc.integer({ min: 0, max: 1_000 }) }),
    ),
    { maxLength: 200 },
  )
  fc.assert(
    fc.property(steps, all => {
      const heap = new TimerHeap<number>()
      let expected: number[] = []
      for (const step of all) {
        if ('add' in step) {
          heap.add(step.add, step.add)
          expected.push(step.add)
        } else {
          const due = expected.filter(atMs => atMs <= step.take).toSorted((a, b) => a - b)
          expect(heap.removeUntil(step.take)).toEqual(due)
          expected = expected.filter(atMs => atMs > step.take)
        }
        expect(heap.size).toBe(expected.length)
        expect(heap.firstAtMs).toBe(Math.min(...expected))
      }
    }),
  )
})
