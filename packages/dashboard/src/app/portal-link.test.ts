import { expect, test } from 'vitest'
import { readPortalLink } from './portal-link.ts'

const own = 'https://posthorn.example'
const id = 'pses_01kb3v8c5rf9a8wq0m2n4p6r8t'

test('a portal link of this service is read, even with options', () => {
  expect(readPortalLink(`${own}/portal/${id}?theme=dark#phl_secret`, own)).toEqual({
    id,
    token: 'phl_secret',
  })
})

test.each([
  `https://evil.example/portal/${id}#phl_secret`,
  `${own}/portal/${id}`,
  `${own}/endpoints#phl_secret`,
  'javascript:alert(1)',
  '',
  { url: 'x' },
])('any other value is rejected: %s', url => {
  expect(readPortalLink(url, own)).toBeNull()
})
