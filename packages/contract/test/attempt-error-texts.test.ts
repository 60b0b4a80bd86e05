import { expect, expectTypeOf, test } from 'vitest'
import {
  type AttemptErrorCode,
  type AttemptErrorDetails,
  attemptErrorCodes,
  type AttemptErrorText,
  attemptErrorTexts,
  attemptMessage,
  splitAttemptMessage,
  statusAdvice,
} from '../src/plain.ts'

const host = 'hooks.example.com'

/** A message of each code, with any details. */
const messages: Readonly<Record<AttemptErrorCode, string>> = {
  dns_failed: attemptMessage('dns_failed', { host }, 'Its name servers answered SERVFAIL.'),
  address_refused: attemptMessage('address_refused', { host }),
  connect_refused: attemptMessage('connect_refused', { host, port: '443' }),
  connect_timeout: attemptMessage('connect_timeout', { host, limit: '5' }),
  tls_failed: attemptMessage('tls_failed', { host, reason: 'it does not offer TLS 1.2 or newer' }),
  tls_name_mismatch: attemptMessage('tls_name_mismatch', { host, names: 'www.example.com, example.com' }),
  tls_expired: attemptMessage('tls_expired', { date: '2026-11-21 at 02:36 UTC' }),
  connection_reset: attemptMessage('connection_reset', { time: 'the time of this attempt' }),
  response_timeout: attemptMessage('response_timeout', { limit: '15' }),
  response_malformed: attemptMessage('response_malformed', { port: '443' }),
  redirect_refused: attemptMessage('redirect_refused', { location: 'www.example.com:8443' }),
  status_not_2xx: attemptMessage('status_not_2xx', { status: '401', advice: statusAdvice(401) }),
  request_timeout: attemptMessage('request_timeout', { limit: '15' }),
  headers_too_large: attemptMessage('headers_too_large', {}),
  aborted_by_shutdown: attemptMessage('aborted_by_shutdown', {}),
  unknown: attemptMessage('unknown', { reason: 'EWEIRD' }),
}

test('every error code has a text', () => {
  expect(Object.keys(attemptErrorTexts)).toEqual([...attemptErrorCodes])
  expectTypeOf<keyof typeof attemptErrorTexts>().toEqualTypeOf<AttemptErrorCode>()
})

test.each(attemptErrorCodes)(
  'the message of %s consists of whole sentences and splits into headline and advice',
  code => {
    const message = messages[code]
    expect(message).not.toMatch(/[{}]|undefined|\.\.|\s\s/)
    expect(message).toMatch(/^[A-Za-z].*[.)]$/)
    const { headline, advice } = splitAttemptMessage(code, message)
    expect(`${headline} ${advice}`).toBe(message)
    expect(advice).not.toBe('')
  },
)

test('a cause found by the attempt replaces the usual cause', () => {
  expect(messages.dns_failed).toBe(
    'We could not find hooks.example.com. Its name servers answered SERVFAIL. Check the spelling and the DNS zone.',
  )
  expect(splitAttemptMessage('dns_failed', messages.dns_failed)).toEqual({
    headline: 'We could not find hooks.example.com.',
    advice: 'Its name servers answered SERVFAIL. Check the spelling and the DNS zone.',
  })
})

test('a message worded by another release is treated as headline only', () => {
  const message = 'DNS has no address for hooks.example.com. Check the host name.'
  expect(splitAttemptMessage('dns_failed', message)).toEqual({ headline: message, advice: '' })
  expect(splitAttemptMessage('tls_expired', '')).toEqual({ headline: '', advice: '' })
})

test('a detail with a dollar sign, a brace or a line break is kept unchanged', () => {
  const reason = "the request cannot be sent ($& {host}\n'x')"
  expect(attemptMessage('unknown', { reason })).toContain(reason)
  expect(splitAttemptMessage('unknown', attemptMessage('unknown', { reason })).headline).toContain(reason)
})

test('each code requires its own details and no others', () => {
  expectTypeOf<AttemptErrorDetails<'connect_refused'>>().toEqualTypeOf<
    Readonly<Record<'host' | 'port', string>>
  >()
  expectTypeOf<AttemptErrorDetails<'tls_name_mismatch'>>().toEqualTypeOf<
    Readonly<Record<'host' | 'names', string>>
  >()
})

test('every status from 400 has advice, and common ones have their own', () => {
  const own = [400, 401, 403, 404, 405, 408, 410, 413, 422, 429, 500]
  const advice = own.map(statusAdvice)
  expect(advice.every(text => text !== statusAdvice(418))).toBe(true)
  for (let status = 400; status < 600; status++) expect(statusAdvice(status)).toMatch(/^[A-Z].*\.$/)
})

test('labels are short, and no text says please, sorry, oops, invalid or successful', () => {
  const texts: readonly AttemptErrorText[] = Object.values(attemptErrorTexts)
  const all = texts.flatMap(({ label, headline, cause = '', advice }) => [label, headline, cause, advice])
  for (const text of all) expect(text).not.toMatch(/oops|please|invalid|successful|sorry/i)
  for (const { label } of texts) expect(label).toMatch(/^[A-Z][\w ]{3,28}$/)
})
