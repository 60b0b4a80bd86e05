import { expect, test } from 'vitest'
import { shortId } from './short-id.ts'

test.each([
  ['dlv_01kb3v7m2q9c4d5e6f7g8h9jq7', 'dlv_01kb3v…9jq7'],
  ['key_1', 'key_1'],
  ['acct_0123456789ab', 'acct_0123456789ab'],
])('an id of ours keeps its prefix and both ends: %s', (id, short) => {
  expect(shortId(id)).toBe(short)
})

test.each([
  ['20261120093000.3A4B5C6D7E@mail.acme.example', '20261120093000.3A4B5C6D7F@mail.acme.example'],
  ['4f1c22d0-7f0a-4bb1-a5ce-0d8b2f9c1e77@acme.example', '9b1c22d0-7f0a-4bb1-a5ce-0d8b2f9c1e77@acme.example'],
  ['1467381902.3.JavaMail.root@acme.example', '1593381902.3.JavaMail.root@acme.example'],
  [
    '0102018c5b0e1c2d-a1b2c3d4-e5f6-7890-abcd-ef1234567890-000000',
    '0102018c5b0e1c2d-a1b2c3d4-e5f6-7890-abcd-ef1234567891-000000',
  ],
  ['CAF_a=b1@mail.gmail.com', 'CAF_a=b2@mail.gmail.com'],
  ['c_1@acme.example', 'c_2@acme.example'],
])('two ids of one mail server look different: %s', (one, other) => {
  expect(shortId(one)).not.toBe(shortId(other))
  expect(shortId(one).length).toBeLessThanOrEqual(21)
  expect(shortId(one)).not.toContain('@')
})
