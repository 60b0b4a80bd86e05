import { randomBytes } from 'node:crypto'
import { assert, property, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { makeSigningSecret, signingSecretPrefix } from './signing-secret.ts'

test('a secret has the documented format for any random bytes', () => {
  assert(
    property(uint8Array({ minLength: 44, maxLength: 44 }), seed => {
      let calls = 0
      const secret = makeSigningSecret(length => (calls++ === 0 ? seed : randomBytes(length)))
      expect(secret).toMatch(/^whsec_[0-9A-Za-z]{44}$/)
      expect(signingSecretPrefix(secret)).toBe(secret.slice(0, 10))
    }),
  )
})

test('bytes that would bias the characters are discarded and replaced by new ones', () => {
  const asked: number[] = []
  const secret = makeSigningSecret(length => {
    asked.push(length)
    return asked.length === 1 ? new Uint8Array(length).fill(248) : new Uint8Array(length)
  })
  expect(secret).toBe(`whsec_${'0'.repeat(44)}`)
  expect(asked).toEqual([44, 44])
})

test('the 248 unbiased bytes give each character exactly four times', () => {
  const counts = new Map<string, number>()
  for (let byte = 0; byte < 256; byte++) {
    let calls = 0
    const secret = makeSigningSecret(length => new Uint8Array(length).fill(calls++ === 0 ? byte : 0))
    if (byte >= 248) continue
    const character = secret.charAt(6)
    counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  expect(counts.size).toBe(62)
  expect(new Set(counts.values())).toEqual(new Set([4]))
})
