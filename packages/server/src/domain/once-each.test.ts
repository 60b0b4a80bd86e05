import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundsOf } from './bounds.ts'
import { onceEach } from './once-each.ts'

test('each value appears once, and the places restore the given list', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd')), given => {
      const { values, places } = onceEach(given)
      expect(new Set(values).size).toBe(values.length)
      expect(places.map(place => values[place - 1])).toEqual(given)
    }),
  )
})

test('concatenated pieces are found between their bounds', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary-ascii' })), pieces => {
      const all = pieces.join('')
      const bounds = boundsOf(pieces.map(piece => piece.length))
      expect(pieces.map((_, n) => all.slice((bounds[n] ?? 0) - 1, (bounds[n + 1] ?? 0) - 1))).toEqual(pieces)
    }),
  )
})
