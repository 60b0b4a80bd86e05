import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonElements } from './json-elements.ts'

const manyElements = 1_000
/** Pieces so short that even small texts have many. */
const shortSlice = 8

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const whiteSpace = fc.constantFrom('', ' ', '\n', '\t\r\n  ')
const arrayText = fc
  .tuple(fc.array(fc.jsonValue({ maxDepth: 4 }), { minLength: 1, maxLength: 30 }), whiteSpace)
  .map(
    ([elements, space]) =>
      `${space}[${elements.map(one => space + JSON.stringify(one)).join(`${space},`)}]${space}`,
  )

test('what it reads of an array is what JSON.parse makes of it', async () => {
  await fc.assert(
    fc.asyncProperty(arrayText, fc.integer({ min: 1, max: 64 }), async (text, slice) => {
      expect(await jsonElements(text, manyElements, slice)).toEqual(JSON.parse(text))
    }),
  )
})

test('no text is read otherwise than by JSON.parse, whatever is missing or too much', async () => {
  const change = fc.tuple(
    fc.nat(),
    fc.constantFrom('', ',', '[', ']', '{', '}', '"', '\\', ':', '1', ' ', '\u00a0'),
  )
  await fc.assert(
    fc.asyncProperty(arrayText, change, fc.boolean(), async (text, [place, piece], replaces) => {
      const at = place % text.length
      const changed = text.slice(0, at) + piece + text.slice(replaces ? at + 1 : at)
      const elements = await jsonElements(changed, manyElements, shortSlice)
      if (elements !== null) expect(elements).toEqual(parsed(changed))
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['a comma too much between pieces', '["0123456789",,"0123456789"]'],
  ['a comma too much at the end', '["0123456789","0123456789",]'],
  ['nothing in it', '[]'],
  ['something behind it', '["0123456789"] true'],
  ['another end', '["0123456789"}'],
  ['no end', '["0123456789","0123456789"'],
  ['an object around it', '{"a":["0123456789"]}'],
  ['one element more than asked for', JSON.stringify(Array.from({ length: 1_001 }, (_, n) => n))],
  ['arrays within it, too deep', `["0123456789",${'['.repeat(100)}${']'.repeat(100)}]`],
  ['too many parts', `[${'[{}],'.repeat(500)}[${'{},'.repeat(200_000)}{}]]`],
])('an array with %s is not read', async (_, text) => {
  expect(await jsonElements(text, manyElements, shortSlice)).toBeNull()
})

test('while a long array is read everything else goes on, a slice of it at a time', async () => {
  const text = JSON.stringify(Array.from({ length: 1_000 }, (_, n) => ({ n, text: 'x'.repeat(300) })))
  let turns = 0
  let isRead = false
  const reading = jsonElements(text, manyElements).then(() => (isRead = true))
  while (!isRead) {
    turns++
    await new Promise(resolve => setImmediate(resolve))
  }
  await reading
  expect(turns).toBeGreaterThan(15)
})
