import { expect, test } from 'vitest'
import { ownPage } from './own-page.ts'

test('a page of the dashboard is followed, with its filters', () => {
  expect(ownPage('/deliveries?state=failed', '/')).toBe('/deliveries?state=failed')
})

test.each(['https://evil.example/', '//evil.example/', '/\\evil.example', 'deliveries', '', undefined, null])(
  'an address that leads elsewhere is not: %s',
  wanted => {
    expect(ownPage(wanted, '/endpoints')).toBe('/endpoints')
  },
)
