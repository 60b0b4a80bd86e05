import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { BulkPace } from '../../src/domain/bulk-pace.ts'
import type { DecidedOutcome } from '../../src/domain/decided-outcome.ts'
import { type Rooms, roomsBeside } from '../../src/domain/rooms.ts'
import { accept, type Accepted } from '../../src/outcomes/accept.ts'
import type { Outcomes, OutcomesDependencies } from '../../src/outcomes/accept-outcomes.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { takeOptions } from '../dispatch/handed-over.ts'
import { openTestDatabase, serverBackends } from '../support/test-database.ts'
import { newAccount, type VerbContext, verbContext } from '../verbs/verb-context.ts'
import { newIntake } from './new-intake.ts'

/** Bulk makes way for somebody who has just reported a few events: each look at the clock finds it a millisecond later. */
function madeWay(rest: OutcomesDependencies['rest']): Pick<OutcomesDependencies, 'pace' | 'clock' | 'rest'> {
  const pace = new BulkPace()
  pace.storedFew(0, 1, 20)
  let nowMs = 1
  return { pace, clock: { monotonicMs: () => nowMs++ }, rest }
}

const noRooms: Rooms = { total: 0, perEndpoint: 0, known: () => new Map() }

interface Kind {
  type?: DecidedOutcome['type']
  named?: boolean
}

const report = (accountId: string, count: number, { type, named = false }: Kind = {}): DecidedOutcome[] =>
  Array.from({ length: count }, (_, n) => ({
    accountId,
    type: type ?? 'email.delivered',
    data: { email_id: `em_${n}`, to: ['reader@example.org'], occurred_at: '2026-01-01T00:00:00.000Z' },
    outcomeId: named ? `outcome-${n}` : null,
  }))

describe.each(serverBackends())('reports that are stored in pieces on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => {
    await db[Symbol.asyncDispose]()
  })

  const receiving = async (): Promise<string> => {
    const accountId = await newAccount(ctx)
    await createWebhook(ctx, accountId, { url: 'https://example.com/' })
    return accountId
  }
  const sequencesOf = async (accountId: string): Promise<number[]> => {
    const rows = await db.query<{ sequence: number }>(
      'select sequence from delivery where account_id = $1 order by event_id',
      [accountId],
    )
    return rows.map(row => row.sequence)
  }
  const countingPauses = (): { outcomes: Outcomes; pauses: number[] } => {
    const pauses: number[] = []
    const rest = async (ms: number): Promise<void> => void pauses.push(ms)
    return { outcomes: newIntake(db, madeWay(rest)), pauses }
  }
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1)

  // a bounce suppresses its recipient, which is stored in the same transaction
  test.each(['email.delivered', 'email.bounced'] as const)(
    'events of %s are numbered as they were reported, and each outcome makes one',
    async type => {
      const accountId = await receiving()
      const { outcomes, pauses } = countingPauses()
      const named = report(accountId, 250, { type, named: true })
      const before = await outcomes.group(named.slice(120, 121))
      const answer = await outcomes.group(named.with(240, named[3] as DecidedOutcome))
      expect(answer.ignored).toEqual([
        { index: 120, reason: 'duplicate', event_id: before.events[0] },
        { index: 240, reason: 'duplicate', event_id: answer.events[3] },
      ])
      expect(answer.accepted).toBe(248)
      expect(await sequencesOf(accountId)).toEqual(upTo(249))
      expect(pauses.length).toBe(2)
    },
  )

  test('a report that is stored once, by its key, makes way as well', async () => {
    const accountId = await receiving()
    const { outcomes, pauses } = countingPauses()
    const reported = report(accountId, 250)
    const { answer } = await outcomes.inTurn(
      reported,
      async within => await db.transaction(async tx => await within(tx, reported)),
    )
    expect([answer.accepted, pauses.length]).toEqual([250, 2])
    expect(await sequencesOf(accountId)).toEqual(upTo(250))
  })

  test('what its last piece fails with keeps all of it out', async () => {
    const accountId = await receiving()
    let pieces = 0
    const outcomes = newIntake(db, {
      ...madeWay(async () => {}),
      store: async (queryable, events) => {
        if (++pieces === 3) throw new Error('the database refuses it')
        return await accept(queryable, events, { ...takeOptions(ctx), rooms: noRooms })
      },
    })
    await expect(outcomes.group(report(accountId, 250))).rejects.toThrow('the database refuses it')
    expect(await sequencesOf(accountId)).toEqual([])
    expect((await outcomes.group(report(accountId, 1))).accepted).toBe(1)
    expect(await sequencesOf(accountId)).toEqual([1])
  })

  test('a report of several accounts is stored at once, or each of them would wait for its pauses', async () => {
    const { outcomes, pauses } = countingPauses()
    const [one, other] = [await receiving(), await receiving()]
    const { accepted } = await outcomes.group([...report(one, 200), ...report(other, 50)])
    expect([accepted, pauses.length]).toEqual([250, 0])
  })

  test('no more is handed over than this process has room for', async () => {
    const accountId = await receiving()
    await createWebhook(ctx, accountId, { url: 'https://example.com/too' })
    const accepted: Accepted[] = []
    const rooms: Rooms = { total: 260, perEndpoint: 150, known: () => new Map() }
    const outcomes = newIntake(db, {
      ...madeWay(async () => {}),
      store: async (queryable, events, _, taken) =>
        await accept(queryable, events, { ...takeOptions(ctx), rooms: roomsBeside(rooms, taken) }),
      afterCommit: one => accepted.push(one),
    })
    await outcomes.group(report(accountId, 250))
    const taken = accepted.flatMap(one => one.taken)
    expect(taken.length).toBe(260)
    for (const ofEndpoint of Map.groupBy(taken, one => one.endpointId).values()) {
      expect(ofEndpoint.length).toBeLessThanOrEqual(150)
      expect(ofEndpoint.map(one => one.sequence)).toEqual(upTo(ofEndpoint.length))
    }
    const left = accepted.flatMap(one => one.left).reduce((sum, one) => sum + one.deliveries, 0)
    expect(left).toBe(240)
  })

  test('only its own account waits for the pauses, and gets its turn before the next report', async () => {
    const [bursting, other] = [await receiving(), await receiving()]
    const pausing = Promise.withResolvers<void>()
    const goesOn = Promise.withResolvers<void>()
    const outcomes = newIntake(
      db,
      madeWay(async () => {
        pausing.resolve()
        await goesOn.promise
      }),
    )
    const ends: string[] = []
    const group = async (what: string, outcomesOf: DecidedOutcome[]): Promise<void> => {
      await outcomes.group(outcomesOf)
      ends.push(what)
    }
    const bulk = [group('bulk', report(bursting, 150)), group('more', report(bursting, 500))]
    await pausing.promise
    const few = group('few', report(bursting, 2))
    await group('others', report(other, 2))
    await group('others again', report(other, 2))
    expect(ends).toEqual(['others', 'others again'])
    goesOn.resolve()
    await Promise.all([...bulk, few])
    await outcomes.drain()
    expect(ends.slice(2)).toEqual(['bulk', 'few', 'more'])
    expect((await sequencesOf(bursting)).toSorted((a, b) => a - b)).toEqual(upTo(652))
  })

  test('two processes that are told the same in another order tell it once, and do not dead-lock', async () => {
    const accountId = await receiving()
    const named = report(accountId, 250, { named: true })
    const intakes = [named, named.toReversed()].map(async outcomes => {
      const intake = newIntake(
        db,
        madeWay(async () => await nextTurn()),
      )
      return await intake.group(outcomes)
    })
    const answers = await Promise.all(intakes)
    expect(answers.map(answer => answer.accepted).toSorted((a, b) => a - b)).toEqual([0, 250])
    expect((await sequencesOf(accountId)).length).toBe(250)
  })

  test('two processes whose reports come to the same endpoints in another order do not dead-lock', async () => {
    const accountId = await newAccount(ctx)
    const types = ['email.delivered', 'email.failed'] as const
    for (const type of types)
      await createWebhook(ctx, accountId, { url: 'https://example.com/', events: [type] })
    const halves = types.map(type => report(accountId, 100, { type }))
    const intakes = [halves, halves.toReversed()].map(async outcomes => {
      const intake = newIntake(
        db,
        madeWay(async () => await nextTurn()),
      )
      return await intake.group(outcomes.flat())
    })
    const answers = await Promise.all(intakes)
    expect(answers.map(answer => answer.accepted)).toEqual([200, 200])
  })
})
