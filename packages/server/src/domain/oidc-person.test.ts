import { expect, test } from 'vitest'
import { canReturnTo, parseOidcIssuer } from './oidc-issuer.ts'
import { oidcPerson } from './oidc-person.ts'

const people = { view: ['vera@example.com'], change: ['chris@example.com'] }

const named = (claims: object, claim = 'email') => oidcPerson({ ...claims }, { claim, people })

test('a claim names an operator, whose role is that of the lists', () => {
  expect(named({ email: 'vera@example.com' })).toEqual({
    name: 'vera@example.com',
    method: 'oidc',
    role: 'view',
  })
  expect(named({ email: 'chris@example.com', email_verified: true })?.role).toBe('change')
  expect(named({ upn: 'chris@example.com', email_verified: false }, 'upn')?.role).toBe('change')
})

test.each([
  ['of somebody who is on no list', { email: 'mallory@example.com' }],
  ['that is missing', { sub: 'chris@example.com' }],
  ['that is a list', { email: ['chris@example.com'] }],
  ['in another case', { email: 'Chris@example.com' }],
  ['that the provider did not verify', { email: 'chris@example.com', email_verified: false }],
  ['that the provider did not verify, in words', { email: 'chris@example.com', email_verified: 'false' }],
])('a claim %s names nobody', (_, claims) => {
  expect(named(claims)).toBeNull()
})

test('providers and Posthorn itself need https, except on the same machine', () => {
  for (const issuer of ['https://id.example.com', 'https://id.example.com/o/a/', 'http://127.0.0.1:9000'])
    expect(parseOidcIssuer(issuer)).toBe(issuer)
  for (const wrong of [
    'id.example.com',
    'http://id.example.com',
    'https://a:b@id.example.com',
    'https://a.b?c',
  ])
    expect(() => parseOidcIssuer(wrong), wrong).toThrow('https URL')
  expect(['https://p.example', 'http://localhost:4100', 'http://p.example'].map(canReturnTo)).toEqual([
    true,
    true,
    false,
  ])
})
