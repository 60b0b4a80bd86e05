import { createVerifier } from '@posthorn/receiver'
import { signHeader, vectors } from '@posthorn/receiver/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headerValue } from './header-value.ts'
import { judgePasted } from './judge-pasted.ts'
import type { Pasted } from './pasted.ts'

const secret = 'whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH'
const body = new TextEncoder().encode('{"id":"evt_1","type":"email.delivered"}')
const signedAtMs = Date.parse('2026-11-21T03:14:02Z')

async function pastedAfter(ageSeconds: number, changes: Partial<Pasted> = {}): Promise<Pasted> {
  const header = await signHeader({ body, secrets: secret, timestamp: signedAtMs / 1000 })
  return { header, secrets: [secret], body, nowMs: signedAtMs + ageSeconds * 1000, ...changes }
}

async function rule(number: number, pasted: Pasted) {
  const { rules } = await judgePasted(pasted)
  return rules.find(one => one.number === number)
}

async function libraryAccepts({ header, secrets, body: bytes, nowMs }: Pasted): Promise<boolean> {
  try {
    const verifier = createVerifier({ secrets, now: () => nowMs })
    return (await verifier.safeVerify(bytes ?? new Uint8Array(), headerValue(header))).ok
  } catch {
    return false
  }
}

test('a request that a receiver accepts passes all five rules', async () => {
  const { rules, verified } = await judgePasted(await pastedAfter(4))
  expect(rules.map(one => `${one.state} ${one.words}`)).toEqual([
    'good Header has one t and at least one signature: v1',
    'good t is digits (21 Nov 2026, 03:14:02 UTC)',
    'good Secret is whole: whsec_ and 44 characters',
    'good HMAC-SHA256 over “t.body” matches a signature: v1',
    'good Age: 4 s',
  ])
  expect(verified?.partName).toBe('v1')
})

test('rules without input are unknown, not failed', async () => {
  const { rules } = await judgePasted({ header: '', secrets: [], body: null, nowMs: signedAtMs })
  expect(rules.map(one => one.state)).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'unknown'])
})

test('during a rotation each secret is named with the signature it made', async () => {
  const other = `whsec_${'n'.repeat(44)}`
  const header = await signHeader({ body, secrets: [secret, other], timestamp: signedAtMs / 1000 })
  const found = await rule(4, await pastedAfter(0, { header, secrets: [other, secret] }))
  expect(found?.words).toMatch(/: v1 by secret 2, v1s by secret 1$/)
})

describe('age', () => {
  test('a request that is too old is bad, even if its signature matches', async () => {
    expect(await rule(5, await pastedAfter(301))).toMatchObject({
      state: 'bad',
      words: 'Age: 5 min 1 s; a receiver with the default 300 s refuses it',
    })
  })

  test('if the signature does not match either, the age is only a warning', async () => {
    expect(await rule(5, await pastedAfter(360, { body: new Uint8Array([1]) }))).toMatchObject({
      state: 'warning',
      words: 'Age: 6 min; a receiver with the default 300 s would refuse it even if 4 passed',
    })
  })
})

test.each([
  ['t=1,v1=', 'v1 is not a signature: nothing follows the =.'],
  [`t=1,v1=${'a'.repeat(63)}`, 'v1 is not a signature: it was cut off after 63 of 64 characters.'],
  [
    `t=1,v1=${'a'.repeat(40)}`,
    'v1 is not a signature: 40 hexadecimal characters are SHA-1. We sign with SHA-256.',
  ],
  [
    `t=1,v1=${'a/'.repeat(21)}a=`,
    'v1 is not a signature: this is base64. We send 64 hexadecimal characters.',
  ],
  [`t=1,t=1,v1=${'a'.repeat(64)}`, 'Header has two t. A proxy may have joined two headers into one.'],
  [`v1=${'a'.repeat(64)}`, 'Header has no t= part with the seconds since 1970.'],
  ['t=1', 'Header has no signature: no part is named v1, v1s or v1s2.'],
  ['t=1,v1=7312…', 'Header has a character that is not ASCII. Did a log shorten it with “…”?'],
  ['Bearer abc', 'This is not the value of a signature header. It should look like t=1795230842,v1=7312…'],
])('rule 1 explains what is wrong with %s', async (header, words) => {
  expect(await rule(1, await pastedAfter(0, { header }))).toMatchObject({ state: 'bad', words })
})

test.each([
  ['whsec_9fKq', 'Secret is only the prefix that we show. The whole secret has 44 characters after whsec_.'],
  [secret.slice(6), 'Secret does not start with whsec_.'],
  [secret.slice(0, -2), 'Secret has 42 characters after whsec_, not 44: a part is missing.'],
  [`"${secret}"`, 'Secret has quotes around it.'],
  [`${secret} `, 'Secret contains a space or a line break.'],
  ['phk_abc', 'Secret is an API key. The signing secret starts with whsec_.'],
])('rule 3 explains what is wrong with %s', async (one, words) => {
  expect(await rule(3, await pastedAfter(0, { secrets: [one] }))).toMatchObject({ state: 'bad', words })
})

test('a secret of 43 characters is good if it made a signature, and otherwise only a warning', async () => {
  const old = secret.slice(0, -1)
  const header = await signHeader({ body, secrets: old, timestamp: signedAtMs / 1_000 })
  expect(await rule(3, await pastedAfter(0, { header, secrets: [old] }))).toMatchObject({ state: 'good' })
  expect(await rule(3, await pastedAfter(0, { secrets: [old] }))).toMatchObject({
    state: 'warning',
    words: 'Secret has 43 characters after whsec_, not 44: it is old, or the last is missing.',
  })
})

test('a warning says that the timestamp is in milliseconds', async () => {
  const header = await signHeader({ body, secrets: secret, timestamp: signedAtMs })
  expect(await rule(2, await pastedAfter(0, { header }))).toMatchObject({
    state: 'warning',
    words: 't is in milliseconds (21 Nov 2026, 03:14:02.000 UTC). We send seconds.',
  })
})

test.each(vectors.verify.filter(vector => vector.headers?.length === 1))(
  'page and library agree on vector $id',
  async ({ headers: [header = ''] = [], bodyBase64, secrets, now }) => {
    const pasted: Pasted = {
      header,
      secrets: secrets ?? vectors.defaults.secrets,
      body: new Uint8Array(Buffer.from(bodyBase64, 'base64')),
      nowMs: (now ?? vectors.defaults.now) * 1000,
    }
    const { rules, verified } = await judgePasted(pasted)
    const keepsAll = [1, 2, 4, 5].every(number =>
      ['good', 'warning'].includes(rules.find(one => one.number === number)?.state ?? ''),
    )
    expect(verified !== null && keepsAll).toBe(await libraryAccepts(pasted))
  },
)

test('page and library agree on any pasted input', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -400, max: 400 }),
      fc.boolean(),
      fc.constantFrom(secret, secret.slice(6), `${secret} `, 'whsec_9fKq', `whsec_${'x'.repeat(44)}`),
      fc.string(),
      async (ageSeconds, isChanged, one, junk) => {
        const pasted = await pastedAfter(ageSeconds, { secrets: [one] })
        const tried = isChanged ? { ...pasted, header: `${pasted.header}${junk}` } : pasted
        const { rules } = await judgePasted(tried)
        const isAccepted = rules.every(({ state }) => state === 'good')
        expect(isAccepted).toBe(await libraryAccepts(tried))
      },
    ),
  )
})
