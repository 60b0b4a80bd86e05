import fc from 'fast-check'
import { expect, test } from 'vitest'
import { momentText } from './moment-text.ts'

test('a moment is written in UTC, regardless of earlier calls', () => {
  const fewMoments = fc.array(fc.constantFrom(0, 1_764_135_163_000, 1_764_135_163_001))
  fc.assert(
    fc.property(fewMoments, moments => {
      expect(moments.map(momentText)).toEqual(moments.map(ms => new Date(ms).toISOString()))
    }),
  )
})
