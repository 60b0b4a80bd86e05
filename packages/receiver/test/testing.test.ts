import { Ajv2020 } from 'ajv/dist/2020.js'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createVerifier, isKnownEvent } from '../src/index.ts'
import { sampleEvent, signedRequest, signHeader, vectors } from '../src/testing.ts'
import { OTHER_SECRET, SECRET } from './signed.ts'
import { bodyOf, vectors as committed } from './vectors.ts'

const read = (path: string) => readFileSync(new URL(`../../../fixtures/${path}`, import.meta.url), 'utf8')

describe('signHeader', () => {
  test.each(vectors.sign)('$id', async vector => {
    const { secrets, timestamp, expectHeader } = vector
    expect(await signHeader({ body: bodyOf(vector), secrets, timestamp })).toBe(expectHeader)
  })
})

test.each(['email.delivered', 'email.unsubscribed', 'email.deferred'] as const)(
  'a sample %s event sent as a signed request reaches the handler',
  async type => {
    const event = sampleEvent(type, { id: 'evt_mine' })
    const request = await signedRequest(event, {
      secret: [OTHER_SECRET, SECRET],
      url: 'https://receiver.example/hooks',
    })
    const got: unknown[] = []
    const handle = createVerifier({ secrets: SECRET }).toHandler(one => void got.push(one))
    const answer = await handle(request)
    expect([answer.status, answer.headers.get('x-service-verified')]).toEqual([200, 'v1s'])
    expect(got).toEqual([event])
    expect(isKnownEvent(event)).toBe(true)
  },
)

test('two samples are separate events, and changing one does not affect the next', () => {
  const first = sampleEvent('email.delivered')
  first.data.to.push('someone@example.org')
  const second = sampleEvent('email.delivered')
  expect(second.id).not.toBe(first.id)
  expect(second.data.to).toEqual(['ann@example.org'])
})

test('the package’s vectors equal those of the repository and follow their JSON Schema', () => {
  expect(vectors).toEqual(committed)
  const schema = 'signature-vectors.schema.json'
  expect(read(`../packages/receiver/src/${schema}`)).toBe(read(schema))
  const valid = new Ajv2020().compile(JSON.parse(read(schema)))
  expect(valid(committed), JSON.stringify(valid.errors)).toBe(true)
  expect(valid({ ...committed, version: 2 })).toBe(false)
})
