import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { retryDelivery } from '../../src/deliveries/retry-delivery.ts'
import { newId } from '../../src/new-id.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { deleteWebhook } from '../../src/webhooks/delete-webhook.ts'
import { updateWebhook } from '../../src/webhooks/update-webhook.ts'
import { openTestDatabase, verbBackends } from '../support/test-database.ts'
import {
  claimDelivery,
  type DeliveryFacts,
  loseDelivery,
  queueRow,
  storeDelivery,
  storeEvent,
} from './stored-delivery.ts'
import { newAccount, refusal, uuidOf, verbContext, type VerbContext } from './verb-context.ts'

describe.each(verbBackends())('manual retry on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  test('a failed delivery becomes due now, and keeps the retries that it had left', async () => {
    const { accountId, deliveryId } = await newDelivery({
      state: 'failed',
      attempts: 3,
      retriesUsed: 2,
      claim: 4,
    })
    const wakes = ctx.wakes.count
    const shown = await retryDelivery(ctx, accountId, deliveryId)
    expect(shown).toMatchObject({ state: 'pending', reason: null, attempt_count: 3, retries_left: 10 })
    expect(shown).toMatchObject({ next_attempt_at: null, waiting_for: { reason: 'capacity', ahead: 0 } })
    expect(await queueRow(ctx, deliveryId)).toEqual({
      due: true,
      held: false,
      claim: 5,
      attempt_count: 3,
      retries_used: 2,
      trigger: 'manual',
      was_delivered: false,
    })
    expect(ctx.wakes.count).toBe(wakes + 1)
  })

  test('an exhausted delivery is queued again, with a claim above all earlier ones', async () => {
    const { accountId, deliveryId } = await newDelivery({
      state: 'exhausted',
      reason: 'retries_used',
      attempts: 13,
      retriesUsed: 12,
      claim: 15,
    })
    expect(await retryDelivery(ctx, accountId, deliveryId)).toMatchObject({
      state: 'pending',
      reason: null,
      retries_left: 0,
    })
    expect(await queueRow(ctx, deliveryId)).toMatchObject({
      claim: 16,
      attempt_count: 13,
      retries_used: 12,
      due: true,
    })
  })

  test('a completed delivery records that it was delivered before', async () => {
    const { accountId, deliveryId } = await newDelivery({ state: 'delivered', attempts: 1 })
    const shown = await retryDelivery(ctx, accountId, deliveryId)
    expect(shown.state).toBe('pending')
    expect(shown.delivered_at).not.toBeNull()
    expect(await queueRow(ctx, deliveryId)).toMatchObject({ was_delivered: true, trigger: 'manual' })
  })

  test('a pending delivery cannot be retried', async () => {
    const { accountId, deliveryId } = await newDelivery({ state: 'pending' })
    expect(await refusal(retryDelivery(ctx, accountId, deliveryId))).toBe('delivery_pending')
    expect(await queueRow(ctx, deliveryId)).toMatchObject({ due: false, claim: 0, trigger: 'schedule' })
  })

  test('a failed delivery with an attempt in flight cannot be retried until its lease has ended', async () => {
    const { accountId, deliveryId } = await newDelivery({ state: 'failed', attempts: 1 })
    await claimDelivery(ctx, deliveryId)
    expect(await refusal(retryDelivery(ctx, accountId, deliveryId))).toBe('delivery_pending')
    await loseDelivery(ctx, deliveryId)
    await retryDelivery(ctx, accountId, deliveryId)
    expect(await queueRow(ctx, deliveryId)).toMatchObject({ held: false, claim: 3, due: true })
  })

  test('a disabled endpoint must be enabled first', async () => {
    const { accountId, webhookId, deliveryId } = await newDelivery({ state: 'failed', attempts: 1 })
    await updateWebhook(ctx, accountId, webhookId, { enabled: false })
    expect(await refusal(retryDelivery(ctx, accountId, deliveryId))).toBe('endpoint_disabled')
    await updateWebhook(ctx, accountId, webhookId, { enabled: true })
    await retryDelivery(ctx, accountId, deliveryId)
  })

  test('a delivery to a deleted endpoint cannot be retried', async () => {
    const { accountId, webhookId, deliveryId } = await newDelivery({ state: 'delivered', attempts: 1 })
    await deleteWebhook(ctx, accountId, webhookId)
    expect(await refusal(retryDelivery(ctx, accountId, deliveryId))).toBe('endpoint_deleted')
    expect(await queueRow(ctx, deliveryId)).toBeUndefined()
  })

  test('an erased event is never sent again, delivered or not', async () => {
    const erased = await newDelivery({ state: 'exhausted', reason: 'erased' })
    expect(await refusal(retryDelivery(ctx, erased.accountId, erased.deliveryId))).toBe('delivery_erased')
    const delivered = await newDelivery({ state: 'delivered', attempts: 1 })
    await db.query('update event set erased_at = now() where id = $1', [delivered.eventId])
    expect(await refusal(retryDelivery(ctx, delivered.accountId, delivered.deliveryId))).toBe(
      'delivery_erased',
    )
  })

  test('a delivery that has expired or whose event was dropped cannot be retried', async () => {
    const expired = await newDelivery({ state: 'exhausted', reason: 'expired' })
    expect(await refusal(retryDelivery(ctx, expired.accountId, expired.deliveryId))).toBe('event_expired')
    const gone = await newDelivery({ state: 'delivered', attempts: 1 })
    await db.query('delete from event where id = $1', [gone.eventId])
    expect(await refusal(retryDelivery(ctx, gone.accountId, gone.deliveryId))).toBe('event_expired')
  })

  test("another account's delivery and an unknown one are not found", async () => {
    const { deliveryId } = await newDelivery({ state: 'failed', attempts: 1 })
    const stranger = await newAccount(ctx)
    for (const id of [deliveryId, newId(ctx)])
      expect(await refusal(retryDelivery(ctx, stranger, id))).toBe('not_found')
    expect(await queueRow(ctx, deliveryId)).toMatchObject({ due: false, trigger: 'schedule' })
  })

  async function newDelivery(facts: DeliveryFacts) {
    const accountId = await newAccount(ctx)
    const webhookId = uuidOf(
      'wh',
      (await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })).id,
    )
    const event = await storeEvent(ctx, accountId, {})
    const deliveryId = await storeDelivery(ctx, accountId, webhookId, event, facts)
    return { accountId, webhookId, eventId: event.id, deliveryId }
  }
})
