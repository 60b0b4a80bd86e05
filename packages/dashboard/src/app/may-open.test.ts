import { expect, test } from 'vitest'
import { mayOpen } from './may-open.ts'

const operator = { kind: 'operator', scopes: [] } as const
const account = { kind: 'account', scopes: ['read'] } as const
const portal = { kind: 'portal', scopes: ['read', 'send'] } as const

test('the operator may open the operator pages and settings, but no customer pages', () => {
  expect(mayOpen(operator, '/operator/accounts/acct_1')).toBe(true)
  expect(mayOpen(operator, '/settings')).toBe(true)
  expect(mayOpen(operator, '/endpoints')).toBe(false)
  expect(mayOpen(operator, '/api-keys')).toBe(false)
})

test('a customer may open the account’s pages but not the operator’s', () => {
  expect(mayOpen(account, '/')).toBe(true)
  expect(mayOpen(account, '/audit-log')).toBe(true)
  expect(mayOpen(account, '/operator')).toBe(false)
  expect(mayOpen(account, '/operator/system')).toBe(false)
})

test('a portal visitor may open neither the account’s own pages nor the operator’s', () => {
  expect(mayOpen(portal, '/endpoints/wh_1/keys')).toBe(true)
  expect(mayOpen(portal, '/api-keys')).toBe(false)
  expect(mayOpen(portal, '/operator')).toBe(false)
})

test('a portal visitor may open the API keys if the link allows to manage them', () => {
  expect(mayOpen({ kind: 'portal', scopes: ['read', 'send', 'keys'] }, '/api-keys')).toBe(true)
  expect(mayOpen({ kind: 'portal', scopes: ['read', 'keys'] }, '/api-keys')).toBe(false)
  expect(mayOpen({ kind: 'portal', scopes: ['read', 'send', 'keys'] }, '/audit-log')).toBe(false)
})
