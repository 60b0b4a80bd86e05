import { expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import { ConnectionLine, type Waiter } from './connection-line.ts'

function newLine(open: number) {
  const clock = { nowMs: 0 }
  const line = new ConnectionLine(() => clock.nowMs)
  for (let n = 0; n < open; n++) line.opening()
  const got: string[] = []
  const waiter = (name: string, settled = false): Waiter => ({
    settled,
    takeIdle: () => got.push(`${name} takes one`),
    openOwn: () => {
      line.opening()
      got.push(`${name} opens one`)
    },
  })
  return { clock, line, got, waiter }
}

test('nobody waits while an endpoint alone could have as many connections open', () => {
  expect(newLine(19).line.isFree).toBe(true)
  expect(newLine(20).line.isFree).toBe(false)
})

test('a connection that becomes idle goes to who has waited longest, and past those who have ended', () => {
  const { line, got, waiter } = newLine(20)
  line.wait(waiter('ended', true))
  line.wait(waiter('first'))
  line.wait(waiter('second'))
  line.becameIdle()
  line.becameIdle()
  line.becameIdle()
  expect(got).toEqual(['first takes one', 'second takes one'])
})

test('who has waited for half of what opening takes opens one, and their number grows in steps', async () => {
  const { clock, line, got, waiter } = newLine(20)
  line.opened(40)
  for (let n = 0; n < 50; n++) line.wait(waiter(String(n)))
  clock.nowMs = 20
  await until('the first have opened theirs', () => got.length > 0)
  expect(got).toHaveLength(3)
  await until('all have', () => got.length === 50)
  expect(got.every(one => one.endsWith('opens one'))).toBe(true)
})

test('where connections end, who waits opens the next at once', () => {
  const { line, got, waiter } = newLine(20)
  line.wait(waiter('first'))
  line.closed()
  expect(got).toEqual(['first opens one'])
})
