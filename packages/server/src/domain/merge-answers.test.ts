import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeAnswers, type ReportAnswer } from './merge-answers.ts'
import { splitReport } from './split-report.ts'

interface Ignored {
  index: number
  reason: string
  event_id?: string
}

/** An item of a report. Each of its outcomes has an id, which counts once within the account. */
interface Item {
  account: number
  outcomes: Array<{ id: number; isFinal: boolean }>
}

/** Stores items as a shard does: new outcomes become events, the others are ignored with their index. */
function answerOf(items: readonly Item[]): ReportAnswer<Ignored> {
  const events: string[] = []
  const ignored: Ignored[] = []
  const known = new Set<string>()
  items.forEach(({ account, outcomes }, index) => {
    for (const { id, isFinal } of outcomes) {
      const event_id = `evt_${account}_${id}`
      if (!isFinal) ignored.push({ index, reason: 'temporary' })
      else if (known.has(event_id)) ignored.push({ index, reason: 'duplicate', event_id })
      else events.push(event_id)
      if (isFinal) known.add(event_id)
    }
  })
  return { events, ignored }
}

function throughShards(items: readonly Item[], shardOfAccount: readonly number[]) {
  const parts = splitReport(items, ({ account }) => shardOfAccount[account] ?? 0)
  const answered = parts.map(part => ({ places: part.places, answer: answerOf(part.items) }))
  return mergeAnswers(answered, place => items[place]?.outcomes.length ?? 0)
}

const accounts = 6
const report = fc.array(
  fc.record({
    account: fc.nat(accounts - 1),
    outcomes: fc.array(fc.record({ id: fc.nat(9), isFinal: fc.boolean() }), { minLength: 1, maxLength: 3 }),
  }),
  { maxLength: 40 },
)
const placement = fc.array(fc.nat(3), { minLength: accounts, maxLength: accounts })

test('a report that is split over shards has the answer of the whole report', () => {
  fc.assert(
    fc.property(report, placement, (items, shardOfAccount) => {
      const whole = answerOf(items)
      expect(throughShards(items, shardOfAccount)).toEqual({ accepted: whole.events.length, ...whole })
    }),
    { numRuns: 500 },
  )
})

test('each part has the items of one shard in the order of the report', () => {
  fc.assert(
    fc.property(report, placement, (items, shardOfAccount) => {
      const parts = splitReport(items, ({ account }) => shardOfAccount[account] ?? 0)
      expect(new Set(parts.map(part => part.shard)).size).toBe(parts.length)
      for (const { shard, items: own, places } of parts) {
        expect(own.map(({ account }) => shardOfAccount[account])).toEqual(own.map(() => shard))
        expect(places.map(place => items[place])).toEqual(own)
        expect(places).toEqual([...places].sort((a, b) => a - b))
      }
      expect(parts.flatMap(part => part.places).sort((a, b) => a - b)).toEqual(items.map((_, n) => n))
    }),
  )
})

test('an event that a shard counts differently is not lost', () => {
  const merged = mergeAnswers([
    { places: [0, 2], answer: { events: ['evt_a', 'evt_b', 'evt_c'], ignored: [] } },
    { places: [1], answer: { events: ['evt_d'], ignored: [] } },
  ])
  expect(merged).toEqual({ accepted: 4, events: ['evt_a', 'evt_d', 'evt_b', 'evt_c'], ignored: [] })
})
