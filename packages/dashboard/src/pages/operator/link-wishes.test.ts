import { expect, test } from 'vitest'
import { firstLinkWishes, linkBody } from './link-wishes.ts'

const now = Date.parse('2026-11-21T12:00:00Z')

test('by default a link allows reading and sending for an hour, in no frame', () => {
  expect(linkBody('acct_1', firstLinkWishes, now)).toEqual({
    account_id: 'acct_1',
    scopes: ['read', 'send'],
    expires_in_seconds: 3_600,
    allowed_origins: [],
  })
})

test('origins are read one per line, and blank lines are ignored', () => {
  const origins = ' https://app.acme.test\n\nhttps://www.acme.test '
  expect(linkBody('acct_1', { ...firstLinkWishes, origins, name: ' Acme ' }, now)).toMatchObject({
    allowed_origins: ['https://app.acme.test', 'https://www.acme.test'],
    name: 'Acme',
  })
})

test('a link that allows keys says how long they may last, unless they end with the session', () => {
  const wishes = { ...firstLinkWishes, scopes: ['read', 'send', 'keys'] } as const
  expect(linkBody('acct_1', wishes, now)).not.toHaveProperty('keys_expire_by')
  expect(linkBody('acct_1', { ...wishes, keyLifetime: 'Never' }, now)).toMatchObject({ keys_expire_by: null })
  expect(linkBody('acct_1', { ...wishes, keyLifetime: 'In 30 days' }, now)).toMatchObject({
    keys_expire_by: '2026-12-21T12:00:00.000Z',
  })
  expect(
    linkBody('acct_1', { ...wishes, scopes: ['read', 'send'], keyLifetime: 'Never' }, now),
  ).not.toHaveProperty('keys_expire_by')
})
