import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nodeHmac } from '../src/node-hmac.ts'

test('nodeHmac gives the same digests as createHmac for keys and bodies around each size boundary', () => {
  const lengths = (max: number, ...edges: number[]) => fc.oneof(fc.nat({ max }), fc.constantFrom(...edges))
  const key = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    lengths(200, 63, 64, 65).map(length => 'k'.repeat(length)),
  )
  const body = lengths(9000, 0, 8191, 8192, 8193).map(length => new Uint8Array(length).fill(length))
  fc.assert(
    fc.property(
      fc.array(key, { minLength: 1, maxLength: 4 }),
      fc.stringMatching(/^[0-9]{1,15}$/),
      body,
      (keys, t, bytes) => {
        const right = keys.map(one => createHmac('sha256', one).update(`${t}.`).update(bytes).digest('hex'))
        expect(nodeHmac(keys, t, bytes)).toEqual(right)
      },
    ),
    { numRuns: 500 },
  )
})
