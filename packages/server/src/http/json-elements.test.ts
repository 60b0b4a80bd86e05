import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { jsonElements } from './json-elements.ts'

const manyElements = 1_000
const options = { complaint: 'No JSON.', isForgiving: true }
/** So short that even small texts have many slices. */
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

test('an array is read exactly as JSON.parse reads it', async () => {
  await fc.assert(
    fc.asyncProperty(arrayText, fc.integer({ min: 1, max: 64 }), async (text, slice) => {
      expect(await jsonElements(text, manyElements, options, slice)).toEqual(JSON.parse(text))
    }),
  )
})

function refused(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'malformed_json') return error
  throw error
}

test('an array with a random edit is never read differently from JSON.parse', async () => {
  const change = fc.tuple(
    fc.nat(),
    fc.constantFrom('', ',', '[', ']', '{', '}', '"', '\\', ':', '1', ' ', '\u00a0'),
  )
  await fc.assert(
    fc.asyncProperty(arrayText, change, fc.boolean(), async (text, [place, piece], replaces) => {
      const at = place % text.length
      const changed = text.slice(0, at) + piece + text.slice(replaces ? at + 1 : at)
      const read = await jsonElements(changed, manyElements, options, shortSlice).catch(refused)
      if (read instanceof AppError) expect(parsed(changed)).toBeUndefined()
      else if (read !== null) expect(read).toEqual(parsed(changed))
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['a comma too much between pieces', '["0123456789",,"0123456789"]', null],
  ['a comma too much at the end', '["0123456789","0123456789",]', 27],
  ['a word too much', '["0123456789","0123456789",x]', null],
  ['something behind it', '["0123456789"] true', 15],
  ['another end', '["0123456789"}', 13],
  ['no end', '["0123456789","0123456789"', 26],
])('an array with %s is rejected, with the position if it is known', async (_, text, position) => {
  await expect(jsonElements(text, manyElements, options, shortSlice)).rejects.toMatchObject({
    code: 'malformed_json',
    message: position === null ? 'No JSON.' : `No JSON (at position ${position}).`,
  })
})

test.each([
  ['arrays within it, too deep', `["0123456789",${'['.repeat(100)}${']'.repeat(100)}]`],
  ['too many objects in one element', `[${'[{}],'.repeat(500)}[${'{},'.repeat(200_000)}{}]]`],
  ['too many names in one element', `[{${'"name":1,'.repeat(30_000)}"name":1}]`],
  ['too many parts in all', `[${`[${'1,'.repeat(15_000)}1],`.repeat(40)}1]`],
])('an array with %s is rejected', async (_, text) => {
  await expect(jsonElements(text, manyElements, options, shortSlice)).rejects.toMatchObject({
    code: 'malformed_json',
    message: 'The JSON is nested too deeply or has too many fields and elements. Send less in one request.',
  })
})

test('an array with one element over the limit is rejected as too long, even with large elements', async () => {
  const text = `[${'{"a":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22]},'.repeat(1_000)}1]`
  await expect(jsonElements(text, manyElements, options)).rejects.toMatchObject({ code: 'batch_too_large' })
})

test('an empty array gives no elements, and an object gives null', async () => {
  expect(await jsonElements(' [ ] ', manyElements, options, shortSlice)).toEqual([])
  expect(await jsonElements('{"a":["0123456789"]}', manyElements, options, shortSlice)).toBeNull()
})

test('other work continues while a long array is read in slices', async () => {
  const text = JSON.stringify(Array.from({ length: 1_000 }, (_, n) => ({ n, text: 'x'.repeat(300) })))
  let turns = 0
  let isRead = false
  const reading = jsonElements(text, manyElements, options).then(() => (isRead = true))
  while (!isRead) {
    turns++
    await new Promise(resolve => setImmediate(resolve))
  }
  await reading
  expect(turns).toBeGreaterThan(15)
})
