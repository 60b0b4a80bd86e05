import { expect, test } from 'vitest'
import { ReadingRoom } from './reading-room.ts'

const kilobyte = 1024

/** Who has entered, in order, and a way to let each leave. */
function visitors(room: ReadingRoom): {
  come: (caller: string, kilobytes: number) => void
  leave: (caller: string) => Promise<void>
  entered: string[]
} {
  const entered: string[] = []
  const inside = new Map<string, Disposable>()
  return {
    entered,
    come: (caller, kilobytes) => {
      void room.enter(caller, kilobytes * kilobyte).then(place => {
        entered.push(caller)
        inside.set(caller, place)
      })
    },
    leave: async caller => {
      await settled()
      inside.get(caller)?.[Symbol.dispose]()
      await settled()
    },
  }
}
const settled = async (): Promise<void> => await new Promise(resolve => setImmediate(resolve))

test('two usual reports are read at a time, and the next when one of them is done with', async () => {
  const { come, leave, entered } = visitors(new ReadingRoom())
  for (const caller of ['a', 'b', 'c', 'd']) come(caller, 260)
  await settled()
  expect(entered).toEqual(['a', 'b'])
  await leave('b')
  expect(entered).toEqual(['a', 'b', 'c'])
})

test('callers take turns, however many reports one of them has sent', async () => {
  const { come, leave, entered } = visitors(new ReadingRoom())
  for (let n = 0; n < 5; n++) come('many', 600)
  come('one', 600)
  come('other', 600)
  await leave('many')
  await leave('many')
  await leave('one')
  await leave('other')
  expect(entered).toEqual(['many', 'many', 'one', 'other', 'many'])
})

test('what is larger than the room has it alone, and is not passed by smaller ones', async () => {
  const { come, leave, entered } = visitors(new ReadingRoom())
  come('small', 20)
  come('huge', 10_000)
  come('later', 20)
  await settled()
  expect(entered).toEqual(['small'])
  await leave('small')
  expect(entered).toEqual(['small', 'huge'])
  await leave('huge')
  expect(entered).toEqual(['small', 'huge', 'later'])
})
