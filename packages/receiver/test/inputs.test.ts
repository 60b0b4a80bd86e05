import { describe, expect, test } from 'vitest'
import { runInNewContext } from 'node:vm'
import { createVerifier, type HeaderInput, type RawBody } from '../src/index.ts'
import { at, BODY, NOW, signed } from './signed.ts'

const verifier = createVerifier(at())
const unsound = (value: unknown) => value as RawBody & HeaderInput
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error: { code: string }) => error.code,
  )
const bytes = new TextEncoder().encode(BODY)

describe('the header in every form that a framework provides', () => {
  test.each([
    ['H10 a record with the name in any case', { 'X-SERVICE-Signature': signed() }, 'ok'],
    ['H10 Headers of the web', new Headers({ 'x-service-signature': signed() }), 'ok'],
    ['H7 a record with a list of one', { 'x-service-signature': [signed()] }, 'ok'],
    ['H8 a record with a list of two', { 'x-service-signature': [signed(), signed()] }, 'header_ambiguous'],
    [
      'A6 two spellings of the name',
      { 'X-Service-Signature': signed(), 'x-service-signature': 'x' },
      'header_ambiguous',
    ],
    [
      'H9 Headers that joined two lines',
      new Headers([
        ['x-service-signature', signed()],
        ['X-Service-Signature', signed()],
      ]),
      'header_malformed',
    ],
    ['H1 undefined', undefined, 'header_missing'],
    ['H1 null', null, 'header_missing'],
    ['H1 an empty list', [], 'header_missing'],
    ['H1 other headers only', { 'content-type': 'application/json' }, 'header_missing'],
    ['H1 a header that is undefined', { 'x-service-signature': undefined }, 'header_missing'],
    ['H2 Headers without it', new Headers(), 'header_missing'],
    ['H3 only tabs', '\t\t', 'header_missing'],
    ['H21 a number', 5, 'header_malformed'],
    ['H21 a number in a record', { 'x-service-signature': 5 }, 'header_malformed'],
    ['H21 an object in a list', [{}], 'header_malformed'],
    ['H21 a function', () => signed(), 'header_malformed'],
  ])('%s', async (_name, header, right) => {
    expect(await codeOf(verifier.verify(BODY, unsound(header)))).toBe(right)
  })

  test('a custom header name replaces the default one', async () => {
    const renamed = createVerifier({ ...at(), headerName: 'X-Renamed' })
    expect(await codeOf(renamed.verify(BODY, { 'x-renamed': signed() }))).toBe('ok')
    expect(await codeOf(renamed.verify(BODY, { 'x-service-signature': signed() }))).toBe('header_missing')
  })
})

describe('the body in every form that a framework provides', () => {
  const pool = new Uint8Array(bytes.length + 32)
  pool.set(bytes, 16)
  const shared = new SharedArrayBuffer(bytes.length)
  new Uint8Array(shared).set(bytes)
  const given = new Uint8Array(bytes)
  structuredClone(given, { transfer: [given.buffer] })
  test.each([
    ['B12 text', BODY, 'ok'],
    ['B12 Uint8Array', bytes, 'ok'],
    ['B12 Buffer', Buffer.from(BODY), 'ok'],
    ['B12 a part of a pool', pool.subarray(16, 16 + bytes.length), 'ok'],
    ['B12 ArrayBuffer', new Uint8Array(bytes).buffer, 'ok'],
    ['B12 Uint8Array of another realm', runInNewContext(`Uint8Array.from([${bytes.join()}])`), 'ok'],
    ['B12 ArrayBuffer of another realm', runInNewContext(`Uint8Array.from([${bytes.join()}]).buffer`), 'ok'],
    ['B18 Int8Array', new Int8Array(new Uint8Array(bytes).buffer), 'ok'],
    ['B18 DataView', new DataView(new Uint8Array(bytes).buffer), 'ok'],
    ['B18 SharedArrayBuffer', shared, 'ok'],
    ['B18 a view of a SharedArrayBuffer', new Uint8Array(shared), 'ok'],
    ['B10 undefined', undefined, 'body_missing'],
    ['B10 null', null, 'body_missing'],
    ['B11 a parsed object', JSON.parse(BODY), 'body_already_parsed'],
    ['B11 a parsed list', [1], 'body_already_parsed'],
    ['B11 a number', 1, 'body_already_parsed'],
    ['B12 bytes that were transferred away', given, 'body_already_consumed'],
    ['B13 a lone surrogate', `${BODY}\ud800`, 'signature_mismatch'],
  ])('%s', async (_name, body, right) => {
    expect(await codeOf(verifier.verify(unsound(body), signed()))).toBe(right)
  })

  test('B6 umlauts and emoji verify as text and as bytes', async () => {
    const text = '{"id":"evt_1","type":"x","subject":"Grüße 🐘"}'
    expect(await codeOf(verifier.verify(text, signed(text)))).toBe('ok')
    expect(await codeOf(verifier.verify(new TextEncoder().encode(text), signed(text)))).toBe('ok')
  })

  test('B16 the signature covers the body before content encoding', async () => {
    const zipped = new Uint8Array(
      await new Response(new Blob([BODY]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer(),
    )
    expect(await codeOf(verifier.verify(zipped, signed()))).toBe('signature_mismatch')
  })

  test('a forged request is rejected as forged even if its body was already parsed', async () => {
    expect(await codeOf(verifier.verify(unsound({}), undefined))).toBe('header_missing')
  })

  test('the parsed bytes are the verified ones, even if the buffer is reused', async () => {
    const buffer = new TextEncoder().encode(BODY)
    const event = verifier.constructEvent(buffer, signed())
    buffer.fill(0x20)
    expect(await event).toMatchObject({ id: 'evt_1' })
  })
})

describe('events', () => {
  const construct = (body: string) => verifier.constructEvent(body, signed(body))

  test('P5 a key named __proto__ pollutes no prototype', async () => {
    const event = await construct('{"id":"evt_1","type":"x","__proto__":{"polluted":true}}')
    expect('polluted' in event).toBe(false)
    expect(Object.getPrototypeOf(event)).toBe(Object.prototype)
  })

  test('P6 if a key occurs twice, the last one counts', async () => {
    expect(await construct('{"id":"evt_0","id":"evt_1","type":"x"}')).toMatchObject({ id: 'evt_1' })
  })

  test('P7 10,000 levels of nesting are rejected without a crash', async () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000)
    expect(await codeOf(construct(deep))).toBe('payload_not_event')
    expect(await codeOf(construct(`{"id":"evt_1","type":"x","data":${deep}}`))).toBe('payload_not_event')
  })

  test('P8 numbers too large for JavaScript lose precision, as with JSON.parse', async () => {
    const event = await construct('{"id":"evt_1","type":"x","data":{"n":12345678901234567890,"big":1e400}}')
    expect(event.data).toEqual({ n: 12345678901234567000, big: Infinity })
  })

  test('P9 unknown fields are kept', async () => {
    expect(await construct('{"id":"evt_1","type":"x","more":1}')).toMatchObject({ more: 1 })
  })

  test('an event whose data is not an object is rejected', async () => {
    expect(await codeOf(construct('{"id":"evt_1","type":"x","data":null}'))).toBe('payload_not_event')
  })
})

test('T14 the error says that the timestamp is in milliseconds', async () => {
  const error = await verifier.verify(BODY, signed(BODY, `${NOW}000`)).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'timestamp_in_future', hint: expect.stringContaining('milliseconds') })
})
