import { afterAll, beforeAll, expect } from 'vitest'
import { until } from '../support/until.ts'
import * as behaves from './behaviours.ts'
import { fault } from './fault.ts'
import { startFaultReceiver } from './fault-receiver.ts'
import { type FaultyEndpoints, retriesAtOnce, startFaultyEndpoints } from './faulty-endpoints.ts'

const triesMax = 13
const inTenMinutes = new Date(Date.now() + 600_000).toUTCString()
/** The header, and the minimum delay that follows in seconds; null if the header must have no effect. */
const spellings: ReadonlyArray<readonly [status: number, asked: string, waitSeconds: number | null]> = [
  [429, '5', 5],
  [503, ' 5 ', 5],
  [409, '7', 7],
  [429, '1000000000', 3_600],
  [503, '99999999999999999999', 3_600],
  [503, inTenMinutes, 600],
  [503, 'Thu, 01 Jan 1970 00:00:00 GMT', 1],
  [429, '0', 1],
  [429, '-1', null],
  [429, '5.5', null],
  [503, 'soon', null],
  [503, '', null],
  [500, '3600', null],
]
const nameOf = (n: number): string => `spelling ${n}`
let endpoints: FaultyEndpoints
const opened = new AsyncDisposableStack()
beforeAll(async () => {
  const receivers = await Promise.all(
    spellings.map(async ([status, asked]) =>
      opened.use(await startFaultReceiver(behaves.answers(status, { 'retry-after': asked }))),
    ),
  )
  endpoints = opened.use(
    await startFaultyEndpoints(
      Object.fromEntries(receivers.map((receiver, n) => [nameOf(n), receiver])),
      retriesAtOnce,
    ),
  )
  await endpoints.sendAll()
})
afterAll(async () => await opened.disposeAsync())

fault(
  'F36',
  'valid Retry-After delays are obeyed between one second and one hour; all others are ignored',
  async seen => {
    for (const [n, [status, asked, waitSeconds]] of spellings.entries()) {
      const what = `${status}, Retry-After: ${asked}`
      const { delivery } = await until(`${what}: what follows is decided`, async () => {
        const told = await endpoints.told(nameOf(n))
        const { attempt_count: count, next_attempt_at: next } = told.delivery
        return (waitSeconds === null ? count === triesMax : next !== null) && told
      })
      if (waitSeconds === null) {
        expect(delivery, what).toMatchObject({ state: 'exhausted', reason: 'retries_used' })
        continue
      }
      const { next_attempt_at: next, last_attempt_at: last } = delivery
      const waitMs = Date.parse(next ?? '') - Date.parse(last ?? '')
      // the date was computed before the test began
      const passedMs = asked === inTenMinutes ? 60_000 : 0
      expect(waitMs, what).toBeGreaterThanOrEqual(waitSeconds * 1_000 - passedMs - 1)
      expect(waitMs, what).toBeLessThanOrEqual(waitSeconds * 1_000 + 1)
    }
    seen(`${spellings.length} spellings`)
  },
)
