import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { getDelivery } from '../../src/deliveries/get-delivery.ts'
import { release } from '../../src/dispatch/release.ts'
import { settle } from '../../src/dispatch/settle.ts'
import type { LeasedDelivery } from '../../src/domain/leased-delivery.ts'
import { partitionDay } from '../../src/domain/partition-day.ts'
import { firstUuidV7At, withTimeOf } from '../../src/domain/uuid-v7.ts'
import { dropOldPartitions } from '../../src/maintenance/drop-old-partitions.ts'
import { ensurePartitions } from '../../src/maintenance/ensure-partitions.ts'
import { newId } from '../../src/new-id.ts'
import { accept } from '../../src/outcomes/accept.ts'
import { newEvent } from '../../src/outcomes/new-event.ts'
import { openTestDatabase, serverBackends } from '../support/test-database.ts'
import { startProcess } from '../verbs/stored-delivery.ts'
import { verbContext, type VerbContext } from '../verbs/verb-context.ts'
import { accountWithEndpoint, handOffTo, threeHandedOver } from './handed-over.ts'
import { settlementOf } from './settlement-of.ts'

describe.each(serverBackends())('results of a dropped day on $name', backend => {
  let db: Database
  let ctx: VerbContext
  let process: number
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
    process = await startProcess(ctx, 3_000)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  test('a result of a dropped day is skipped and counted, and the rest of its batch is written', async () => {
    const [kept] = await threeHandedOver(ctx, process)
    const old = await oldDelivery(new Date('2024-02-29T12:00:00Z'))
    await dropOldPartitions(ctx, Date.now(), { embedded: false, onExpired: () => {} })
    expect(await settle(db, [settlementOf(ctx, kept, 204), settlementOf(ctx, old, 503)])).toEqual({
      dropped: 1,
    })
    expect(await delivery(kept)).toMatchObject({ state: 'delivered' })
    expect(await settle(db, [settlementOf(ctx, old, 204)])).toEqual({ dropped: 1 })
    expect(await db.query('select from attempt where delivery_id = $1', [old.deliveryId])).toEqual([])
  })

  test('a result does not fail its batch while its day is being dropped', async () => {
    const atMs = Date.parse('2024-03-31T12:00:00Z')
    const old = await oldDelivery(new Date(atMs))
    const query: Database['query'] = async (statement, values) => {
      const rows = await db.query(statement, values)
      if (typeof statement !== 'string' || !statement.startsWith('drop table')) return rows as never[]
      const [kept] = await threeHandedOver(ctx, process)
      await settle(db, [settlementOf(ctx, kept, 204), settlementOf(ctx, old, 503)])
      expect(await delivery(kept)).toMatchObject({ state: 'delivered' })
      return rows as never[]
    }
    const { dropped } = await dropOldPartitions({ ...ctx, db: { ...db, query } }, Date.now(), {
      embedded: false,
      onExpired: () => {},
    })
    expect(dropped).toContain(`delivery_${partitionDay(atMs)}`)
  })

  async function delivery({ accountId, deliveryId }: LeasedDelivery) {
    return await getDelivery(ctx, accountId, deliveryId)
  }

  /** Creates a delivery of that day that retention gave up before its result arrived. */
  async function oldDelivery(at: Date): Promise<LeasedDelivery> {
    await ensurePartitions(db, at.getTime())
    const accountId = await accountWithEndpoint(ctx)
    const data = { email_id: 'em_old', to: ['ada@example.org'], occurred_at: at.toISOString() }
    const outcome = { accountId, type: 'email.delivered', data, outcomeId: null } as const
    const event = newEvent(outcome, () => withTimeOf(firstUuidV7At(at.getTime()), newId(ctx)), 0)
    const { handedOver } = await accept(db, [event], handOffTo(process))
    const [old] = handedOver
    if (old === undefined) throw new Error('nothing was handed over')
    await release(db, [old])
    return old
  }
})
