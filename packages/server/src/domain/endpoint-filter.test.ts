import { expect, test } from 'vitest'
import { filteredBy, sendingDomainsOf } from './endpoint-filter.ts'

test.each([
  ['Acme <news@Acme.example>', 'acme.example'],
  ['"Acme, <x@y.example>" <news@acme.example> ', 'acme.example'],
  ['news@bücher.example', 'xn--bcher-kva.example'],
  ['"a@b"@acme.example', 'acme.example'],
  ['Acme', null],
  [undefined, null],
])('the sending domain of %s is %s', (from, sendingDomain) => {
  expect(filteredBy({ from }).sendingDomain).toBe(sendingDomain)
})

test('a tag is compared with its value', () => {
  expect(filteredBy({ tags: { kind: 'news', 'a=b': 'c' } }).tags).toEqual(['kind=news', 'a=b=c'])
  expect(filteredBy({}).tags).toEqual([])
})

test('domains are normalized and named once, and a wrong one is refused with its place', () => {
  expect(sendingDomainsOf(['Bücher.example.', 'xn--bcher-kva.example', 'acme.test'])).toEqual([
    'xn--bcher-kva.example',
    'acme.test',
  ])
  expect(sendingDomainsOf(['acme.test', 'news@acme.test'])).toEqual({
    index: 1,
    message: expect.stringMatching(/^must be a domain such as acme\.example\. ./),
  })
})
