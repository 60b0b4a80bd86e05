import { attemptErrorCodes } from '@posthorn/contract/plain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limitWords, phaseSpans, phaseWords } from './phase-spans.ts'
import { timeTicksMs } from './time-ticks.ts'

const none = { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null }

test('with an expired certificate the attempt stops in TLS, which gets the remaining time', () => {
  const spans = phaseSpans({
    phases: { ...none, dns_ms: 2, connect_ms: 9 },
    duration_ms: 48,
    status_code: null,
    error: { code: 'tls_expired' },
  })
  expect(phaseWords(spans)).toBe('DNS 2 ms · connect 9 ms · stopped in TLS after 37 ms')
  expect(spans.at(-1)).toEqual({ phase: 'tls', fromMs: 11, ms: 37, stopped: true })
})

test('a 500 response stops no phase: the receiver used the time', () => {
  const spans = phaseSpans({
    phases: { dns_ms: 1, connect_ms: 2, tls_ms: 30, first_byte_ms: 1_790 },
    duration_ms: 1_823,
    status_code: 500,
    error: { code: 'status_not_2xx' },
  })
  expect(phaseWords(spans)).toBe('DNS 1 ms · connect 2 ms · TLS 30 ms · your server 1.8 s')
})

test('the limit that was reached is shown with the phase that used the time', () => {
  const phases = { ...none, dns_ms: 1, connect_ms: 2, tls_ms: 40 }
  const message = 'Your server did not answer within 15 s. It had received the whole request.'
  const error = { code: 'response_timeout' as const, message }
  const given = { phases, duration_ms: 15_003, status_code: null, error }
  expect(limitWords(given)).toBe('15.0 s of 15 s, 15.0 s of it waiting for your server')
  expect(limitWords({ ...given, duration_ms: 800 })).toBeNull()
  const connect = {
    code: 'connect_timeout' as const,
    message: 'We could not connect to x within 5 s. A firewall…',
  }
  expect(
    limitWords({ phases: { ...none, dns_ms: 900 }, duration_ms: 5_901, status_code: null, error: connect }),
  ).toBe('5.0 s of 5 s, 5.0 s of it connecting')
})

test('the phases of any attempt follow each other without a gap and end with the attempt', () => {
  const ms = fc.option(fc.double({ min: 0, max: 5_000, noNaN: true }))
  const attempt = fc.record({
    phases: fc.record({ dns_ms: ms, connect_ms: ms, tls_ms: ms, first_byte_ms: ms }),
    duration_ms: fc.double({ min: 20_000, max: 40_000, noNaN: true }),
    status_code: fc.option(fc.integer({ min: 200, max: 599 })),
    error: fc.option(fc.record({ code: fc.constantFrom(...attemptErrorCodes) })),
  })
  fc.assert(
    fc.property(attempt, given => {
      const spans = phaseSpans(given)
      let endMs = 0
      for (const span of spans) {
        expect(span.fromMs).toBeCloseTo(endMs, 6)
        endMs = span.fromMs + span.ms
      }
      expect(endMs).toBeCloseTo(given.duration_ms, 6)
      expect(spans.filter(span => span.stopped).length).toBe(
        given.error !== null && given.status_code === null ? 1 : 0,
      )
    }),
  )
})

test('the shared scale covers the longest attempt with at most 6 round ticks', () => {
  expect(timeTicksMs(1_920)).toEqual([0, 500, 1_000, 1_500, 2_000])
  expect(timeTicksMs(0)).toEqual([0, 0.5])
  fc.assert(
    fc.property(fc.double({ min: 0, max: 60_000, noNaN: true }), maxMs => {
      const ticks = timeTicksMs(maxMs)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(maxMs * 0.999_999)
      expect(ticks.length).toBeLessThanOrEqual(6)
    }),
  )
})
