import { expect, test } from 'vitest'
import { isJsonBomb } from './json-bomb.ts'

const long = 'x'.repeat(100_000)

test.each([
  ['nested too deep', '['.repeat(100_000)],
  ['nested too deep, with room between', JSON.stringify({ long }) + ' {"a":'.repeat(101)],
  ['of too many objects', `[${'{},'.repeat(200_000)}{}]`],
  [
    'of too many names',
    JSON.stringify(Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`k${n}`, n]))),
  ],
  ['of too many numbers', JSON.stringify(Array.from({ length: 40_000 }, (_, n) => n))],
])('recognizes text %s as a decompression bomb', (_, text) => {
  expect(isJsonBomb(text)).toBe(true)
})

test.each([
  [
    'a full report',
    JSON.stringify(Array.from({ length: 1_000 }, () => ({ data: { to: [long.slice(0, 500)] } }))),
  ],
  [
    'brackets within strings',
    JSON.stringify({ long, brackets: '[{,'.repeat(200_000), quoted: '\\"['.repeat(101) }),
  ],
  ['a string without an end', `"${long}\\`],
  ['a short text', '['.repeat(60_000)],
])('rejects %s', (_, text) => {
  expect(isJsonBomb(text)).toBe(false)
})
