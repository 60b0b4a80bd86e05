import { expect, test } from 'vitest'
import type { DecidedOutcome } from '../domain/decided-outcome.ts'
import type { Accepted, NewEvent } from './accept.ts'
import { openOutcomes } from './accept-outcomes.ts'

const stored = (events: readonly NewEvent[]): Accepted => ({
  duplicateOf: events.map(() => null),
  taken: [],
  left: [],
})
const outcome: DecidedOutcome = {
  accountId: '01890a5d-ac96-774b-bcce-b302099a8057',
  type: 'email.delivered',
  data: { email_id: 'em_1', to: ['reader@example.org'], occurred_at: '2026-01-01T00:00:00.000Z' },
  outcomeId: null,
}

test('who reports little does not wait for a report in bulk that is being stored', async () => {
  const bulk = Promise.withResolvers<void>()
  const outcomes = openOutcomes({
    db: { query: async () => [], transaction: async () => await Promise.reject(new Error('none is needed')) },
    newId: () => '01890a5d-ac96-774b-bcce-b302099a8058',
    store: async (_, events, inBulk) => {
      if (inBulk) await bulk.promise
      return stored(events)
    },
    suppress: async () => {},
    afterCommit: () => {},
  })
  const large = outcomes.group(Array.from({ length: 1_000 }, () => outcome))
  const { accepted } = await outcomes.group([outcome])
  expect(accepted).toBe(1)
  bulk.resolve()
  expect((await large).accepted).toBe(1_000)
  await outcomes.drain()
})
