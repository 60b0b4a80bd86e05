import { expect, test } from 'vitest'
import { topDomains } from './top-domains.ts'

const counts = (delivered: number) => ({ delivered, bounced: 1, failed: 0, unsubscribed: 0, complaints: 0 })
const domain = (name: string | null, delivered: number) => ({ domain: name, ...counts(delivered) })

test('the largest domains have a line each, and all others share one', () => {
  const now = [domain('a.test', 90), domain('b.test', 50), domain('c.test', 7), domain(null, 3)]
  const lines = topDomains(now, [domain('b.test', 40), domain(null, 9)], 2)
  expect(lines.map(line => [line.domain, line.counts.delivered, line.counts.bounced])).toEqual([
    ['a.test', 90, 1],
    ['b.test', 50, 1],
    [null, 10, 2],
  ])
  expect(lines.map(({ earlier }) => earlier?.delivered)).toEqual([undefined, 40, undefined])
})

test('without other domains there is no line for them', () => {
  expect(topDomains([domain('a.test', 1)], [], 5)).toHaveLength(1)
  expect(topDomains([], [], 5)).toEqual([])
})
