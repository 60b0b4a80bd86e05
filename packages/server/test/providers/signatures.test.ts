import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../src/errors.ts'
import type { ProviderRequest, ProviderTools } from '../../src/providers/provider.ts'
import { verifyPostal } from '../../src/providers/verify-postal.ts'
import { verifyPostmark } from '../../src/providers/verify-postmark.ts'
import { verifyResend } from '../../src/providers/verify-resend.ts'
import { verifySendgrid } from '../../src/providers/verify-sendgrid.ts'
import { postalEvent, postalHeaders, postalKey, postalPem } from './samples/postal.ts'
import { postmarkBounce, postmarkHeaders, postmarkKey } from './samples/postmark.ts'
import { resendEvent, resendHeaders, resendKey } from './samples/resend.ts'
import { sendgridEvent, sendgridHeaders, sendgridKey } from './samples/sendgrid.ts'

const nowMs = Date.parse('2026-11-21T04:00:05.000Z')
const minuteMs = 60_000

type Verify = (request: ProviderRequest, key: string, tools: Pick<ProviderTools, 'nowMs'>) => Promise<unknown>

/** Whether it is genuine, with its content. */
async function isGenuine(
  verify: Verify,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
  key: string,
  atMs = nowMs,
): Promise<boolean> {
  const request: ProviderRequest = {
    header: name => headers[name] ?? '',
    body,
    json: () => body.toString(),
    list: async () => await Promise.resolve([]),
    form: async () => await Promise.resolve(null),
  }
  try {
    await verify(request, key, { nowMs: atMs })
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthorized') return false
    throw error
  }
}

const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
const otherEc = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey
const inPem = (key: typeof otherEc): string => key.export({ format: 'pem', type: 'spki' }).toString()

interface Case {
  name: string
  body: Buffer
  headers: Record<string, string>
  verify: Verify
  key: string
  otherKeys: string[]
  isBodySigned: boolean
  /** How long a signature is valid; null if it contains no time. */
  validMs: number | null
}

const sendgrid = bytesOf([sendgridEvent('delivered')])
const postmark = bytesOf(postmarkBounce('HardBounce'))
const postal = bytesOf(postalEvent('MessageSent'))
const resend = bytesOf(resendEvent('email.delivered'))

const cases: Case[] = [
  {
    name: 'SendGrid',
    body: sendgrid,
    headers: sendgridHeaders(sendgrid, nowMs),
    verify: verifySendgrid,
    key: sendgridKey,
    otherKeys: [inPem(otherEc), inPem(otherRsa), ''],
    isBodySigned: true,
    validMs: 25 * 60 * minuteMs,
  },
  {
    name: 'Postmark',
    body: postmark,
    headers: postmarkHeaders(),
    verify: verifyPostmark,
    key: postmarkKey,
    otherKeys: ['posthorn:', 'posthorn', `${postmarkKey} `],
    isBodySigned: false,
    validMs: null,
  },
  ...[postalKey, postalPem].flatMap(key =>
    ['x-postal-signature', 'x-postal-signature-256'].map(name => ({
      name: `Postal, ${name}, ${key.slice(0, 10)}`,
      body: postal,
      headers: { [name]: postalHeaders(postal)[name] ?? '' },
      verify: verifyPostal,
      key,
      otherKeys: [inPem(otherRsa), inPem(otherEc), 'p='],
      isBodySigned: true,
      validMs: null,
    })),
  ),
  ...(['svix', 'webhook'] as const).map(prefix => ({
    name: `Resend, ${prefix}`,
    body: resend,
    headers: resendHeaders(resend, nowMs, { prefix }),
    verify: verifyResend,
    key: resendKey,
    otherKeys: [`whsec_${randomBytes(24).toString('base64')}`, 'whsec_', ''],
    isBodySigned: true,
    validMs: 5 * minuteMs,
  })),
]

describe.each(cases)('a request of $name', ({ body, headers, verify, key, otherKeys, isBodySigned }) => {
  test('is genuine with its own key and no other', async () => {
    expect(await isGenuine(verify, headers, body, key)).toBe(true)
    for (const other of otherKeys) expect(await isGenuine(verify, headers, body, other)).toBe(false)
  })

  test('is forged if its body was changed', async () => {
    for (const changed of [Buffer.concat([body, Buffer.from(' ')]), Buffer.alloc(0)]) {
      expect(await isGenuine(verify, headers, changed, key)).toBe(!isBodySigned)
    }
  })

  test('is forged if a header is missing, changed or nonsense', async () => {
    const nonsense = ['', 'nonsense', '=', '\u00ff'.repeat(100), 'A'.repeat(8_000), 'v1,AAAA', '-1']
    for (const name of Object.keys(headers)) {
      for (const value of nonsense) {
        const changed = { ...headers, [name]: value }
        expect(await isGenuine(verify, changed, body, key), `${name}: ${value}`).toBe(false)
      }
    }
    expect(await isGenuine(verify, {}, body, key)).toBe(false)
  })
})

test.each(cases.filter(({ validMs }) => validMs !== null))(
  'a request of $name is refused once its signature is too old',
  async ({ body, headers, verify, key, validMs }) => {
    const limitMs = validMs ?? 0
    expect(await isGenuine(verify, headers, body, key, nowMs + limitMs - minuteMs)).toBe(true)
    expect(await isGenuine(verify, headers, body, key, nowMs + limitMs + minuteMs)).toBe(false)
    expect(await isGenuine(verify, headers, body, key, nowMs - 11 * minuteMs)).toBe(false)
  },
)

test('a genuine signature of Postal with SHA-1 does not help a forged one with SHA-256', async () => {
  const headers = { ...postalHeaders(postal), 'x-postal-signature-256': 'AAAA' }
  expect(await isGenuine(verifyPostal, headers, postal, postalKey)).toBe(false)
})
