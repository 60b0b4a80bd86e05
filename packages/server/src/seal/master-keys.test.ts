import { expect, test } from 'vitest'
import { formatMasterKeys, parseMasterKeys } from './master-keys.ts'
import { NamedKeysError } from './named-keys.ts'

const first = Buffer.alloc(32, 1).toString('base64')
const second = Buffer.alloc(32, 0xff).toString('base64')

test('one or more keys are read in order', () => {
  expect(parseMasterKeys(`2026:${first}`)).toEqual([{ id: '2026', key: Buffer.alloc(32, 1) }])
  expect(parseMasterKeys(` new:${second} , old:${first}\n`).map(({ id }) => id)).toEqual(['new', 'old'])
})

test('formatted master keys are parsed back unchanged', () => {
  const keys = parseMasterKeys(`new:${second},old:${first}`)
  expect(parseMasterKeys(formatMasterKeys(keys))).toEqual(keys)
})

test.each([
  ['', /master key 1 must have the form id:base64/],
  [first, /master key 1 must have the form/],
  [`a:${first},`, /master key 2 must have the form/],
  [`a:${first}:b`, /master key 1 must have the form/],
  [`:${first}`, /master key 1 has an invalid id/],
  [`ä:${first}`, /master key 1 has an invalid id/],
  [`a:${first.slice(0, -2)}!=`, /master key 1 \("a"\) is not base64/],
  [`a:${Buffer.alloc(16).toString('base64')}`, /has 16 bytes instead of 32/],
  ['a:', /has 0 bytes instead of 32/],
  [`a:${first},a:${second}`, /"a" is used twice/],
])('%s is rejected with one line that shows no key', (text, message) => {
  const refusal = refusalOf(text)
  expect(refusal).toMatch(message)
  expect(refusal).not.toContain('\n')
  expect(refusal).not.toContain(first.slice(0, 12))
})

function refusalOf(text: string): string {
  try {
    parseMasterKeys(text)
  } catch (error) {
    if (error instanceof NamedKeysError) return error.message
  }
  return expect.unreachable('the keys were accepted')
}
