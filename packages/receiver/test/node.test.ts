import { describe, expect, test } from 'vitest'
import { constructEventSync, createNodeHandler, verifySync } from '../src/node.ts'
import { describeAdapter } from './adapter-suite.ts'
import { listening } from './listening.ts'
import { at, BODY, OTHER_SECRET, signed } from './signed.ts'
import { bodyOf, linesOf, optionsOf, vectors } from './vectors.ts'

describeAdapter('createNodeHandler', async (options, fn) => {
  const handle = createNodeHandler(options, fn)
  return await listening((request, response) => void handle(request, response))
})

describe('verifySync agrees with every vector', () => {
  test.each(vectors.verify)('$id', vector => {
    const { expect: right } = vector
    const verify = () => verifySync(bodyOf(vector), linesOf(vector), optionsOf(vector))
    if (right.result === 'reject') {
      expect(verify).toThrow(expect.objectContaining({ code: right.code, status: 401 }))
      return
    }
    const { secretIndex, partName } = right
    expect(verify()).toMatchObject({ timestamp: Number(right.timestamp), secretIndex, partName })
    const construct = () => constructEventSync(bodyOf(vector), linesOf(vector), optionsOf(vector))
    if (right.payload === 'event') expect(construct()).toMatchObject({ id: 'evt_1' })
    else if (right.payload !== undefined)
      expect(construct).toThrow(expect.objectContaining({ code: right.payload }))
  })

  test.each(vectors.config)('$id', ({ expect: right, ...options }) => {
    const verify = () => verifySync(BODY, signed(), { ...at(), ...(options as object) })
    expect(verify).toThrow(expect.objectContaining({ code: right.code, status: 500 }))
  })
})

test('the synchronous variant accepts a SharedArrayBuffer and rejects a parsed object', () => {
  const shared = new SharedArrayBuffer(BODY.length)
  new Uint8Array(shared).set(new TextEncoder().encode(BODY))
  expect(verifySync(shared as unknown as ArrayBuffer, signed(), at())).toMatchObject({ partName: 'v1' })
  expect(() => verifySync({} as string, signed(), at())).toThrow(
    expect.objectContaining({ code: 'body_already_parsed' }),
  )
  expect(() => verifySync(BODY, signed(), { ...at(), secrets: OTHER_SECRET })).toThrow(
    expect.objectContaining({ code: 'signature_mismatch' }),
  )
})
