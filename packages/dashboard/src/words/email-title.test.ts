import { expect, test } from 'vitest'
import { emailTitle } from './email-title.ts'

test.each([
  ['Your receipt', null, 'Your receipt'],
  ['', '2026-11-21T04:00:00.000Z', 'Erased email'],
  ['Your receipt', '2026-11-21T04:00:00.000Z', 'Your receipt'],
  [' ', null, 'Email without a subject'],
])('an email with the subject %j, erased at %s, is called %s', (subject, erased_at, title) => {
  expect(emailTitle({ subject, erased_at })).toBe(title)
})
