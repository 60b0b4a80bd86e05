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

test('a slash too many is told from one that is missing', () => {
  expect(redirectWords(`${from}/`, from).difference).toBe('Only the slash at the end must be removed here.')
})

test('a redirect from http to https differs in that alone', () => {
  expect(redirectWords('http://a.test/x', 'https://a.test/x').difference).toBe('Only http: must be https:')
})
