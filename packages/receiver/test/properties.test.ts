import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createVerifier, WebhookVerificationError } from '../src/index.ts'
import { at, BODY, NOW, SECRET, signed } from './signed.ts'

const secret = fc.stringMatching(/^whsec_[0-9A-Za-z]{44}$/)
const body = fc.uint8Array({ maxLength: 300 })
const verifier = createVerifier(at())

test('any signed bytes verify with 1 to 10 secrets', async () => {
  const secrets = fc.uniqueArray(secret, { minLength: 1, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(
      body,
      secrets,
      fc.nat(),
      fc.integer({ min: -300, max: 300 }),
      async (bytes, list, pick, skew) => {
        const secretIndex = pick % list.length
        const header = signed(bytes, NOW + skew, list[secretIndex])
        const result = await createVerifier({ ...at(), secrets: list }).verify(bytes, header)
        expect(result).toMatchObject({ secretIndex, timestamp: NOW + skew })
      },
    ),
  )
})

test('a body with one changed bit does not verify', async () => {
  const filled = fc.uint8Array({ minLength: 1, maxLength: 300 })
  await fc.assert(
    fc.asyncProperty(filled, fc.nat(), async (bytes, pick) => {
      const header = signed(bytes)
      const bit = pick % (bytes.length * 8)
      const changed = bytes.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
      expect(await verifier.safeVerify(changed, header)).toMatchObject({
        error: { code: 'signature_mismatch' },
      })
    }),
  )
})

test('a header with one changed bit in t or the signature does not verify', async () => {
  const header = signed()
  for (let at = 0; at < header.length * 8; at++) {
    const place = at >> 3
    const character = String.fromCharCode(header.charCodeAt(place) ^ (1 << (at & 7)))
    const changed = header.slice(0, place) + character + header.slice(place + 1)
    // Upper and lower case of a hexadecimal digit differ in one bit but have the same value.
    const same = changed.toLowerCase() === header && place > header.indexOf('v1=') + 2
    const result = await verifier.safeVerify(BODY, changed)
    expect(result.ok, `bit ${at}: ${changed}`).toBe(same)
    if (!result.ok) expect(result.error).toBeInstanceOf(WebhookVerificationError)
  }
})

test('any text as a header gives a verification error and no other error', async () => {
  const piece = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('t=', 'v1=', 'v1s=', ',', '=', ' ', '\t', `${NOW}`, signed().slice(-64), '__proto__='),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async pieces => {
      const header = pieces.join('')
      const error = await verifier.verify('another body', header).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(WebhookVerificationError)
    }),
    { numRuns: 2000 },
  )
})

test('any value as a header gives a verification error and no other error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.anything(), async value => {
      const error = await verifier.verify(BODY, value as string).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(WebhookVerificationError)
    }),
  )
})

test('an error never contains the secret or the correct signature', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), async text => {
      const error = await verifier
        .verify(BODY, `t=${NOW},v1=${'0'.repeat(64)},${text}`)
        .catch((thrown: unknown) => thrown)
      const shown = JSON.stringify(error, Object.getOwnPropertyNames(error))
      expect(shown).not.toContain(SECRET)
      expect(shown).not.toContain(signed().slice(-64))
    }),
  )
})
