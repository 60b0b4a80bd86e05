import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Line, type Place } from './line.ts'

const steps = fc.array(
  fc.record({ what: fc.constantFrom('append', 'remove', 'toEnd'), which: fc.nat(1_000) }),
  { maxLength: 200 },
)

test('a line holds what came and did not leave, in order, whoever leaves or goes to the end', () => {
  fc.assert(
    fc.property(steps, all => {
      const line = new Line<number>()
      const expected: Array<Place<number>> = []
      let came = 0
      for (const { what, which } of all) {
        const at = which % Math.max(1, expected.length)
        if (what === 'append') expected.push(line.append(came++))
        else {
          const [place] = expected.splice(at, 1)
          if (place === undefined) continue
          if (what === 'remove') {
            line.remove(place)
            line.remove(place)
          } else {
            line.toEnd(place)
            expected.push(place)
          }
        }
        const items = expected.map(place => place.item)
        expect([line.items(), line.size]).toEqual([items, items.length])
        expect([line.first?.item, backwards(expected.at(-1) ?? null)]).toEqual([items[0], items.toReversed()])
      }
    }),
  )
})

test('who has left leads to nobody', () => {
  const line = new Line<string>()
  const [, second] = ['a', 'b', 'c'].map(item => line.append(item))
  if (second !== undefined) line.remove(second)
  expect(second).toEqual({ item: 'b', before: null, after: null })
})

function backwards(last: Place<number> | null): number[] {
  const items: number[] = []
  for (let place = last; place !== null; place = place.before) items.push(place.item)
  return items
}
