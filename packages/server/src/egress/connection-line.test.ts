import { expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import { ConnectionLine, type Waiter } from './connection-line.ts'
import { Opening } from './opening.ts'

function newLine({ open = 0, opening = 0 }) {
  const clock = { nowMs: 0 }
  const line = new ConnectionLine(() => clock.nowMs)
  const openings: Opening[] = []
  const got: string[] = []
  const waiter = (name: string, { settled = false, fit = true } = {}): Waiter => ({
    settled,
    takeIdle: () => {
      got.push(`${name} ${fit ? 'takes one' : 'finds none'}`)
      return fit
    },
    openOwn() {
      got.push(`${name} opens one`)
      const opening = new Opening()
      openings.push(opening)
      line.opening(opening, this)
    },
  })
  const oldest = (): Opening => openings.shift() ?? expect.fail('no connection is being opened')
  const opened = (): void => line.opened(oldest(), 40)
  const failed = (): void => line.failed(oldest())
  const ended = waiter('ended', { settled: true })
  for (let n = 0; n < open + opening; n++) ended.openOwn()
  for (let n = 0; n < open; n++) opened()
  got.length = 0
  const wait = (count: number): void => {
    for (let n = 0; n < count; n++) line.wait(waiter(String(n)))
  }
  return { clock, line, got, waiter, wait, opened, failed }
}

test('nobody waits while an endpoint alone could have as many connections', () => {
  expect(newLine({ open: 9, opening: 10 }).line.isFree).toBe(true)
  expect(newLine({ open: 10, opening: 10 }).line.isFree).toBe(false)
})

test('a connection that becomes idle goes to who has waited longest, and past those who have ended', () => {
  const { line, got, waiter } = newLine({ open: 20 })
  line.wait(waiter('ended', { settled: true }))
  line.wait(waiter('first'))
  line.wait(waiter('second'))
  line.becameIdle()
  line.becameIdle()
  line.becameIdle()
  expect(got).toEqual(['first takes one', 'second takes one'])
})

test('who is opening one takes what becomes idle sooner, and what was opened is then for who waits', () => {
  const { line, got, waiter, opened } = newLine({ open: 19 })
  waiter('opener').openOwn()
  line.wait(waiter('waiting'))
  line.becameIdle()
  opened()
  line.becameIdle()
  expect(got).toEqual(['opener opens one', 'opener takes one', 'waiting takes one'])
})

test('where what became idle is not fit for use, who waits opens one, and who is opening one goes on', () => {
  const { line, got, waiter, opened } = newLine({ open: 19 })
  line.wait(waiter('waiting', { fit: false }))
  line.becameIdle()
  line.becameIdle()
  opened()
  line.becameIdle()
  expect(got).toEqual(['waiting finds none', 'waiting opens one', 'waiting finds none'])
})

test('who has waited for half of what opening takes opens one, and their number grows in steps', async () => {
  const { clock, got, wait } = newLine({ open: 20 })
  wait(50)
  clock.nowMs = 20
  await until('the first have opened theirs', () => got.length > 0)
  expect(got).toEqual(['0 opens one', '1 opens one', '2 opens one'])
})

test.each([
  [20, 20],
  [79, 20],
  [197, 50],
])(
  'of %i that are open no more than %i are being opened at once, until one of these is open or failed',
  async (open, atOnce) => {
    const { clock, got, wait, opened, failed } = newLine({ open })
    wait(500)
    clock.nowMs = 1_000
    await until('as many are being opened as may be', () => got.length === atOnce)
    failed()
    await until('the next follows it', () => got.length === atOnce + 1)
    opened()
    await until('the next follows it', () => got.length === atOnce + 2)
  },
)

test('a host that lets nobody in is tried by all that wait for it', async () => {
  const { clock, got, wait } = newLine({ opening: 20 })
  wait(100)
  clock.nowMs = 100
  await until('all have tried', () => got.length === 100)
})

test.each(['closed', 'failed'] as const)(
  'where connections have %s, who waits opens the next at once',
  how => {
    const { line, got, waiter, failed } = newLine(how === 'closed' ? { open: 20 } : { opening: 20 })
    line.wait(waiter('first'))
    if (how === 'closed') line.closed()
    else failed()
    expect(got).toEqual(['first opens one'])
  },
)
