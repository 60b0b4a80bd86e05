import type { SigningKey } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { explain } from './explain.ts'
import type { KnownKey } from './known-key.ts'
import { secretOwner } from './secret-owner.ts'
import { utf8Bytes } from './utf8.ts'

const secret = 'whsec_9fKq456789abcdefghijklmnopqrstuvwxyzABCDEFG'
const made = '2026-11-01T00:00:00.000Z'

function keyOf(url: string, changes: Partial<SigningKey> = {}): KnownKey {
  const key: SigningKey = {
    key_id: 'whk_1',
    state: 'primary',
    secret_prefix: 'whsec_9fKq',
    created_at: made,
    promoted_at: made,
    retired_at: null,
    signature_name: 'v1',
    verified_count: 0,
    last_verified_at: null,
    recent: null,
    ...changes,
  }
  return { webhook: { id: `wh_${url}`, url: `https://${url}`, description: '' }, key }
}

function ownerAmong(
  known: readonly KnownKey[],
  question: { webhookId?: string; at?: string; secret?: string } = {},
) {
  return secretOwner({
    secret: question.secret ?? secret,
    known,
    webhookId: question.webhookId ?? null,
    signedAtMs: question.at === undefined ? null : Date.parse(question.at),
    day: iso => iso.slice(0, 10),
  })
}

test('a secret is recognised by its first characters, even without whsec_', () => {
  const known = [keyOf('api.acme.test/in'), keyOf('crm.acme.test', { secret_prefix: 'whsec_0000' })]
  const own = { words: 'This is the primary secret of api.acme.test/in.', fault: null }
  expect(ownerAmong(known)).toEqual(own)
  expect(ownerAmong(known, { secret: secret.slice(6) })).toEqual(own)
})

test('a replacement secret and a retired secret are described as such', () => {
  const staged = { state: 'staged', signature_name: 'v1s', promoted_at: null } as const
  expect(ownerAmong([keyOf('api.acme.test', staged)])?.words).toBe(
    'This is the replacement of api.acme.test; it signs as v1s.',
  )
  const retired = { state: 'retired', signature_name: null, retired_at: '2026-11-05T00:00:00.000Z' } as const
  expect(ownerAmong([keyOf('api.acme.test', retired)])?.words).toBe(
    'This is a secret of api.acme.test that stopped signing on 2026-11-05.',
  )
})

test('a secret of another endpoint explains the failure', () => {
  const owner = ownerAmong([keyOf('billing.acme.test')], { webhookId: 'wh_api.acme.test' })
  expect(owner?.words).toBe('This is the primary secret of another endpoint: billing.acme.test.')
  expect(owner && explained({ owners: [owner] })).toBe(
    'Why 4 fails: the secret is of another endpoint, billing.acme.test.',
  )
})

test('if two endpoints have secrets with the same prefix, the receiving endpoint is named', () => {
  const known = [keyOf('billing.acme.test'), keyOf('api.acme.test')]
  expect(ownerAmong(known, { webhookId: 'wh_api.acme.test' })?.words).toBe(
    'This is the primary secret of api.acme.test.',
  )
})

test('a secret created after the request, or retired before it, explains the failure', () => {
  expect(ownerAmong([keyOf('api.acme.test')], { at: '2026-10-31T00:00:00Z' })?.fault).toBe(
    'the secret was created on 2026-11-01, after this was signed',
  )
  const retired = keyOf('api.acme.test', { state: 'retired', retired_at: '2026-11-05T00:00:00.000Z' })
  expect(ownerAmong([retired], { at: '2026-11-06T00:00:00Z' })?.fault).toBe(
    'the secret was retired on 2026-11-05, before this was signed',
  )
  expect(ownerAmong([retired], { at: '2026-11-02T00:00:00Z' })?.fault).toBeNull()
})

test('a secret that no endpoint has is reported as unknown', () => {
  expect(ownerAmong([])?.words).toBe('No endpoint of this account has a secret that starts with whsec_9fKq.')
  expect(ownerAmong([], { secret: 'whsec_9' })).toBeNull()
})

function explained(evidence: Partial<Parameters<typeof explain>[0]>): string {
  return explain({ found: null, owners: [], body: utf8Bytes('{}'), isAsSent: false, ...evidence }).sentence
}

test('if one of several secrets may be right, the others are not blamed', () => {
  const owners = [
    { words: '', fault: 'the secret is of another endpoint, x' },
    { words: '', fault: null },
  ]
  expect(explained({ owners })).toMatch(/^No common mistake explains it/)
})

test('if header and body are exactly as sent, the secret is reported as wrong', () => {
  expect(explained({ isAsSent: true })).toMatch(/so the secret is wrong/)
})

test.each([
  ['{"id":"evt_1","da', /incomplete JSON/],
  ['id=evt_1', /is not JSON/],
  ['{"data":{},"id":"evt_1"}', /not in our order \(data, id\)/],
])('recognizes from its text that a body was changed: %s', (body, sentence) => {
  expect(explained({ body: utf8Bytes(body) })).toMatch(sentence)
})
