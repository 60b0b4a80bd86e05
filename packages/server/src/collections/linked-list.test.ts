import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LinkedList, type ListNode } from './linked-list.ts'

const steps = fc.array(
  fc.record({ what: fc.constantFrom('append', 'remove', 'toEnd'), which: fc.nat(1_000) }),
  { maxLength: 200 },
)

test('a list holds all items that were added and not removed, in order', () => {
  fc.assert(
    fc.property(steps, all => {
      const list = new LinkedList<number>()
      const expected: Array<ListNode<number>> = []
      let came = 0
      for (const { what, which } of all) {
        const at = which % Math.max(1, expected.length)
        if (what === 'append') expected.push(list.append(came++))
        else {
          const [node] = expected.splice(at, 1)
          if (node === undefined) continue
          if (what === 'remove') {
            list.remove(node)
            list.remove(node)
          } else {
            list.toEnd(node)
            expected.push(node)
          }
        }
        const items = expected.map(node => node.item)
        expect([forwards(list.first), list.size]).toEqual([items, items.length])
        expect([list.first?.item, backwards(expected.at(-1) ?? null)]).toEqual([items[0], items.toReversed()])
      }
    }),
  )
})

test('a removed node has no links to other nodes', () => {
  const list = new LinkedList<string>()
  const [, second] = ['a', 'b', 'c'].map(item => list.append(item))
  if (second !== undefined) list.remove(second)
  expect(second).toEqual({ item: 'b', before: null, after: null })
})

function forwards(first: ListNode<number> | null): number[] {
  const items: number[] = []
  for (let node = first; node !== null; node = node.after) items.push(node.item)
  return items
}

function backwards(last: ListNode<number> | null): number[] {
  const items: number[] = []
  for (let node = last; node !== null; node = node.before) items.push(node.item)
  return items
}
