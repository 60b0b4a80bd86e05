import { createHmac } from 'node:crypto'
import { assert, integer, property, string, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { HmacKey } from './hmac-key.ts'

function expected(secret: Uint8Array, prefix: string, bytes: Uint8Array): string {
  return createHmac('sha256', secret).update(prefix, 'latin1').update(bytes).digest('hex')
}

test('a code is the one of RFC 4231, for a short key and for one longer than a block', () => {
  const short = new HmacKey(Buffer.alloc(20, 0x0b))
  expect(short.sign('', Buffer.from('Hi There'))).toBe(
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  )
  const long = new HmacKey(Buffer.alloc(131, 0xaa))
  expect(long.sign('Test Using Larger Than ', Buffer.from('Block-Size Key - Hash Key First'))).toBe(
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  )
})

test('a code is the one of createHmac, whatever key and message, and whatever was signed before', () => {
  const ascii = string({ unit: 'binary-ascii', maxLength: 40 })
  assert(
    property(
      uint8Array({ maxLength: 200 }),
      ascii,
      uint8Array({ maxLength: 300 }),
      (secret, prefix, bytes) => {
        const key = new HmacKey(secret)
        key.sign('before', Buffer.alloc(500, 1))
        expect(key.sign(prefix, bytes)).toBe(expected(secret, prefix, bytes))
      },
    ),
  )
})

test('a code is the one of createHmac around the size up to which messages are gathered in one place', () => {
  const secret = Buffer.from('whsec_0123456789')
  assert(
    property(integer({ min: 32_600, max: 32_900 }), length => {
      const bytes = Buffer.alloc(length, length)
      expect(new HmacKey(secret).sign('1790000000.', bytes)).toBe(expected(secret, '1790000000.', bytes))
    }),
  )
})

test('a key does not change with the bytes it was made of', () => {
  const secret = Buffer.from('whsec_0123456789')
  const key = new HmacKey(secret)
  const before = key.sign('', Buffer.from('x'))
  secret.fill(0)
  expect(key.sign('', Buffer.from('x'))).toBe(before)
})
