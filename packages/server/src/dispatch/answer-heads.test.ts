import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerHeads, headerLines } from './answer-heads.ts'

const headers = fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), fc.string(), {
  maxKeys: 3,
  noNullPrototype: true,
})

/** The text of each answer, cut out as the statement cuts it. */
function textsOf({ bytes, bounds, places }: ReturnType<typeof answerHeads>): Array<string | null> {
  return places.map(place => {
    const from = bounds[place - 1]
    const until = bounds[place]
    return from === undefined || until === undefined ? null : bytes.toString('utf8', from - 1, until - 1)
  })
}

test('every answer finds its own headers, or none', () => {
  const some = fc.option(headers, { nil: null })
  fc.assert(
    fc.property(fc.array(some), fc.array(fc.nat(), { maxLength: 30 }), (different, picks) => {
      const heads =
        different.length === 0 ? [] : picks.map(pick => different[pick % different.length] ?? null)
      const asStored = heads.map(head => {
        const lines = headerLines(head)
        return lines === null ? null : Buffer.from(lines).toString()
      })
      expect(textsOf(answerHeads(heads))).toEqual(asStored)
    }),
  )
})

test('headers that are alike are written once, whether they are one object or two', () => {
  const one = { date: 'today', server: 'a' }
  const { bytes, places } = answerHeads([one, null, { ...one }, one, {}])
  expect(bytes.toString()).toBe('date: today\nserver: a\n')
  expect(places[0]).toBe(places[2])
  expect(places[0]).toBe(places[3])
  expect(places[1]).toBe(0)
})
