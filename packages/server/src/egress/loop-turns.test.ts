import { expect, test } from 'vitest'
import { LoopTurns } from './loop-turns.ts'

test('what waits until the sockets were looked at runs at the end of this turn where that is a moment ago', async () => {
  const { passBusy, turnsUntilRun } = await open()
  passBusy(2)
  expect(await turnsUntilRun()).toBe(1)
})

test('after a turn that took long it runs at the end of the next one', async () => {
  const { passBusy, turnsUntilRun } = await open()
  passBusy(2.1)
  expect(await turnsUntilRun()).toBe(2)
})

test('a turn counts as long by all that was done since one was counted: nobody knows when the loop looked', async () => {
  const { passBusy, turnsUntilRun } = await open()
  passBusy(1.5)
  await nextTurn()
  passBusy(1.5)
  expect(await turnsUntilRun()).toBe(2)
  passBusy(1.5)
  expect(await turnsUntilRun()).toBe(1)
})

test('what is asked for while others run waits for the next look, which comes after all of them', async () => {
  const { turns, passBusy, turnsUntilRun } = await open()
  let inner: Promise<number> | undefined
  turns.afterLooking(() => {
    inner = turnsUntilRun()
    passBusy(3)
  })
  expect(await turnsUntilRun()).toBe(1)
  expect(await inner).toBe(1)
})

/** Turns of which one has just been counted, on a clock of their own. */
async function open() {
  let busyMs = 100
  const turns = new LoopTurns(() => busyMs)
  expect(turns.current).toBe(0)
  await nextTurn()
  return {
    turns,
    passBusy: (ms: number) => (busyMs += ms),
    /** 1 when it runs at the end of the turn in which this is called. */
    turnsUntilRun: async () => {
      const from = turns.current
      return await new Promise<number>(resolve => turns.afterLooking(() => resolve(turns.current - from)))
    },
  }
}

async function nextTurn(): Promise<void> {
  await new Promise(resolve => setImmediate(resolve))
}
