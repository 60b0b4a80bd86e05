import { expect, test } from 'vitest'
import { parseNames } from './operator-people.ts'
import { parseOperatorHeader, proxiedOperator } from './proxied-operator.ts'

const proxies = {
  header: 'x-forwarded-user',
  networks: ['10.0.0.0/8', '::1'],
  view: ['vera', 'both'],
  change: ['chris', 'both'],
}

const named = (name: string | string[], peer = '10.1.2.3') =>
  proxiedOperator(proxies, { peer, headers: { 'x-forwarded-user': name } })

test('a trusted proxy names an operator, whose role is that of the lists', () => {
  expect(named('vera')).toEqual({ name: 'vera', method: 'proxy', role: 'view' })
  expect(named('chris', '::1')?.role).toBe('change')
  expect(named('chris', '::ffff:10.0.0.9')?.role).toBe('change')
  expect(named('both')?.role).toBe('change')
})

test.each([
  ['from another address', 'chris', '192.0.2.7'],
  ['from a mapped address of another network', 'chris', '::ffff:192.0.2.7'],
  ['from no address', 'chris', ''],
  ['of somebody who is on no list', 'mallory', '10.1.2.3'],
  ['that is empty', '', '10.1.2.3'],
  ['that arrived twice', 'mallory, chris', '10.1.2.3'],
  ['in another case', 'Chris', '10.1.2.3'],
])('a header %s names nobody', (_, name, peer) => {
  expect(named(name, peer)).toBeNull()
})

test('the setting is a header name that means nothing else, and names are separated by commas', () => {
  expect(parseOperatorHeader('X-Forwarded-User')).toBe('x-forwarded-user')
  for (const wrong of ['', 'X User', 'Cookie', 'Authorization', 'From', 'x:y']) {
    expect(() => parseOperatorHeader(wrong)).toThrow('X-Forwarded-User')
  }
  expect(parseNames(' ann@a.example, bo ,')).toEqual(['ann@a.example', 'bo'])
})
