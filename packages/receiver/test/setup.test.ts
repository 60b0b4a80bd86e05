import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createVerifier, verifyWebhook, WebhookUsageError } from '../src/index.ts'
import { at, BODY, NOW, OTHER_SECRET, SECRET, signed } from './signed.ts'

type Options = Parameters<typeof createVerifier>[0]
const made = (options: unknown) => () => createVerifier(options as Options)
const fault = (code: string) => expect.objectContaining({ code, name: 'WebhookUsageError', status: 500 })

describe('a configuration error prevents startup', () => {
  test.each([
    ['C1 an empty secret', { secrets: '' }, 'secret_empty'],
    ['C2 no secret', {}, 'secret_missing'],
    ['C2 a secret that is undefined', { secrets: [SECRET, undefined] }, 'secret_missing'],
    ['C2 a secret that is a number', { secrets: 5 }, 'secret_missing'],
    ['C5 the prefix alone', { secrets: 'whsec_' }, 'secret_empty'],
    ['C10 what the API shows as secret_prefix', { secrets: 'whsec_test' }, 'secret_too_short'],
    ['C11 NaN', { secrets: SECRET, toleranceSeconds: Number.NaN }, 'tolerance_invalid'],
    ['C11 Infinity', { secrets: SECRET, toleranceSeconds: Number.POSITIVE_INFINITY }, 'tolerance_invalid'],
    ['a header name with a space', { secrets: SECRET, headerName: 'x y' }, 'option_invalid'],
    ['a body limit of nothing', { secrets: SECRET, maxBodyBytes: 0 }, 'option_invalid'],
  ])('%s', (_name, options, code) => {
    expect(made(options)).toThrow(fault(code))
  })

  test.each([
    ['in quotes', `"${SECRET}"`],
    ['in single quotes', `'${SECRET}'`],
    ['in quotes of a word processor', `“${SECRET}”`],
    ['with a quote at its end', `${SECRET}"`],
    ["with the header's name in front", `X-Service-Signature:${SECRET}`],
    ["with the setting's name in front", `POSTHORN_SECRET=${SECRET}`],
    ['with Bearer in front', `Bearer:${SECRET}`],
    ['twice', `${SECRET}${SECRET}`],
    ['two in one text', `${SECRET},${OTHER_SECRET}`],
    ['URL-encoded', encodeURIComponent(`"${SECRET}"`)],
    ['with an encoded line break', `${SECRET}%0A`],
    ['with a line break written out', `${SECRET}\\n`],
    ['decoded from base64', Buffer.from(SECRET.slice(6), 'base64').toString('latin1').padEnd(24, '\x7f')],
    ['without whsec_', '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg'],
    ['with a byte order mark', `\ufeff${SECRET}`],
    ['shortened for display', `${SECRET}…`],
    ['a signature header', signed()],
    ["the endpoint's id", 'wh_01h455vb4pex5vsknk084sn02q'],
    ["the key's id", 'whk_01h455vb4pex5vsknk084sn02q'],
    ['an API key', `phk_${'0'.repeat(36)}`],
  ])('C9 a secret %s', (_name, secrets) => {
    const wrong = expect.objectContaining({ code: expect.stringMatching(/^secret_(wrong_kind|whitespace)$/) })
    expect(made({ secrets })).toThrow(wrong)
    expect(made({ secrets })).toThrow(expect.objectContaining({ hint: expect.any(String), status: 500 }))
    expect(made({ secrets })).not.toThrow(
      expect.objectContaining({ message: expect.stringContaining(SECRET) }),
    )
    expect(made({ secrets: [SECRET, secrets] })).toThrow(wrong)
  })

  test.each([` ${SECRET}`, `${SECRET}\r\n`, `Bearer ${SECRET}`, `X-Service-Signature: ${SECRET}`])(
    'C6 C7 a space or line break is rejected with a hint: %j',
    secrets => {
      expect(made({ secrets })).toThrow(
        expect.objectContaining({ code: 'secret_whitespace', hint: expect.stringContaining('whsec_') }),
      )
    },
  )

  test.each([
    `whsec_${'aB3'.repeat(14)}x`,
    `whsec_${Buffer.alloc(32, 0xfb).toString('base64')}`,
    `whsec_${Buffer.alloc(32, 0xfb).toString('base64url')}`,
  ])('a secret in any common alphabet is accepted: %s', secrets => {
    expect(made({ secrets })).not.toThrow()
  })

  test('the error message never contains the secret', () => {
    const secret = 'whsec_ this one is a secret with spaces'
    expect(made({ secrets: secret })).not.toThrow(
      expect.objectContaining({ message: expect.stringContaining(secret) }),
    )
    expect(made({ secrets: secret })).toThrow(fault('secret_whitespace'))
  })

  test('C13 a runtime without Web Crypto is rejected', () => {
    const { crypto } = globalThis
    Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true })
    try {
      expect(made({ secrets: SECRET })).toThrow(fault('crypto_unavailable'))
    } finally {
      Object.defineProperty(globalThis, 'crypto', { value: crypto, configurable: true })
    }
  })
})

test('an error without a hint has no hint property', () => {
  expect(made({ secrets: '' })).toThrow(WebhookUsageError)
  const error = new WebhookUsageError('secret_empty')
  expect('hint' in error).toBe(false)
  expect(inspect(error)).not.toContain('undefined')
})

describe('the clock', () => {
  test('C12 the default tolerance is 300 s', async () => {
    const verifier = createVerifier({ ...at(NOW + 300), toleranceSeconds: undefined })
    expect(await verifier.verify(BODY, signed())).toMatchObject({ timestamp: NOW })
    const later = createVerifier(at(NOW + 301))
    await expect(later.verify(BODY, signed())).rejects.toMatchObject({ code: 'timestamp_too_old' })
  })

  test('T24 a clock without a valid time causes a usage error, not a verification error', async () => {
    const verifier = createVerifier({ secrets: SECRET, now: () => Number.NaN })
    await expect(verifier.verify(BODY, signed())).rejects.toBeInstanceOf(WebhookUsageError)
    await expect(verifier.safeVerify(BODY, signed())).rejects.toBeInstanceOf(WebhookUsageError)
  })

  test('is read only after the signature matches, and never with tolerance 0', async () => {
    const now = () => {
      throw new Error('asked')
    }
    const options = { secrets: SECRET, now }
    await expect(createVerifier(options).verify(BODY, signed('other'))).rejects.toMatchObject({
      code: 'signature_mismatch',
    })
    expect(await createVerifier({ ...options, toleranceSeconds: 0 }).verify(BODY, signed())).toMatchObject({
      partName: 'v1',
    })
  })
})

describe('several secrets', () => {
  const both = `${signed()},${signed(BODY, NOW, OTHER_SECRET).replace(/^.*v1=/, 'v1s=')}`

  test('the result lists every match in header order, and the first configured secret that matched', async () => {
    const verifier = createVerifier({ ...at(), secrets: [OTHER_SECRET, SECRET] })
    expect(await verifier.verify(BODY, both)).toEqual({
      timestamp: NOW,
      secretIndex: 0,
      partName: 'v1s',
      matches: [
        { partName: 'v1', secretIndex: 1 },
        { partName: 'v1s', secretIndex: 0 },
      ],
    })
  })

  test('changing the list afterwards has no effect', async () => {
    const secrets = [SECRET]
    const verifier = createVerifier({ ...at(), secrets })
    secrets[0] = OTHER_SECRET
    expect(await verifier.verify(BODY, signed())).toMatchObject({ secretIndex: 0 })
  })
})

describe('verifyWebhook', () => {
  const header = signed(BODY, Math.floor(Date.now() / 1000))

  test('returns the event, with one secret or several', async () => {
    expect(await verifyWebhook(BODY, header, SECRET)).toEqual(JSON.parse(BODY))
    expect(await verifyWebhook(BODY, header, [OTHER_SECRET, SECRET])).toEqual(JSON.parse(BODY))
  })

  test('rejects the promise and never throws synchronously', async () => {
    await expect(verifyWebhook(BODY, header, '')).rejects.toMatchObject({ code: 'secret_empty' })
    await expect(verifyWebhook(BODY, header, OTHER_SECRET)).rejects.toMatchObject({
      code: 'signature_mismatch',
    })
    await expect(verifyWebhook(BODY, signed(), SECRET)).rejects.toMatchObject({ code: 'timestamp_too_old' })
  })

  test('does not check the time with tolerance 0', async () => {
    expect(await verifyWebhook(BODY, signed(), SECRET, { toleranceSeconds: 0 })).toMatchObject({
      id: 'evt_1',
    })
  })
})
