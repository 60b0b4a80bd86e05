import { randomBytes } from 'node:crypto'
import { assert, integer, property, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import type { MasterKey } from './master-keys.ts'
import { openRequestHeaders, sealRequestHeaders } from './request-headers.ts'
import { createSeal, SealError, type SealIds } from './seal.ts'
import { openSigningSecret, sealSigningSecret } from './signing-secret.ts'

const random = { bytes: (length: number): Uint8Array => randomBytes(length) }
const oldKey: MasterKey = { id: '2025', key: randomBytes(32) }
const newKey: MasterKey = { id: '2026', key: randomBytes(32) }
const ids = { accountId: 'account-1', endpointId: 'endpoint-1', keyId: 'key-1' }
const bytes = Buffer.from('whsec_something')

test('any sealed value opens in the place it was sealed for', () => {
  const seal = createSeal([newKey], random)
  assert(
    property(uint8Array({ maxLength: 2_000 }), plaintext => {
      const sealed = seal.seal('signing_secret', ids, plaintext)
      expect(Buffer.from(seal.open('signing_secret', ids, sealed))).toEqual(Buffer.from(plaintext))
    }),
  )
})

test('sealing a secret twice gives two different records, and the secret is not readable in them', () => {
  const seal = createSeal([newKey], random)
  const [first, second] = [seal.seal('signing_secret', ids, bytes), seal.seal('signing_secret', ids, bytes)]
  expect(first).not.toEqual(second)
  expect(Buffer.from(first).includes(bytes)).toBe(false)
})

test('a record moved to another row, column or account does not open', () => {
  const seal = createSeal([newKey], random)
  const sealed = seal.seal('signing_secret', ids, bytes)
  const elsewhere: SealIds[] = [
    { ...ids, accountId: 'account-2' },
    { ...ids, endpointId: 'endpoint-2' },
    { ...ids, keyId: 'key-2' },
    { accountId: ids.accountId, endpointId: ids.endpointId },
    { accountId: ids.endpointId, endpointId: ids.accountId, keyId: ids.keyId },
  ]
  for (const place of elsewhere) expect(() => seal.open('signing_secret', place, sealed)).toThrow(SealError)
  expect(() => seal.open('request_headers', ids, sealed)).toThrow(/belongs to another row/)
})

test('a record with any single bit changed does not open', () => {
  const seal = createSeal([newKey, oldKey], random)
  const sealed = seal.seal('signing_secret', ids, bytes)
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const altered = Uint8Array.from(sealed)
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(() => seal.open('signing_secret', ids, altered), `bit ${bit}`).toThrow(SealError)
  }
})

test('a truncated or extended record does not open', () => {
  const seal = createSeal([newKey], random)
  const sealed = seal.seal('signing_secret', ids, bytes)
  assert(
    property(integer({ min: 0, max: sealed.length - 1 }), length => {
      expect(() => seal.open('signing_secret', ids, sealed.subarray(0, length))).toThrow(SealError)
    }),
  )
  expect(() => seal.open('signing_secret', ids, Buffer.concat([sealed, Buffer.alloc(1)]))).toThrow(SealError)
})

test('after a rotation the first master key encrypts and the old one still decrypts', () => {
  const before = createSeal([oldKey], random).seal('signing_secret', ids, bytes)
  const rotated = createSeal([newKey, oldKey], random)
  expect(Buffer.from(rotated.open('signing_secret', ids, before))).toEqual(bytes)

  const after = rotated.seal('signing_secret', ids, bytes)
  expect(Buffer.from(createSeal([newKey], random).open('signing_secret', ids, after))).toEqual(bytes)
})

test('the error for a record without its master key names the missing key', () => {
  const sealed = createSeal([oldKey], random).seal('signing_secret', ids, bytes)
  expect(() => createSeal([newKey], random).open('signing_secret', ids, sealed)).toThrow(/master key "2025"/)
})

test('a different key with the same id does not open the record', () => {
  const sealed = createSeal([oldKey], random).seal('signing_secret', ids, bytes)
  const impostor = createSeal([{ id: '2025', key: randomBytes(32) }], random)
  expect(() => impostor.open('signing_secret', ids, sealed)).toThrow(/its master key has changed/)
})

test('a signing secret is unsealed as the bytes that key the HMAC', () => {
  const seal = createSeal([newKey], random)
  const sealed = sealSigningSecret(seal, ids, 'whsec_ünïcode')
  expect(openSigningSecret(seal, ids, sealed).export().toString()).toBe('whsec_ünïcode')
})

test('request headers keep their names, order and values', () => {
  const seal = createSeal([newKey], random)
  const headers = new Map([
    ['X-Second', 'b "quoted"'],
    ['__proto__', 'a'],
  ])
  const sealed = sealRequestHeaders(seal, ids, headers)
  expect([...openRequestHeaders(seal, ids, sealed)]).toEqual([...headers])
  expect(sealRequestHeaders(seal, ids, new Map())).toBeNull()
  expect(openRequestHeaders(seal, ids, null).size).toBe(0)
})
