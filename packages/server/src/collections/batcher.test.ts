import { expect, test } from 'vitest'
import { Batcher, type BatcherOptions } from './batcher.ts'

/** A batcher of numbers whose flushes end when the test says so, and what it did in order. */
function open(overrides: Partial<BatcherOptions<number, string>> = {}) {
  const seen: string[] = []
  const flushes: Array<PromiseWithResolvers<string>> = []
  const batcher = new Batcher<number, string>({
    next: gathered => ({ batch: gathered, later: [] }),
    flush: async batch => {
      seen.push(`flush ${batch.join(' ')}`)
      const flush = Promise.withResolvers<string>()
      flushes.push(flush)
      return await flush.promise
    },
    done: (batch, result) => {
      seen.push(`done ${batch.join(' ')}: ${result}`)
    },
    failed: async batch => {
      seen.push(`failed ${batch.join(' ')}`)
      return await Promise.resolve(batch)
    },
    ...overrides,
  })
  const end = async (outcome: string | Error): Promise<void> => {
    const flush = flushes.shift()
    if (outcome instanceof Error) flush?.reject(outcome)
    else flush?.resolve(outcome)
    await turn()
  }
  return { batcher, seen, end }
}

const turn = async (): Promise<void> => {
  for (let n = 0; n < 3; n++) await new Promise(resolve => setImmediate(resolve))
}

test('items added in one turn of the event loop or during a flush form one batch', async () => {
  const { batcher, seen, end } = open()
  for (const item of [1, 2]) batcher.add(item)
  await turn()
  for (const item of [3, 4, 5]) batcher.add(item)
  await turn()
  expect([seen, batcher.size]).toEqual([['flush 1 2'], 5])
  await end('first')
  expect(seen).toEqual(['flush 1 2', 'flush 3 4 5', 'done 1 2: first'])
  await end('second')
  await batcher.drain()
  expect([seen.at(-1), batcher.size]).toEqual(['done 3 4 5: second', 0])
})

test('the next flush starts before the last results are reported, and a drain waits for all results', async () => {
  const { batcher, seen, end } = open()
  batcher.add(1)
  await turn()
  batcher.add(2)
  await end('first')
  expect(seen).toEqual(['flush 1', 'flush 2', 'done 1: first'])
  const drained = batcher.drain().then(() => seen.push('drained'))
  await end('second')
  await drained
  expect(seen.slice(3)).toEqual(['done 2: second', 'drained'])
})

test('failed items are flushed again before all others', async () => {
  const { batcher, seen, end } = open()
  for (const item of [1, 2]) batcher.add(item)
  await turn()
  batcher.add(3)
  await end(new Error('away'))
  expect(seen).toEqual(['flush 1 2', 'failed 1 2', 'flush 1 2 3'])
  await end('again')
  expect(seen.at(-1)).toBe('done 1 2 3: again')
})

test('postponed items stay queued until a wake-up or a new item, and none is lost', async () => {
  let isDelayed = true
  const { batcher, seen, end } = open({
    next: gathered => ({
      batch: gathered.filter(item => item > 0 || !isDelayed),
      later: gathered.filter(item => item < 0 && isDelayed),
    }),
  })
  batcher.add(-1)
  await batcher.drain()
  expect([seen, batcher.size]).toEqual([[], 1])
  batcher.add(2)
  await turn()
  await end('')
  expect([seen, batcher.size]).toEqual([['flush 2', 'done 2: '], 1])
  isDelayed = false
  batcher.wake()
  await turn()
  expect(seen.at(-1)).toBe('flush -1')
  await end('')
})

test('flushes keep their interval unless enough items are gathered', async () => {
  let nowMs = 0
  const slept: number[] = []
  const { batcher, seen, end } = open({
    pace: {
      everyMs: 50,
      fullAt: 3,
      monotonicMs: () => nowMs,
      sleep: async ms => {
        slept.push(ms)
        nowMs += ms
        await Promise.resolve()
      },
    },
  })
  const flush = async (items: readonly number[], afterMs: number): Promise<void> => {
    nowMs += afterMs
    for (const item of items) batcher.add(item)
    await turn()
    await end('')
  }
  await flush([1], 0)
  // after 20 ms there are 30 to go
  await flush([2], 20)
  await flush([3, 4, 5], 10)
  await flush([6], 60)
  expect(slept).toEqual([30])
  expect(seen.filter(what => what.startsWith('flush'))).toEqual([
    'flush 1',
    'flush 2',
    'flush 3 4 5',
    'flush 6',
  ])
})
