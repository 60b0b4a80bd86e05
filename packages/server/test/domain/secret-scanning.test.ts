import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { adminTokenFrom } from '../../src/credentials.ts'
import { apiKeyPrefix, makeApiKey } from '../../src/domain/api-key.ts'
import { base62Alphabet } from '../../src/domain/base62.ts'
import { makePortalLinkToken, makeSessionToken } from '../../src/domain/session-token.ts'
import { makeSourceToken } from '../../src/domain/source-token.ts'
import { makeSigningSecret, signingSecretPrefix } from '../../src/domain/signing-secret.ts'

const page = readFileSync(new URL('../../../../docs/maintaining/secret-scanning.md', import.meta.url), 'utf8')

/** Reads the published table, because users copy the patterns from there. */
const patterns = new Map(
  [...page.matchAll(/^\| [^|]+ \| `(\\b(\w+?_)[^`]+)` \|/gm)].map(([, pattern = '', prefix = '']) => [
    prefix,
    new RegExp(pattern, 'g'),
  ]),
)

function found(prefix: string, text: string): string[] {
  return [...text.matchAll(patterns.get(prefix) ?? /$^/g)].map(match => match[0])
}

/** The check that the page describes, with another library. */
function checkFits(key: string): boolean {
  const check = Array.from(key.slice(34)).reduce(
    (value, digit) => value * 62 + base62Alphabet.indexOf(digit),
    0,
  )
  return check === crc32(key.slice(4, 34))
}

function generatedOperatorToken(): string {
  const directory = mkdtempSync(join(tmpdir(), 'posthorn-test-'))
  const random = { fraction: Math.random, bytes: (length: number): Uint8Array => randomBytes(length) }
  const { token } = adminTokenFrom(directory, null, random)
  rmSync(directory, { recursive: true })
  return token
}

const accountCode = 0x099a_8057

const kinds = {
  phk_: (): string => makeApiKey(accountCode, randomBytes),
  pha_: generatedOperatorToken,
  phs_: (): string => makeSessionToken(accountCode, randomBytes),
  phl_: (): string => makePortalLinkToken(accountCode, randomBytes),
  phr_: (): string => makeSourceToken(accountCode, randomBytes),
  whsec_: (): string => makeSigningSecret(randomBytes),
}

test.each(Object.entries(kinds))('the published pattern finds every real %s in any text', (prefix, make) => {
  for (let n = 0; n < 100; n++) {
    const secret = make()
    for (const text of [
      secret,
      `KEY=${secret}\n`,
      `"api_key": "${secret}",`,
      `https://a.example/?key=${secret}&x=1`,
      `Authorization: Bearer ${secret}`,
    ]) {
      expect(found(prefix, text)).toEqual([secret])
    }
  }
})

test('each pattern matches no other kind of credential and no prefix that is shown on purpose', () => {
  const shown = [apiKeyPrefix(kinds.phk_()), signingSecretPrefix(kinds.whsec_())]
  for (const prefix of patterns.keys()) {
    for (const text of shown) expect(found(prefix, text)).toEqual([])
    for (const [other, make] of Object.entries(kinds)) {
      if (other !== prefix) expect(found(prefix, make())).toEqual([])
    }
  }
  expect([...patterns.keys()]).toEqual(Object.keys(kinds))
})

test('the check digits match every real key and no altered key', () => {
  for (let n = 0; n < 100; n++) {
    const key = makeApiKey(accountCode, randomBytes)
    expect(checkFits(key)).toBe(true)
    for (let position = 4; position < key.length; position++) {
      const digit = base62Alphabet.indexOf(key.charAt(position))
      const altered = base62Alphabet.charAt((digit + 1 + (n % 61)) % 62)
      expect(checkFits(key.slice(0, position) + altered + key.slice(position + 1))).toBe(false)
    }
    const swapped = key.slice(0, 10) + key.charAt(11) + key.charAt(10) + key.slice(12)
    expect(checkFits(swapped)).toBe(swapped === key)
  }
})

test('the example key on the page has valid check digits', () => {
  const [example = ''] = found('phk_', page)
  expect(checkFits(example)).toBe(true)
})
