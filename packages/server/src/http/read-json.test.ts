import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { readJson } from './read-json.ts'

const options = { complaint: 'No JSON.' }

function refusal(text: string, more = {}): Pick<AppError, 'code' | 'errors'> {
  try {
    readJson(text, { ...options, ...more })
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error(`read: ${text}`)
}

const pathsIn = (text: string, more = {}): string[] => refusal(text, more).errors.map(({ path }) => path)

test.each([
  ['"\\ud801"', ['']],
  ['{"a":[{"b":"x"},{"b":"x\\uDC00"}]}', ['/a/1/b']],
  ['["\\ud83d\\ude00","\\ude00\\ud83d","\\ud83d","ok"]', ['/1', '/2']],
  ['{ "a" : { "\\ud801" : 1 , "b~/" : "\\udfff" } }', ['/a/\ufffd', '/a/b~0~1']],
  ['{"a":"\\\\ud801\\udc02","b":"\\ud83d\\ude00\\ude00"}', ['/a', '/b']],
  ['{"\\\\ud801":1,"a\\"b":["]{,:","\\ud801"]}', ['/a"b/1']],
])('%s is rejected for its lone surrogates', (text, paths) => {
  expect(refusal(text).code).toBe('validation_failed')
  expect(pathsIn(text)).toEqual(paths)
})

test.each([
  ['{"metadata":{"n":9007199254740993}}', ['/metadata/n']],
  ['[1,-9007199254740993 , 1e400]', ['/1', '/2']],
  ['[1234567.12345678901]', ['/0']],
  ['[0,0.9007199254740993e16]', ['/1']],
  ['[1e-400,1e-40,3e-324]', ['/0', '/2']],
  ['{"a":"9007199254740993","b":[{"c":3.141592653589793238462643383279}]}', ['/b/0/c']],
  ['{"a":"\\ud801","n":9007199254740993}', ['/a', '/n']],
])('%s is rejected for numbers that would change when read', (text, paths) => {
  expect(pathsIn(text)).toEqual(paths)
})

test.each([
  '"\\ud83d\\ude00"',
  '{"a":"\\\\ud801"}',
  '{"9007199254740993":"at 12:9007199254740993, [9007199254740993] 1e400"}',
  '[1.5e3,-0,0.1,1E-7,9007199254740992,100000000000000000000]',
])('%s is read as JSON.parse reads it', text => {
  expect(readJson(text, options)).toEqual(JSON.parse(text))
})

test('any value that JSON.stringify writes is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), value => {
      const text = JSON.stringify(value)
      expect(readJson(text, options)).toEqual(JSON.parse(text))
    }),
  )
})

test('error paths start with the position of the text in the request', () => {
  expect(pathsIn('{"a":"\\ud801"}', { at: [7] })).toEqual(['/7/a'])
})

const forgiving = { ...options, isForgiving: true }

test('a forgiving reader rounds numbers and replaces halves of surrogate pairs', () => {
  const text = String.raw`{"n":9007199254740993,"a\udce9":["\ud83d\ude00\ude00","\\ud83d","\ud83d\\ude00","\uDBFF"]}`
  expect(readJson(text, forgiving)).toEqual({
    n: 9007199254740992,
    'a\ufffd': ['😀\ufffd', String.raw`\ud83d`, String.raw`${'\ufffd'}\ude00`, '\ufffd'],
  })
  expect(() => readJson(String.raw`{"a":"\ud8"}`, forgiving)).toThrow('No JSON')
})

test('a forgiving reader makes every text well-formed, and changes nothing else', () => {
  const wellFormed = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, one: unknown) =>
      typeof one === 'string' ? one.toWellFormed() : one,
    )
  const unit = fc.constantFrom('\ud83d', '\ude00', '\\', 'u', 'd83d', '"', 'a')
  fc.assert(
    fc.property(fc.array(fc.string({ unit })), texts => {
      expect(readJson(JSON.stringify(texts), forgiving)).toEqual(wellFormed(texts))
    }),
  )
})

test('at most a hundred errors are reported', () => {
  expect(pathsIn(`[${'"\\ud801",'.repeat(1_000)}1]`)).toHaveLength(100)
})

test('a lone surrogate inside 30,000 nested arrays is found and rejected', () => {
  const text = `${'['.repeat(30_000)}"\\ud801"${']'.repeat(30_000)}`
  expect(refusal(text).code).toBe('validation_failed')
})
