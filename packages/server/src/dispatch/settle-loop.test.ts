import { expect, test } from 'vitest'
import type { Settlement } from './settle.ts'
import { SettleLoop } from './settle-loop.ts'

const result = (deliveryId: string): Settlement =>
  ({ taken: { deliveryId, accountId: 'a' }, verdict: {}, attempt: null }) as unknown as Settlement

const turn = async (): Promise<void> => await new Promise(resolve => setImmediate(resolve))

/** A loop whose statements take two milliseconds, and whose rests end when the test says so. */
function open() {
  const batches: string[][] = []
  const rests: number[] = []
  let nowMs = 0
  let endRest = (): void => {}
  const loop = new SettleLoop({
    spacingMs: 8,
    settle: async batch => {
      await turn()
      nowMs += 2
      batches.push(batch.map(({ taken }) => taken.deliveryId))
    },
    unwritten: async batch => await Promise.resolve([...batch]),
    onSettled: () => {},
    onError: () => {},
    clock: { monotonicMs: () => nowMs },
    rest: async ms => {
      rests.push(ms)
      await new Promise<void>(resolve => (endRest = resolve))
      nowMs += ms
    },
    retryDelayMs: 250,
  })
  const until = async (met: () => boolean): Promise<void> => {
    for (let turns = 0; !met(); turns++) {
      if (turns > 1_000) throw new Error('it never came to that')
      await turn()
    }
  }
  return { loop, batches, rests, until, endRest: () => endRest() }
}

test('a result that comes after a while is written at once, and those that follow it closely together', async () => {
  const { loop, batches, rests, until, endRest } = open()
  loop.add(result('first'))
  await loop.drain()
  expect([batches, rests]).toEqual([[['first']], []])
  loop.add(result('second'))
  await until(() => rests.length === 1)
  loop.add(result('third'))
  endRest()
  await loop.drain()
  // eight milliseconds after the first began, which took two
  expect([batches, rests]).toEqual([[['first'], ['second', 'third']], [6]])
})

test('a result is unsettled until it is written, also while it is on its way, and again once that has failed', async () => {
  const seen: string[] = []
  const say = (when: string): number => seen.push(`${when}: ${loop.unsettled}, ${loop.gathered} gathered`)
  let failures = 1
  const loop: SettleLoop = new SettleLoop({
    spacingMs: 8,
    settle: async () => {
      say('on its way')
      await turn()
      if (failures-- > 0) throw new Error('the database is away')
    },
    unwritten: async batch => await Promise.resolve([...batch]),
    onSettled: () => say('written'),
    onError: () => say('failed'),
    clock: { monotonicMs: () => 0 },
    rest: async () => {
      say('waits')
      await turn()
    },
    retryDelayMs: 250,
  })
  loop.add(result('one'))
  say('added')
  await loop.drain()
  expect(seen).toEqual([
    'added: 1, 1 gathered',
    'on its way: 1, 0 gathered',
    'failed: 1, 1 gathered',
    'waits: 1, 1 gathered',
    'waits: 1, 1 gathered',
    'on its way: 1, 0 gathered',
    'written: 0, 0 gathered',
  ])
})

test('as many results as a statement takes do not wait for more, and one less does', async () => {
  const { loop, batches, rests, until, endRest } = open()
  loop.add(result('first'))
  await loop.drain()
  const many = Array.from({ length: 1_000 }, (_, n) => `${n}`)
  for (const id of many) loop.add(result(id))
  await until(() => batches.length === 2)
  expect([batches, rests]).toEqual([[['first'], many], []])
  for (const id of many.slice(1)) loop.add(result(id))
  await until(() => rests.length === 1)
  expect(batches).toHaveLength(2)
  endRest()
  await loop.drain()
})
