import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { standardKey } from './standard-webhooks.ts'

test.each([
  [44, 33],
  [43, 32],
])('a secret of %i characters is a key of %i bytes', (characters, bytes) => {
  const key = standardKey(createSecretKey(`whsec_${'0'.repeat(characters)}`, 'utf8'))
  expect(key.symmetricKeySize).toBe(bytes)
  expect(key.export().toString('base64')).toMatch(/^0{42,44}=?$/)
})
