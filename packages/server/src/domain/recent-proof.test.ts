import { expect, test } from 'vitest'
import { recentProof, type SignedAttempt } from './recent-proof.ts'
import { type KeyHistory, signaturePartAt } from './signature-part.ts'

/** At 10 the first key is created, at 20 the second is staged, at 30 a third. At 40 the second becomes primary. */
const keys: KeyHistory[] = [
  { id: 'a', createdAtMs: 10, promotedAtMs: 10, retiredAtMs: 40 },
  { id: 'b', createdAtMs: 20, promotedAtMs: 40, retiredAtMs: null },
  { id: 'c', createdAtMs: 30, promotedAtMs: null, retiredAtMs: null },
]

test('a key signs under the name of its position at that time', () => {
  const names = (id: string): (string | null)[] =>
    [5, 15, 25, 35, 45].map(at => signaturePartAt(keys, id, at))
  expect(names('a')).toEqual([null, 'v1', 'v1', 'v1', null])
  expect(names('b')).toEqual([null, null, 'v1s', 'v1s', 'v1'])
  expect(names('c')).toEqual([null, null, null, 'v1s2', 'v1s'])
  expect(names('x')).toEqual([null, null, null, null, null])
})

test('a discarded key passes its name to the next one', () => {
  const discarded = keys.map(key => (key.id === 'b' ? { ...key, promotedAtMs: null, retiredAtMs: 33 } : key))
  expect(signaturePartAt(discarded, 'b', 35)).toBeNull()
  expect(signaturePartAt(discarded, 'c', 32)).toBe('v1s2')
  expect(signaturePartAt(discarded, 'c', 35)).toBe('v1s')
})

function attempt(startedAtMs: number, signed: string, verified = ''): SignedAttempt {
  return { startedAtMs, signedParts: signed.split(','), verifiedParts: verified.split(',') }
}

test('an attempt counts for the keys that signed it, across a promotion', () => {
  const attempts = [
    attempt(45, 'v1,v1s', 'v1'),
    attempt(35, 'v1,v1s,v1s2', 'v1,v1s'),
    attempt(25, 'v1,v1s'),
    attempt(15, 'v1', 'v1'),
  ]
  expect(recentProof(keys, 'b', attempts)).toEqual({ attempts: 3, verified: 2 })
  expect(recentProof(keys, 'c', attempts)).toEqual({ attempts: 2, verified: 0 })
  expect(recentProof(keys, 'a', attempts)).toEqual({ attempts: 3, verified: 2 })
})

test('an attempt signed before its sender knew a key does not count against that key', () => {
  expect(recentProof(keys, 'b', [attempt(21, 'v1', 'v1')])).toEqual({ attempts: 0, verified: 0 })
})

test('only the last twelve attempts count', () => {
  const last = Array.from({ length: 12 }, (_, n) => attempt(100 - n, 'v1,v1s', 'v1'))
  const before = Array.from({ length: 8 }, (_, n) => attempt(80 - n, 'v1,v1s'))
  expect(recentProof(keys, 'b', [...last, ...before])).toEqual({ attempts: 12, verified: 12 })
})
