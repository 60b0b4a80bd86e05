import type { Webhook } from '@posthorn/contract'
import { describe, expect, test } from 'vitest'
import { addressStart } from './find-addresses.ts'
import { findNames } from './find-names.ts'
import { places } from './places.ts'

const at = '2026-11-21T04:00:00.000Z'
const endpoint = (id: string, description: string, url: string) =>
  ({ id, description, url, status: 'enabled', created_at: at }) as Webhook
const named = {
  webhooks: [
    endpoint('wh_1', 'CRM', 'https://hooks.acme.test/crm'),
    endpoint('wh_2', 'Façade of billing', 'https://billing.acme.test/in'),
  ],
  apiKeys: [],
  domains: [{ id: 'dom_1', name: 'mail.acme.example', created_at: at }],
  accounts: [],
}
const owner = { kind: 'account', scopes: ['read', 'send', 'keys'] } as const

function find(text: string, session: Parameters<typeof places>[0] = owner): string[] {
  return findNames(text, places(session, named)).map(({ title }) => title)
}

describe('the first match', () => {
  test.each([
    ['crm', 'CRM'],
    ['hooks.acme', 'CRM'],
    ['https://hooks.acme.test/crm/', 'CRM'],
    ['facade', 'Façade of billing'],
    ['settings', 'Settings'],
    ['sign', 'Signature debugger'],
    ['signing keys', 'Signing keys of CRM'],
    ['add end', 'Add endpoint'],
    ['rotate key of crm', 'Rotate key of CRM'],
    ['rotate crm', 'Rotate key of CRM'],
    ['send test event', 'Send test event…'],
    ['Send test event to ', 'Send test event to CRM'],
    ['test crm', 'Send test event to CRM'],
    ['csv', 'Import suppressions'],
    ['dark', 'Settings'],
    ['mail.acme', 'mail.acme.example'],
    ['api k', 'API keys'],
  ])('of %s is %s', (text, title) => {
    expect(find(text)[0]).toBe(title)
  })
})

test('the shorter of two names that match alike comes first', () => {
  const things = places(owner, {
    ...named,
    webhooks: [endpoint('wh_3', 'Old CRM', 'https://a.test'), ...named.webhooks],
  })
  const titles = findNames('rotate crm', things).map(({ title }) => title)
  expect(titles).toEqual(['Rotate key of CRM', 'Rotate key of Old CRM'])
})

test('a test event is offered for enabled endpoints, and asks for one only if there are several', () => {
  const offered = (...webhooks: Webhook[]) =>
    findNames('send test', places(owner, { ...named, webhooks })).map(({ title }) => title)
  const [crm, billing] = named.webhooks
  if (crm === undefined || billing === undefined) throw new Error('no endpoints')
  expect(offered(crm)).toEqual(['Send test event to CRM'])
  expect(offered(crm, { ...billing, status: 'disabled' })).toEqual(['Send test event to CRM'])
  expect(offered(crm, billing)).toEqual([
    'Send test event…',
    'Send test event to CRM',
    'Send test event to Façade of billing',
  ])
})

test('every word must match', () => {
  expect(find('rotate key of nobody')).toEqual([])
  expect(find('c')).toEqual([])
})

test('a session that may only read is offered no action, and a guest no page of the owner', () => {
  const reader = { kind: 'account', scopes: ['read'] } as const
  expect(find('rotate', reader)).toEqual([])
  expect(find('rotate')).not.toEqual([])
  expect(find('settings', { kind: 'portal', scopes: ['read', 'send'] })).not.toContain('Settings')
  expect(find('create api', { kind: 'portal', scopes: ['read', 'send'] })).toEqual([])
})

test.each([
  ['ann@', 'ann@'],
  [' ann@exam', 'ann@exam'],
  ['ann@example.org', 'ann@example.org'],
  ['ann', null],
  ['a@', null],
  ['to=<ann@example.org>', null],
  ['ann smith@example.org', null],
])('the start of an address in %j is %s', (text, start) => {
  expect(addressStart(text)).toBe(start)
})
