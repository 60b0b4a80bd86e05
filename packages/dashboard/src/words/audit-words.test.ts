import type { AuditEntry } from '@posthorn/contract'
import { auditActions } from '@posthorn/contract/plain'
import { expect, test } from 'vitest'
import { auditActorWords } from './audit-actor-words.ts'
import { auditChanges } from './audit-changes.ts'
import { actionsOf, auditKinds, isAuditKind } from './audit-kinds.ts'
import { auditWords } from './audit-words.ts'

const endpoint = {
  url: 'https://hooks.acme.test/in',
  status: 'enabled',
  description: 'CRM',
  disabled_reason: null,
}

function entry(given: Partial<AuditEntry>): AuditEntry {
  return {
    id: 'aud_1',
    at: '2026-11-21T02:36:30.000Z',
    actor: { kind: 'operator', api_key_id: null, portal_session_id: null, operator: null },
    action: 'webhook.updated',
    target: 'wh_1',
    before: endpoint,
    after: endpoint,
    request_id: null,
    ...given,
  }
}

test('disabling and enabling are called that', () => {
  const disabled = { ...endpoint, status: 'disabled', disabled_reason: 'manual' }
  expect(auditWords(entry({ after: disabled }))).toBe('disabled CRM (hooks.acme.test/in)')
  expect(auditWords(entry({ before: disabled }))).toBe('enabled CRM (hooks.acme.test/in)')
})

test('a change lists the changed fields with their values before and after', () => {
  const moved = entry({ after: { ...endpoint, url: 'https://api.acme.test/in', description: '' } })
  expect(auditWords(moved)).toBe('changed the endpoint api.acme.test/in')
  expect(auditChanges(moved)).toEqual([
    { label: 'URL', before: 'https://hooks.acme.test/in', after: 'https://api.acme.test/in' },
    { label: 'Description', before: 'CRM', after: '—' },
  ])
})

const account = {
  name: 'Acme',
  max_endpoints: 10,
  messages_per_hour: null,
  suspended_at: null,
  suspended_reason: null,
}
const suspended = { ...account, suspended_at: '2026-11-21T02:36:30.000Z' }

test.each([
  [account, { ...suspended, suspended_reason: 'operator' }, 'suspended the account Acme'],
  [
    account,
    { ...suspended, suspended_reason: 'bounce_rate' },
    'suspended the account Acme: too many of its emails bounced',
  ],
  [suspended, account, 'lifted the suspension of the account Acme'],
  [account, account, 'saved the account Acme without a visible change'],
])('a suspension is a sentence, without names of the API: %#', (before, after, words) => {
  const change = entry({ action: 'account.updated', before, after })
  expect(auditWords(change)).toBe(words)
  expect(auditChanges(change)).toEqual([])
})

test('changed fields have the names of the dashboard, and values are readable', () => {
  const changed = (action: AuditEntry['action'], before: object, after: object) =>
    auditChanges(entry({ action, before: { ...before }, after: { ...after } }))
      .map(({ label, before: old, after: now }) => `${label}: ${old} → ${now}`)
      .join('; ')
  const plan = { ...account, max_endpoints: 20, messages_per_hour: 500 }
  expect(changed('account.updated', account, plan)).toBe(
    'Webhook endpoints: 10 → 20; Messages per hour: — → 500',
  )
  const logo = { media_type: 'image/png', width: 200, height: 80 }
  expect(changed('branding.updated', { color: null, logo: null }, { color: '#1d4ed8', logo })).toBe(
    'Button color: — → #1d4ed8; Logo: — → 200 × 80 pixels',
  )
  const [bare, withHeaders] = [{ headers: {} }, { headers: { 'X-Token': '***', 'X-Env': '***' } }]
  expect(changed('webhook.updated', bare, withHeaders)).toBe('Headers: — → X-Token, X-Env')
  const domain = { return_path_domain: null, records: [{ name: 'a' }], return_path_verified_at: null }
  const moved = { ...domain, return_path_domain: 'bounces.acme.test', records: [] }
  expect(changed('domain.updated', domain, moved)).toBe('Return path domain: — → bounces.acme.test')
})

test('an action that its sentence describes lists no fields', () => {
  const [active, lifted] = [
    { state: 'active', lifted_at: null },
    { state: 'lifted', lifted_at: '2026-11-21T02:36:30.000Z' },
  ]
  expect(auditChanges(entry({ action: 'suppression.lifted', before: active, after: lifted }))).toEqual([])
})

test('a deletion names what was deleted', () => {
  const deleted = entry({ action: 'webhook.deleted', after: null })
  expect(auditWords(deleted)).toBe('deleted the endpoint CRM (hooks.acme.test/in)')
  expect(auditChanges(deleted)).toEqual([])
})

test('a replay says how many deliveries it sends again', () => {
  const began = (total: number): string =>
    auditWords(entry({ action: 'replay.created', before: null, after: { total } }))
  expect(began(1)).toBe('started a replay of one delivery')
  expect(began(1200)).toBe('started a replay of 1200 deliveries')
})

test('every action has a description, even without details', () => {
  for (const action of auditActions) {
    expect(auditWords(entry({ action, before: null, after: null })), action).toMatch(/^[a-z]/)
  }
})

test('an action of a newer version is shown by its name', () => {
  const action = 'moon.painted' as AuditEntry['action']
  expect(auditWords(entry({ action }))).toBe('made a change: moon.painted')
})

test('a key is shown by its name, or by its id if it is no longer listed', () => {
  const actor = { kind: 'api_key', api_key_id: 'key_1', portal_session_id: null, operator: null } as const
  expect(auditActorWords(actor, new Map([['key_1', 'ci']]))).toBe('Key “ci”')
  expect(auditActorWords(actor, new Map())).toBe('Key key_1')
})

test('an operator is shown by name, unless they used the operator token', () => {
  const by = (operator: AuditEntry['actor']['operator']) => ({ ...entry({}).actor, operator })
  expect(auditActorWords(by({ name: 'ann@acme.test', method: 'token' }), new Map())).toBe(
    'Operator ann@acme.test',
  )
  expect(auditActorWords(by({ name: 'operator', method: 'admin_token' }), new Map())).toBe('Operator')
})

test('every action belongs to exactly one kind', () => {
  const kinds = Object.keys(auditKinds).filter(isAuditKind)
  expect(kinds.flatMap(actionsOf).toSorted()).toEqual(auditActions.toSorted())
})
