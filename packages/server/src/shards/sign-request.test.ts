import { expect, test } from 'vitest'
import { bodyDigest, signAnswer, signRequest, verifyAnswer, verifyRequest } from './sign-request.ts'

const first = { id: 'first', key: Buffer.alloc(32, 1) }
const second = { id: 'second', key: Buffer.alloc(32, 2) }
const nowMs = 1_764_400_000_000
const sent = {
  method: 'POST',
  path: '/v1/outcomes?x=1',
  forwardedFor: '192.0.2.7',
  operator: 'token;view;ann',
}
const body = bodyDigest(Buffer.from('{}'))
const signed = signRequest({ ...sent, body, ms: nowMs }, first)

test('a request is accepted with any of the keys, and its signature gives the digest of the body', () => {
  for (const keys of [[first], [second, first]]) {
    expect(verifyRequest(signed.header, sent, { keys, nowMs })).toEqual({ body, signature: signed })
  }
})

test.each<[string, string | undefined, Partial<typeof sent>, string]>([
  ['without a header', undefined, {}, 'missing'],
  ['with an empty header', '', {}, 'malformed'],
  ['with another form', signed.header.replaceAll(';', ','), {}, 'malformed'],
  ['with an unknown key', signed.header.replace('first', 'third'), {}, 'unknown_key'],
  ['under the name of another key', signed.header.replace('first', 'second'), {}, 'wrong'],
  ['with another method', signed.header, { method: 'PUT' }, 'wrong'],
  ['with another path', signed.header, { path: '/v1/outcomes' }, 'wrong'],
  ['with another address', signed.header, { forwardedFor: '' }, 'wrong'],
  ['of another operator', signed.header, { operator: 'token;change;ann' }, 'wrong'],
  ['of nobody by name', signed.header, { operator: '' }, 'wrong'],
  ['with another time', signed.header.replace(String(nowMs), String(nowMs + 1)), {}, 'wrong'],
  ['with another body', signed.header.replace(body, bodyDigest(null)), {}, 'wrong'],
  ['as a stream', signed.header.replace(body, 'stream'), {}, 'wrong'],
])('a request %s is refused', (_, header, change, flaw) => {
  expect(verifyRequest(header, { ...sent, ...change }, { keys: [first, second], nowMs })).toEqual({ flaw })
})

test('a request is accepted for a minute, before and after', () => {
  const at = (differenceMs: number): unknown =>
    verifyRequest(signed.header, sent, { keys: [first], nowMs: nowMs + differenceMs })
  expect([at(-60_000), at(60_000)]).toEqual([
    expect.objectContaining({ body }),
    expect.objectContaining({ body }),
  ])
  expect([at(-60_001), at(60_001)]).toEqual([{ flaw: 'stale' }, { flaw: 'stale' }])
})

test('an answer proves its shard only for its own request and status', () => {
  const header = signAnswer(signed, 202, 17)
  expect(verifyAnswer(header, signed, 202)).toBe(17)
  expect(verifyAnswer(header, signed, 200)).toBeNull()
  expect(verifyAnswer(header.replace('17', '1'), signed, 202)).toBeNull()
  expect(verifyAnswer(header, signRequest({ ...sent, body, ms: nowMs + 1 }, first), 202)).toBeNull()
  // the signature of a request is not that of an answer
  expect(verifyAnswer(`17;${signed.mac}`, signed, 202)).toBeNull()
  for (const other of [undefined, '', '17', `1000;${'0'.repeat(64)}`]) {
    expect(verifyAnswer(other, signed, 202)).toBeNull()
  }
})
