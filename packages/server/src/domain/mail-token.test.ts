import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type MailToken, mailTokenHead, mailTokenMac, readMailToken } from './mail-token.ts'
import { createUuidV7 } from './uuid-v7.ts'

const tokens: fc.Arbitrary<MailToken> = fc.record({
  purpose: fc.constantFrom('return_path', 'unsubscribe'),
  keyNumber: fc.nat(0xffffffff),
  emailId: fc
    .tuple(fc.nat(2 ** 47), fc.uint8Array({ minLength: 9 * 512, maxLength: 9 * 512 }))
    .map(([ms, bytes]) =>
      createUuidV7(
        () => ms,
        () => bytes,
      )(),
    ),
  recipientNumber: fc.integer({ min: 1, max: 100 }),
})

test('a token returns its content in either letter case and fits into a local part', () => {
  fc.assert(
    fc.property(tokens, fc.uint8Array({ minLength: 32, maxLength: 32 }), (token, mac) => {
      const text = mailTokenHead(token) + mailTokenMac(mac)
      expect(`bounces+${text}`.length).toBeLessThanOrEqual(64)
      expect(text).toMatch(/^[0-9a-z]+$/)
      expect(readMailToken(text)).toMatchObject({ token, mac: mailTokenMac(mac) })
      expect(readMailToken(text.toUpperCase())).toEqual(readMailToken(text))
    }),
    { numRuns: 200 },
  )
})

test('invalid text is not read as a token and never throws', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string({
          unit: fc.constantFrom('0', 'a', 'å', 'z', '.', '+', '@', 'İ'),
          minLength: 53,
          maxLength: 53,
        }),
      ),
      text => {
        const read = readMailToken(text)
        if (read !== null) expect(read.head).toBe(mailTokenHead(read.token))
      },
    ),
  )
  expect(readMailToken('z'.repeat(53))).toBeNull()
  expect(readMailToken('0'.repeat(52))).toBeNull()
})
