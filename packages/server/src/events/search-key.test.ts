import { expect, test } from 'vitest'
import { searchKey } from './search-key.ts'

const account = '01890a5d-ac96-774b-bcce-b302099a8057'

test.each(['Ada@Example.ORG', 'ada@example.org.', '"ada"@example.org'])(
  '%s is found as ada@example.org',
  spelling => {
    expect(searchKey(account, 'recipient', spelling)).toBe(searchKey(account, 'recipient', 'ada@example.org'))
  },
)

test('the same value has another key in another account or another field', () => {
  const keys = [
    searchKey(account, 'recipient', 'ada@example.org'),
    searchKey(account, 'email_id', 'ada@example.org'),
    searchKey('01890a5d-ac96-774b-bcce-b302099a8058', 'recipient', 'ada@example.org'),
  ]
  expect(new Set(keys).size).toBe(3)
})

test('a key fits into a bigint column, including negative keys', () => {
  const keys = Array.from({ length: 64 }, (_, i) => searchKey(account, 'email_id', `em_${i}`))
  for (const key of keys) expect(BigInt.asIntN(64, key)).toBe(key)
  expect(keys.some(key => key < 0n)).toBe(true)
})

test('the digest is stable, so rows written by another release are still found', () => {
  // sha256("01890a5d-ac96-774b-bcce-b302099a8057\nemail_id\nem_1"), first 8 bytes
  expect(searchKey(account, 'email_id', 'em_1')).toBe(2011596861021924579n)
})
