import type { Replay } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { advanceReplays } from '../../src/replays/advance-replays.ts'
import { cancelReplay } from '../../src/replays/cancel-replay.ts'
import { closeReplays } from '../../src/replays/close-replays.ts'
import { createReplay } from '../../src/replays/create-replay.ts'
import { getReplay } from '../../src/replays/get-replay.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, uuidOf, verbContext, type VerbContext } from '../verbs/verb-context.ts'

describe.each(verbBackends())('the final count of a replay on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  /** A replay that has queued `count` deliveries and ended. Only the test finishes them. */
  async function endedReplay(count: number) {
    const accountId = await newAccount(ctx)
    const webhook = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
    const webhookId = uuidOf('wh', webhook.id)
    for (let n = 0; n < count; n++) {
      const event = await storeEvent(ctx, accountId, {})
      await storeDelivery(ctx, accountId, webhookId, event, { state: 'failed', attempts: 1 })
    }
    const made = await createReplay(ctx, accountId, webhookId, { since: '2020-01-01T00:00:00Z' })
    if ('dry_run' in made) throw new Error('this was a dry run')
    const id = uuidOf('rpl', made.id)
    await until('it has ended', async () => {
      await advanceReplays(ctx)
      return (await getReplay(ctx, accountId, id)).state === 'done'
    })
    return { accountId, webhookId, id, read: async () => await getReplay(ctx, accountId, id) }
  }

  /** Finishes some deliveries of an endpoint. */
  async function finish(endpointId: string, state: 'delivered' | 'exhausted', count: number): Promise<void> {
    await db.query(
      `with ended as (
         delete from queue where delivery_id in (
           select delivery_id from queue where endpoint_id = $1 order by sequence limit $3)
         returning account_id, delivery_id
       )
       update delivery d set state = $2::delivery_state, reason = case when $2 = 'exhausted' then 'retries_used' end
       from ended where d.account_id = ended.account_id and d.id = ended.delivery_id`,
      [endpointId, state, count],
    )
  }

  const traced = async (replayId: string): Promise<number> => {
    const [row] = await db.query<{ count: number }>(
      'select count(*) as count from replay_delivery where replay_id = $1',
      [replayId],
    )
    return row?.count ?? 0
  }

  const counts = ({ delivered, failed_again, pending }: Replay) => ({ delivered, failed_again, pending })

  test('is stored when none of the deliveries is queued any more, and their replay rows are then deleted', async () => {
    const replay = await endedReplay(5)
    await finish(replay.webhookId, 'delivered', 3)
    await closeReplays(db)
    expect(counts(await replay.read())).toEqual({ delivered: 3, failed_again: 0, pending: 2 })
    expect(await traced(replay.id)).toBe(5)

    await finish(replay.webhookId, 'exhausted', 2)
    const before = await replay.read()
    expect(counts(before)).toEqual({ delivered: 3, failed_again: 2, pending: 0 })
    await closeReplays(db)
    expect(await traced(replay.id)).toBe(0)
    expect(await replay.read()).toEqual(before)
    expect(await closeReplays(db)).toEqual({ closed: 0 })
  })

  test('covers what a cancelled replay had queued', async () => {
    const replay = await endedReplay(3)
    await db.query(`update replay set state = 'running', finished_at = null where id = $1`, [replay.id])
    await cancelReplay(ctx, replay.accountId, replay.id)
    await finish(replay.webhookId, 'delivered', 3)
    await closeReplays(db)
    expect(await replay.read()).toMatchObject({ state: 'cancelled', delivered: 3, pending: 0 })
    expect(await traced(replay.id)).toBe(0)
  })

  test('is unknown once a delivery of the replay was dropped', async () => {
    const replay = await endedReplay(2)
    await finish(replay.webhookId, 'delivered', 2)
    await db.query(
      'delete from delivery where id = (select id from delivery where endpoint_id = $1 order by id limit 1)',
      [replay.webhookId],
    )
    await closeReplays(db)
    expect(counts(await replay.read())).toEqual({ delivered: null, failed_again: null, pending: null })
    expect(await traced(replay.id)).toBe(0)
  })

  test('is stored by only one of several processes', async () => {
    const replay = await endedReplay(4)
    await finish(replay.webhookId, 'delivered', 4)
    const closed = await Promise.all([1, 2, 3].map(async () => (await closeReplays(db)).closed))
    expect(closed.reduce((sum, one) => sum + one)).toBe(1)
    expect(counts(await replay.read())).toEqual({ delivered: 4, failed_again: 0, pending: 0 })
  })
})
