import { computeSignature } from '@posthorn/receiver/debug'
import { signHeader, vectors } from '@posthorn/receiver/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explain } from './explain.ts'
import { findMistake } from './find-mistake.ts'
import { utf8Bytes } from './utf8.ts'

const secret = 'whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH'
const event = {
  id: 'evt_01kaf8j7m3e5rtk9s7v2n1p0qw',
  type: 'email.bounced',
  data: { email_id: 'em_1', to: ['zoë@example.org'], url: 'https://example.org/a', metadata: { n: 1.5 } },
  created_at: '2026-11-21T04:00:01.120Z',
}
const sent = JSON.stringify(event)
const seconds = 1_795_230_842

async function explained(body: string | Uint8Array<ArrayBuffer>, given = secret, header?: string) {
  const bytes = typeof body === 'string' ? utf8Bytes(body) : body
  const found = await findMistake({
    header: header ?? (await signHeader({ body: sent, secrets: secret, timestamp: seconds })),
    secrets: [given],
    body: bytes,
  })
  return found === null ? null : explain({ found, owners: [], body: bytes, isAsSent: false }).sentence
}

/** A header from other code. */
async function madeWith(key: string | Uint8Array<ArrayBuffer>, before: string): Promise<string> {
  return `t=${seconds},v1=${await computeSignature({ key, before, body: sent })}`
}

describe('bodies', () => {
  test.each([
    [
      'written by Python',
      sent.replaceAll('":', '": ').replaceAll(',"', ', "').replace('ë', '\\u00eb'),
      'the body was parsed and written again. The signature matches if the spaces after “:” and “,” are removed and “\\u00eb” is written “ë”.',
    ],
    [
      'with spaces after colons',
      sent.replaceAll('":', '": '),
      'the body was parsed and written again. The signature matches if the spaces after “:” are removed.',
    ],
    [
      'pretty-printed',
      JSON.stringify(event, null, 2),
      'the body was parsed and written again. The signature matches if the line breaks and the indentation are removed.',
    ],
    [
      'written by PHP',
      sent.replaceAll('/', '\\/'),
      'the body was parsed and written again. The signature matches if “\\/” is written “/”.',
    ],
    [
      'with its envelope in another order',
      JSON.stringify({ created_at: event.created_at, data: event.data, id: event.id, type: event.type }),
      'the body was parsed and written again. The signature matches with id, type, data, created_at in this order and no spaces.',
    ],
    [
      'from an editor',
      `${sent}\n`,
      'a line break was added at the end of the body. The signature matches without the last line break.',
    ],
    [
      'with a byte order mark',
      `\uFEFF${sent}`,
      'a byte order mark was added before the body. The signature matches without it.',
    ],
    [
      'still in base64',
      Buffer.from(sent).toString('base64'),
      'the body is still in base64, as some gateways pass it on. The signature matches once it is decoded.',
    ],
    [
      'read as Latin-1',
      Buffer.from(sent).toString('latin1'),
      'UTF-8 was read as Latin-1 and written again. The signature matches if that is undone.',
    ],
    [
      'put into JSON once more',
      JSON.stringify(sent),
      'the body was converted to JSON twice. The signature matches with the text within the quotes.',
    ],
  ])('%s', async (_, body, sentence) => {
    expect(await explained(body)).toBe(`Why 4 fails: ${sentence}`)
  })

  test('saved as UTF-16', async () => {
    const saved = new Uint8Array(Buffer.from(`\uFEFF${sent}`, 'utf16le'))
    expect(await explained(saved)).toMatch(/the body was saved as UTF-16/)
  })

  test.each([
    [
      'spaces',
      sent,
      `${JSON.stringify(event, null, 2)}`,
      /The signature matches if the body is written with an indentation of two/,
    ],
    ['its last line break', sent, `${sent}\n`, /The signature matches with a line break at the end/],
    ['its CRLF', '{\n}', '{\r\n}', /The signature matches with CRLF line breaks/],
    ['its LF', '{\r\n}', '{\n}', /The signature matches with LF line breaks/],
  ])('finds that the body lost %s', async (_, body, signed, sentence) => {
    const header = await signHeader({ body: signed, secrets: secret, timestamp: seconds })
    expect(await explained(body, secret, header)).toMatch(sentence)
  })
})

describe('secrets', () => {
  test.each([
    ['without whsec_', secret.slice(6), /whsec_ was cut off the secret/],
    [
      'with its name in the .env file',
      `WEBHOOK_SECRET="${secret}"`,
      /the field contains more than the secret/,
    ],
    ['with a line break', `${secret}\n`, /the field contains more/],
  ])('explains a secret %s', async (_, given, sentence) => {
    expect(await explained(sent, given)).toMatch(sentence)
  })
})

describe('headers created by other code', () => {
  test.each([
    ['without whsec_ in the key', secret.slice(6), `${seconds}.`, /the key was used without whsec_/],
    [
      'with the base64-decoded key',
      new Uint8Array(Buffer.from(secret.slice(6), 'base64')),
      `${seconds}.`,
      /the key was decoded from base64/,
    ],
    ['with t in milliseconds', secret, `${seconds}000.`, /t was signed in milliseconds and sent in seconds/],
    ['over the body alone', secret, '', /only the body was signed/],
    ['without the dot', secret, `${seconds}`, /the dot between t and the body was missing/],
  ])('%s', async (_, key, before, sentence) => {
    expect(await explained(sent, secret, await madeWith(key, before))).toMatch(sentence)
  })
})

test('two mistakes at once are both found', async () => {
  expect(await explained(JSON.stringify(event, null, 4), secret.slice(6))).toBe(
    'Why 4 fails: whsec_ was cut off the secret, and the body was parsed and written again. The signature matches with whsec_ before it and if the line breaks and the indentation are removed.',
  )
})

test.each([
  ['signature-key-without-prefix', /without whsec_/],
  ['signature-without-time', /only the body was signed/],
  ['body-newline-added', /a line break was added/],
  ['body-white-space', /parsed and written again/],
  ['body-crlf-to-lf', /CRLF/],
])('the mistake in the published vector %s is explained', async (id, sentence) => {
  const vector = vectors.verify.find(one => one.id === id)
  const found = await findMistake({
    header: vector?.headers?.[0] ?? '',
    secrets: vector?.secrets ?? vectors.defaults.secrets,
    body: new Uint8Array(Buffer.from(vector?.bodyBase64 ?? '', 'base64')),
  })
  expect(found?.map(mistake => `${mistake.was}; ${mistake.fits}`).join()).toMatch(sentence)
})

test('any JSON that was pretty-printed or given a line break is explained', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.json(),
      fc.constantFrom(
        (value: unknown) => JSON.stringify(value, null, 2),
        (value: unknown) => JSON.stringify(value, null, '\t'),
        (value: unknown) => `${JSON.stringify(value)}\n`,
        (value: unknown) => `${JSON.stringify(value, null, 4)}\r\n`,
      ),
      async (json, alter) => {
        const value: unknown = JSON.parse(json)
        const signed = JSON.stringify(value)
        const altered = alter(value)
        fc.pre(altered !== signed)
        const header = await signHeader({ body: signed, secrets: secret })
        expect(await explained(altered, secret, header)).not.toBeNull()
      },
    ),
    { numRuns: 50 },
  )
})

test('no mistake is claimed for a signature of something else', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ minLength: 1 }),
      fc.stringMatching(/^[0-9A-Za-z]{44}$/),
      async (other, rest) => {
        fc.pre(other.trim() !== sent)
        const header = await signHeader({ body: other, secrets: `whsec_${rest}` })
        expect(await explained(sent, secret, header)).toBeNull()
      },
    ),
    { numRuns: 30 },
  )
})

test('an aborted search ends', async () => {
  const header = await signHeader({ body: 'x', secrets: secret })
  const search = findMistake({ header, secrets: [secret], body: utf8Bytes(sent) }, AbortSignal.abort())
  await expect(search).rejects.toThrow('aborted')
})
