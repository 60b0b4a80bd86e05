import { expect, test } from 'vitest'
import { endpointNames } from './url-words.ts'

test('an endpoint is named by its host, plus its path if another endpoint shares the host', () => {
  const name = endpointNames(['https://a.test/in', 'https://b.test/one?x=1', 'https://b.test/two'])
  expect(name('https://a.test/in')).toBe('a.test')
  expect(name('https://b.test/one?x=1')).toBe('b.test/one')
  expect(name('no url at all')).toBe('no url at all')
})
