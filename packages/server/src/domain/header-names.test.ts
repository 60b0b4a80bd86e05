import { expect, test } from 'vitest'
import { parseHeaderPrefix } from './header-names.ts'

test.each(['X-Service', 'X-Acme', 'X-Acme-Mail2'])('%s can begin the names of headers', prefix => {
  expect(parseHeaderPrefix(prefix)).toBe(prefix)
})

test.each([
  'Acme',
  'X-',
  'X-acme',
  'X-Acme-',
  'X-Acme Mail',
  'X-Acme:1',
  'X-Acmé',
  'X-Forwarded',
  'X-Real',
  'X-Client-Cert',
  `X-${'A'.repeat(31)}`,
])('%s cannot', prefix => {
  expect(() => parseHeaderPrefix(prefix)).toThrow(/X-/)
})
