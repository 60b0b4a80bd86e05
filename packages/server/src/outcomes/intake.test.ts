import { expect, test } from 'vitest'
import { DatabaseUnavailableError, type Queryable } from '../db/database.ts'
import type { DecidedOutcome } from '../domain/decided-outcome.ts'
import { createUuidV7 } from '../domain/uuid-v7.ts'
import type { Accepted, NewEvent } from './accept.ts'
import { Intake, type IntakeOptions } from './intake.ts'

/** An intake whose groups are stored when the test says so. */
function open(overrides: Partial<IntakeOptions> = {}) {
  const groups: Array<{ what: string; end: PromiseWithResolvers<void> }> = []
  const nobody: Queryable = {
    query: () => Promise.reject(new Error('nothing asks the database')),
    transaction: () => Promise.reject(new Error('nothing opens a transaction')),
  }
  const intake = new Intake({
    db: nobody,
    newId: createUuidV7(
      () => 0,
      length => Buffer.alloc(length),
    ),
    store: async (_, events) => {
      const group = { what: described(events), end: Promise.withResolvers<void>() }
      groups.push(group)
      await group.end.promise
      return stored(events)
    },
    suppress: async () => {},
    afterCommit: () => {},
    answerLost: () => {},
    ...overrides,
  })
  const answered: string[] = []
  const report = (accountId: string, count: number): void => {
    void intake.group(outcomes(accountId, count)).then(
      () => answered.push(`${accountId} ${count}`),
      (error: Error & { code?: string }) => answered.push(`${accountId} ${error.code ?? error.message}`),
    )
  }
  const end = async (what: string, error?: Error): Promise<void> => {
    const at = groups.findIndex(group => group.what === what)
    const [group] = at < 0 ? [] : groups.splice(at, 1)
    if (group === undefined) throw new Error(`${what} is not being stored, but ${storing().join(', ')}`)
    if (error === undefined) group.end.resolve()
    else group.end.reject(error)
    await turn()
  }
  const storing = (): string[] => groups.map(group => group.what)
  return { intake, report, end, storing, answered }
}

const outcomes = (accountId: string, count: number): DecidedOutcome[] =>
  Array.from({ length: count }, () => ({
    accountId,
    type: 'email.delivered',
    data: { email_id: 'em_1', to: ['ada@example.org'], occurred_at: '2026-01-01T00:00:00Z' },
    outcomeId: null,
  }))

const stored = (events: readonly NewEvent[]): Accepted => ({
  duplicateOf: events.map(() => null),
  handedOver: [],
  left: [],
  countedAs: 0,
})

/** The number of events of each account, such as "a 1 + b 2". */
function described(events: readonly NewEvent[]): string {
  const byAccount = Map.groupBy(events, event => event.accountId)
  return [...byAccount].map(([accountId, all]) => `${accountId} ${all.length}`).join(' + ')
}

const turn = async (): Promise<void> => {
  for (let n = 0; n < 10; n++) await new Promise(resolve => setImmediate(resolve))
}

test('requests that arrive during a commit share the next one, and none is answered before its commit', async () => {
  const { report, end, storing, answered } = open()
  report('a', 1)
  await turn()
  for (const account of ['b', 'c']) report(account, 2)
  await turn()
  expect([storing(), answered]).toEqual([['a 1'], []])
  await end('a 1')
  expect([storing(), answered]).toEqual([['b 2 + c 2'], ['a 1']])
  await end('b 2 + c 2')
  expect(answered).toEqual(['a 1', 'b 2', 'c 2'])
})

test('a small request does not wait for another account’s large request', async () => {
  const { report, end, storing, answered } = open()
  report('bulk', 101)
  await turn()
  report('one', 100)
  await turn()
  expect(storing()).toEqual(['bulk 101', 'one 100'])
  await end('one 100')
  expect(answered).toEqual(['one 100'])
  await end('bulk 101')
})

test('a small request waits for its account’s running large request, and precedes the next one', async () => {
  const { report, end, storing, answered } = open()
  for (let n = 0; n < 2; n++) report('bulk', 800)
  await turn()
  report('bulk', 1)
  report('other', 1)
  await turn()
  expect(storing()).toEqual(['bulk 800', 'other 1'])
  await end('other 1')
  expect(storing()).toEqual(['bulk 800'])
  await end('bulk 800')
  expect(storing()).toEqual(['bulk 1'])
  await end('bulk 1')
  expect(storing()).toEqual(['bulk 800'])
  await end('bulk 800')
  expect(answered).toEqual(['other 1', 'bulk 800', 'bulk 1', 'bulk 800'])
})

test('a drain ends after both lanes have stored the requests that waited for the other lane', async () => {
  const { intake, report, end, answered } = open()
  for (let n = 0; n < 2; n++) report('bulk', 800)
  await turn()
  report('bulk', 1)
  await turn()
  const drained = intake.drain().then(() => answered.push('drained'))
  for (const what of ['bulk 800', 'bulk 1', 'bulk 800']) await end(what)
  await drained
  expect(answered).toEqual(['bulk 800', 'bulk 1', 'bulk 800', 'drained'])
})

test('when a group fails, only the request that caused it gets the error', async () => {
  const { report, end, answered } = open()
  report('first', 1)
  await turn()
  for (const account of ['a', 'wrong', 'b']) report(account, 1)
  await end('first 1')
  await end('a 1 + wrong 1 + b 1', new Error('refused'))
  await end('a 1')
  await end('wrong 1', new Error('refused'))
  await end('b 1')
  expect(answered).toEqual(['first 1', 'a 1', 'wrong refused', 'b 1'])
})

test('a group that failed because the database is unavailable is not retried one request at a time', async () => {
  const { report, end, storing, answered } = open()
  for (const account of ['a', 'b']) report(account, 1)
  await turn()
  await end('a 1 + b 1', new DatabaseUnavailableError('away'))
  expect([storing(), answered]).toEqual([[], ['a away', 'b away']])
})

test('with too many pending requests, a new one is rejected at once and the others are stored', async () => {
  const { intake, report, end, answered } = open()
  report('first', 1)
  await turn()
  for (let n = 0; n < 10_000; n++) report('a', 1)
  await turn()
  report('b', 1)
  await turn()
  expect(answered).toEqual(['b overloaded'])
  await end('first 1')
  for (let n = 0; n < 10; n++) await end('a 1000')
  await intake.drain()
  expect(answered).toHaveLength(10_002)
})

test('a large request with its own transaction takes its turn without delaying other accounts’ small requests', async () => {
  const { intake, report, end, storing, answered } = open()
  const isOver = Promise.withResolvers<void>()
  const large = outcomes('bulk', 500)
  report('bulk', 300)
  await turn()
  const result = intake.runInLane(large, 1_000, async () => {
    answered.push('transaction begins')
    await isOver.promise
    return 'its answer'
  })
  await turn()
  expect([storing(), answered]).toEqual([['bulk 300'], []])
  await end('bulk 300')
  report('bulk', 400)
  report('bulk', 1)
  report('other', 1)
  await turn()
  expect([storing(), answered]).toEqual([['other 1'], ['transaction begins', 'bulk 300']])
  isOver.resolve()
  expect(await result).toBe('its answer')
  await end('other 1')
  await end('bulk 1')
  await end('bulk 400')
  await intake.drain()
})

test('an error in a request’s own transaction fails only that request', async () => {
  const { intake, report, end, answered } = open()
  const failing = intake.runInLane(
    outcomes('bulk', 500),
    1_000,
    async () => await Promise.reject(new Error('refused')),
  )
  report('bulk', 300)
  await expect(failing).rejects.toThrow('refused')
  await turn()
  await end('bulk 300')
  expect(answered).toEqual(['bulk 300'])
})
