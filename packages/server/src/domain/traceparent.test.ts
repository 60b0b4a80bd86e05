import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTraceparent, traceparentBytes, traceparentOf } from './traceparent.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

test.each([
  [`00-${traceId}-${spanId}-01`, '01'],
  [`00-${traceId}-${spanId}-00`, '00'],
  // unknown flags are not passed on
  [`00-${traceId}-${spanId}-ff`, '01'],
  // of a later version, the first four fields count
  [`01-${traceId}-${spanId}-01`, '01'],
  [`cc-${traceId}-${spanId}-01-what-comes-later`, '01'],
])('the trace of %s is continued', (header, flags) => {
  expect(readTraceparent(header)).toBe(`00-${traceId}-${spanId}-${flags}`)
})

test.each([
  undefined,
  '',
  'garbage',
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId}-${spanId}-01-more`,
  `cc-${traceId}-${spanId}-01more`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId.slice(1)}-${spanId}-01`,
  `00-${traceId}-${spanId}-1`,
  ` 00-${traceId}-${spanId}-01`,
  // Node joins repeated headers
  `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
])('%s is ignored', header => {
  expect(readTraceparent(header)).toBeNull()
})

test('the database keeps every trace as it is', () => {
  const bytes = fc.uint8Array({ minLength: 25, maxLength: 25 })
  fc.assert(
    fc.property(bytes, some => {
      const traceparent = traceparentOf(some) ?? ''
      expect(new Uint8Array(traceparentBytes(traceparent))).toEqual(some)
    }),
  )
  expect(traceparentOf(null)).toBeNull()
})
