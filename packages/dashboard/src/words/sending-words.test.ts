import type { SendingLimits } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { sendingState, sendingStop, sendingUse } from './sending-words.ts'

const reader = { zone: 'utc', nowMs: Date.parse('2026-11-20T09:30:00Z') } as const

function limits(given: Partial<SendingLimits> = {}): SendingLimits {
  return {
    messages_per_hour: null,
    messages_this_hour: null,
    messages_per_day: null,
    messages_this_day: null,
    suspended_at: null,
    suspended_reason: null,
    hour_ends_at: '2026-11-20T10:00:00Z',
    day_ends_at: '2026-11-21T00:00:00Z',
    ...given,
  }
}

test('an account without limits may send, and nothing is said about its use', () => {
  expect(sendingStop(limits(), 'the operator', reader)).toBeNull()
  expect(sendingUse(limits())).toBeNull()
})

test.each([
  ['bounce_rate', 'too many of its emails bounced', 'Remove the addresses that bounced'],
  ['complaint_rate', 'too many recipients complained', 'Find out who complained'],
  ['operator', 'the operator suspended it', 'To learn why'],
] as const)('a suspension for %s says since when, why, and who can lift it', (reason, why, remedy) => {
  const stop = sendingStop(
    limits({ suspended_at: '2026-11-20T08:05:00Z', suspended_reason: reason }),
    'Mailhouse',
    reader,
  )
  expect(stop?.word).toBe('Suspended')
  expect(stop?.headline).toContain(`since 20 Nov 08:05: ${why}`)
  expect(stop?.detail).toContain(remedy)
  expect(stop?.detail).toContain('ask Mailhouse: only they can lift the suspension')
})

test('a reached limit says how much was sent and when sending goes on, and the day goes before the hour', () => {
  const perHour = { messages_per_hour: 1_000, messages_this_hour: 1_000 }
  const perDay = { messages_per_day: 10_000, messages_this_day: 10_000 }
  const hour = sendingStop(limits({ ...perHour, messages_this_day: 4_000 }), 'the operator', reader)
  expect(hour?.headline).toBe('Your account has sent 1,000 of 1,000 messages this hour.')
  expect(hour?.detail).toContain('until 10:00.')
  const day = sendingStop(limits({ ...perHour, ...perDay }), 'the operator', reader)
  expect(day?.headline).toBe('Your account has sent 10,000 of 10,000 messages this day.')
  expect(day?.detail).toContain('until 21 Nov 00:00.')
})

test('the operator reads when an account at its limit may send again', () => {
  const account = (given: Partial<SendingLimits>) => {
    const about = {
      id: 'acct_1',
      name: 'Acme',
      max_endpoints: 10,
      endpoint_count: 0,
      send_traceparent: false,
    }
    return sendingState({ ...about, created_at: '2026-01-01T00:00:00Z', ...limits(given) }, reader)
  }
  const perHour = { messages_per_hour: 2, messages_this_hour: 2 }
  expect(account({})).toEqual({ maySend: true, headline: 'The account may send emails.' })
  expect(account({ ...perHour, messages_this_hour: 1 }).maySend).toBe(true)
  expect(account(perHour)).toEqual({
    maySend: false,
    headline: 'The account has sent 2 of 2 messages this hour. It may send again at 10:00.',
  })
  expect(account({ ...perHour, messages_per_day: 5, messages_this_day: 5 }).headline).toBe(
    'The account has sent 5 of 5 messages this day. It may send again at 21 Nov 00:00.',
  )
  expect(account({ messages_per_day: 0, messages_this_day: 0 })).toEqual({
    maySend: false,
    headline: 'The account may send no emails: its limit per day is 0.',
  })
})

test('a limit of zero does not end by itself', () => {
  const none = sendingStop(limits({ messages_per_day: 0, messages_this_day: 0 }), 'the operator', reader)
  expect(none?.detail).toMatch(/^We accept no new emails\. /)
})

test('below the limits, the use of each one is shown', () => {
  const used = limits({
    messages_per_hour: 1_000,
    messages_this_hour: 412,
    messages_per_day: 10_000,
    messages_this_day: 3_000,
  })
  expect(sendingStop(used, 'the operator', reader)).toBeNull()
  expect(sendingUse(used)).toBe('412 of 1,000 messages this hour, 3,000 of 10,000 messages this day')
})
