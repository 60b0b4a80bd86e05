import { expect, test } from 'vitest'
import { redirectWords } from './redirect-words.ts'

const from = 'https://api.acme.test/webhooks/mail'

test.each([
  ['https://api.acme.test/webhooks/mail/', '/webhooks/mail/', 'Only the slash at the end is missing here.'],
  ['https://api.acme.test/login?next=x', '/login?next=x', null],
  [
    'https://www.api.acme.test/webhooks/mail',
    'https://www.api.acme.test/webhooks/mail',
    'Only the www. differs.',
  ],
  ['https://elsewhere.test/', 'https://elsewhere.test/', null],
])('a redirect to %s is shown as %s: %s', (to, target, difference) => {
  expect(redirectWords(from, to)).toEqual({ target, difference })
})

test('an extra trailing slash is reported differently from a missing one', () => {
  expect(redirectWords(`${from}/`, from).difference).toBe('Only the slash at the end must be removed here.')
})

test('for a redirect from http to https only the scheme is reported', () => {
  expect(redirectWords('http://a.test/x', 'https://a.test/x').difference).toBe('Only http: must be https:')
})
