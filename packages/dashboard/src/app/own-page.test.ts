import { expect, test } from 'vitest'
import { ownPage } from './own-page.ts'

test('a dashboard path is followed, with its filters', () => {
  expect(ownPage('/deliveries?state=failed', '/')).toBe('/deliveries?state=failed')
})

test.each(['https://evil.example/', '//evil.example/', '/\\evil.example', 'deliveries', '', undefined, null])(
  'anything that is not a dashboard path is replaced by the fallback: %s',
  wanted => {
    expect(ownPage(wanted, '/endpoints')).toBe('/endpoints')
  },
)
