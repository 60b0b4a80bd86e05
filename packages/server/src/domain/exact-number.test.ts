import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isExactNumber } from './exact-number.ts'

test.each([
  '0',
  '-0',
  '0.0e5',
  '1',
  '-12.50',
  '1e2',
  '1E+23',
  '9007199254740991',
  '9007199254740992',
  '-9007199254740992.0',
  '123456789012345680000',
  '0.1',
  '0.30000000000000004',
  // 0.1 with 17 digits, as C prints it
  '0.10000000000000001',
  '1.7976931348623157e308',
  '2.2250738585072014e-308',
  // the smallest
  '5e-324',
])('%s is kept', text => {
  expect(isExactNumber(text)).toBe(true)
})

test.each([
  '9007199254740993',
  '-9007199254740993',
  '9007199254740993.0',
  '9007199254740993e0',
  '900719925474099.3e1',
  '90071992547409930',
  // a double, but JSON.stringify writes 1152921504606847000
  '1152921504606846976',
  '9007199254740992.5',
  '12345678901234567.89',
  '3.141592653589793238462643383279',
  '1e400',
  '-1e400',
  '1e-400',
  '3e-324',
  '12345678901234e-330',
  `1${'0'.repeat(400)}`,
  `0.${'0'.repeat(100)}1`,
])('%s is not an exact number', text => {
  expect(isExactNumber(text)).toBe(false)
})

test('every number written by JSON.stringify is kept', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), number => {
      expect(isExactNumber(JSON.stringify(number))).toBe(true)
    }),
  )
})

test('a whole number is kept if and only if it is sent on as the same number', () => {
  const whole = fc.oneof(
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
    fc.bigInt({ min: 2n ** 53n - 5n, max: 2n ** 53n + 50n }),
  )
  fc.assert(
    fc.property(whole.map(String), text => {
      expect(isExactNumber(text)).toBe(JSON.stringify(Number(text)) === text)
    }),
  )
})
