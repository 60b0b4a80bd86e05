import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { vectorText } from '../../../fixtures/generate-vectors.ts'
import { createVerifier, WebhookUsageError, WebhookVerificationError } from '../src/index.ts'
import { bodyOf, linesOf, optionsOf, vectors } from './vectors.ts'

test('the committed vectors match the script’s output', () => {
  const committed = readFileSync(new URL('../../../fixtures/signature-vectors.json', import.meta.url), 'utf8')
  expect(committed).toBe(vectorText())
})

test('every vector has a unique name', () => {
  const ids = [...vectors.verify, ...vectors.sign, ...vectors.config].map(vector => vector.id)
  expect(new Set(ids).size).toBe(ids.length)
})

describe('verify', () => {
  test.each(vectors.verify)('$id', async vector => {
    const verifier = createVerifier(optionsOf(vector))
    const { expect: right } = vector

    const result = await verifier.safeVerify(bodyOf(vector), linesOf(vector))

    if (right.result === 'reject') {
      expect(result).toMatchObject({ ok: false, error: { code: right.code, status: 401 } })
      const thrown = await verifier.verify(bodyOf(vector), linesOf(vector)).catch((error: unknown) => error)
      expect(thrown).toBeInstanceOf(WebhookVerificationError)
      return
    }
    const { secretIndex, partName } = right
    expect(result).toMatchObject({ ok: true, timestamp: Number(right.timestamp), secretIndex, partName })
    if (right.payload === undefined) return
    const event = verifier.constructEvent(bodyOf(vector), linesOf(vector))
    if (right.payload === 'event') expect(await event).toMatchObject({ id: 'evt_1' })
    else await expect(event).rejects.toMatchObject({ code: right.payload, status: 400 })
  })
})

describe('config', () => {
  test.each(vectors.config)('$id', ({ expect: right, ...options }) => {
    const make = () => createVerifier(options as Parameters<typeof createVerifier>[0])
    expect(make).toThrow(WebhookUsageError)
    expect(make).toThrow(expect.objectContaining({ code: right.code, status: 500 }))
  })
})
