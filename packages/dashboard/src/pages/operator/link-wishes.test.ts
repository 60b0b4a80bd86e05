import { expect, test } from 'vitest'
import { firstLinkWishes, linkBody } from './link-wishes.ts'

test('by default a link allows reading and sending for an hour, in no frame', () => {
  expect(linkBody('acct_1', firstLinkWishes)).toEqual({
    account_id: 'acct_1',
    scopes: ['read', 'send'],
    expires_in_seconds: 3_600,
    allowed_origins: [],
  })
})

test('origins are read one per line, and blank lines are ignored', () => {
  const origins = ' https://app.acme.test\n\nhttps://www.acme.test '
  expect(linkBody('acct_1', { ...firstLinkWishes, origins, name: ' Acme ' })).toMatchObject({
    allowed_origins: ['https://app.acme.test', 'https://www.acme.test'],
    name: 'Acme',
  })
})
