import type { CheckFinding, EndpointCheck } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { checkWords, remedyFor } from './check-words.ts'

const good: EndpointCheck = {
  ok: true,
  verifies: true,
  phases: { dns_ms: 2, connect_ms: 9, tls_ms: 20, first_byte_ms: 53 },
  findings: [],
}
const slow: CheckFinding = { code: 'slow', severity: 'warning', message: 'It answers in 9.1 s of 15 s.' }
const open: CheckFinding = {
  code: 'accepts_wrong_signature',
  severity: 'critical',
  message:
    'Your server accepted a request with a wrong signature. Anyone who knows the URL can send it events.',
}

test('a check without findings is summed up in one line', () => {
  expect(checkWords(good)).toEqual({
    tone: 'delivered',
    headline: 'Reached, verified, refused the forgery, 84 ms.',
  })
})

test('the most severe finding is the headline, even with other findings', () => {
  expect(checkWords({ ...good, ok: false, verifies: false, findings: [slow, open] })).toEqual({
    tone: 'exhausted',
    headline: 'Your server accepted a request with a wrong signature.',
  })
})

test('a warning does not hide that the endpoint works', () => {
  expect(checkWords({ ...good, findings: [slow] }).headline).toBe(
    'Reached, verified, refused the forgery, 84 ms. 1 thing to look at.',
  )
})

test('results that the check could not see are not claimed', () => {
  const unseen = { ...good, verifies: null, phases: { ...good.phases, first_byte_ms: null } }
  expect(checkWords(unseen).headline).toBe('Reached.')
})

test('a 429 suggests a rate limit, and a 404 suggests another URL', () => {
  const status = (message: string): CheckFinding => ({
    code: 'status_not_2xx',
    severity: 'critical',
    message,
  })
  expect(remedyFor(status('Your server answered 429. We wait as you ask.'))).toBe('set-rate-limit')
  expect(remedyFor(status('Your server answered 404. The path is wrong.'))).toBe('change-url')
  expect(remedyFor(status('Your server answered 500. It failed.'))).toBeNull()
})
