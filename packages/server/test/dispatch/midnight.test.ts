import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { settle } from '../../src/dispatch/settle.ts'
import type { DecidedOutcome } from '../../src/domain/decided-outcome.ts'
import { partitionDay } from '../../src/domain/partition-day.ts'
import type { LeasedDelivery } from '../../src/domain/leased-delivery.ts'
import { firstUuidV7At, withTimeOf } from '../../src/domain/uuid-v7.ts'
import { newId } from '../../src/new-id.ts'
import { accept } from '../../src/outcomes/accept.ts'
import { newEvent } from '../../src/outcomes/new-event.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { allBackends, openTestDatabase } from '../support/test-database.ts'
import { startProcess } from '../verbs/stored-delivery.ts'
import { newAccount, verbContext, type VerbContext } from '../verbs/verb-context.ts'
import { handOffTo } from './handed-over.ts'
import { settlementOf } from './settlement-of.ts'

const midnightMs = Math.floor(Date.now() / 86_400_000) * 86_400_000
const yesterday = partitionDay(midnightMs - 1)
const today = partitionDay(midnightMs)

describe.each(allBackends())('at midnight on $name', backend => {
  let db: Database
  let ctx: VerbContext
  let accountId: string
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
    accountId = await newAccount(ctx)
    await createWebhook(ctx, accountId, { url: 'https://example.com/' })
    await createWebhook(ctx, accountId, { url: 'https://example.org/' })
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  test.each([
    ['events of both days in one group', [midnightMs - 1, midnightMs, midnightMs - 1, midnightMs]],
    ['a group of yesterday alone', [midnightMs - 2, midnightMs - 1]],
    ['a group of today alone', [midnightMs, midnightMs + 1]],
  ])('%s: events, deliveries and attempts are stored in the partition of their day', async (_, moments) => {
    const deliveries = await store(moments)
    expect(deliveries).toHaveLength(2 * moments.length)
    const days = moments.map(partitionDay)
    const twiceEach = [...days, ...days].sort()
    expect(await daysOf('event', deliveries)).toEqual(days.toSorted())
    expect(await daysOf('delivery', deliveries)).toEqual(twiceEach)

    await settle(
      db,
      deliveries.map(one => settlementOf(ctx, one, 204)),
    )
    expect(await daysOf('attempt', deliveries)).toEqual(twiceEach)
    expect(await statesOf(deliveries)).toEqual(deliveries.map(() => ({ state: 'delivered', queued: false })))
  })

  /** Stores one event for each time, in one group. */
  async function store(moments: readonly number[]): Promise<LeasedDelivery[]> {
    const events = moments.map((ms, n) => {
      const outcome: DecidedOutcome = {
        accountId,
        type: 'email.delivered',
        data: {
          email_id: `em_${ms}_${n}`,
          to: ['ada@example.org'],
          occurred_at: new Date(ms).toISOString(),
        },
        outcomeId: null,
      }
      return newEvent(outcome, () => withTimeOf(firstUuidV7At(ms), newId(ctx)), n)
    })
    const { handedOver } = await accept(db, events, handOffTo(await startProcess(ctx)))
    return handedOver
  }

  /** The days of the partitions that contain the rows of these deliveries. */
  async function daysOf(
    table: 'event' | 'delivery' | 'attempt',
    deliveries: LeasedDelivery[],
  ): Promise<string[]> {
    const [column, ids] =
      table === 'event'
        ? ['id', deliveries.map(one => one.eventId)]
        : [table === 'delivery' ? 'id' : 'delivery_id', deliveries.map(one => one.deliveryId)]
    const rows = await db.query<{ day: string }>(
      `select right(tableoid::regclass::text, 8) as day from ${table} where ${column} = any($1::uuid[]) order by 1`,
      [ids],
    )
    expect([yesterday, today]).toEqual(expect.arrayContaining(rows.map(row => row.day)))
    return rows.map(row => row.day)
  }

  async function statesOf(deliveries: LeasedDelivery[]): Promise<Array<{ state: string; queued: boolean }>> {
    return await db.query(
      `select state, exists (select from queue q where q.delivery_id = d.id) as queued
       from delivery d where id = any($1::uuid[])`,
      [deliveries.map(one => one.deliveryId)],
    )
  }
})
