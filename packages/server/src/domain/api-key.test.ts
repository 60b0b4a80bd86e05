import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { assert, integer, property, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { codeOfCredential } from './account-code.ts'
import { apiKeyPrefix, isApiKey, makeApiKey } from './api-key.ts'
import { base62Alphabet } from './base62.ts'

test('a generated key has the documented format and valid check characters', () => {
  assert(
    property(
      uint8Array({ minLength: 24, maxLength: 24 }),
      integer({ min: 0, max: 2 ** 32 - 1 }),
      (seed, code) => {
        const key = makeApiKey(code, bytesFrom(seed))
        expect(key).toMatch(/^phk_[0-9A-Za-z]{36}$/)
        expect(isApiKey(key)).toBe(true)
        expect(codeOfCredential(key)).toBe(code)
      },
    ),
  )
})

test('the check characters are the CRC-32 from zlib in base62', () => {
  for (let i = 0; i < 500; i++) {
    const key = makeApiKey(7, randomBytes)
    expect(fromBase62(key.slice(34))).toBe(crc32(key.slice(4, 34)))
  }
})

test('a small checksum is padded with leading zeros', () => {
  // the CRC-32 of these thirty characters is below 62^4
  expect(isApiKey('phk_drrYjTdd6emrCGjTGYv3HF2s7u0rih00gEpD')).toBe(true)
})

test('one mistyped character is detected', () => {
  assert(
    property(integer({ min: 4, max: 39 }), integer({ min: 1, max: 61 }), (position, shift) => {
      const key = makeApiKey(7, randomBytes)
      const wrong = base62Alphabet.charAt((base62Alphabet.indexOf(key.charAt(position)) + shift) % 62)
      expect(isApiKey(key.slice(0, position) + wrong + key.slice(position + 1))).toBe(false)
    }),
  )
})

test('text in any other form is not an API key', () => {
  const key = makeApiKey(7, randomBytes)
  for (const text of [
    '',
    key.slice(1),
    `${key}\n`,
    ` ${key}`,
    key.replace('phk_', 'pha_'),
    `${key}0`,
    key.slice(0, -1),
  ]) {
    expect(isApiKey(text), text).toBe(false)
  }
})

test('the displayed prefix leaves 107 random bits secret', () => {
  const key = makeApiKey(7, randomBytes)
  expect(apiKeyPrefix(key)).toBe(key.slice(0, 10))
})

/** The seed first, then random bytes, because some bytes of a seed may be discarded. */
function bytesFrom(seed: Uint8Array): (length: number) => Uint8Array {
  let first = true
  return length => {
    const bytes = first ? seed : randomBytes(length)
    first = false
    return bytes
  }
}

function fromBase62(text: string): number {
  return Array.from(text).reduce((value, character) => value * 62 + base62Alphabet.indexOf(character), 0)
}
