import type { DeliveryQuery } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { getDelivery } from '../../src/deliveries/get-delivery.ts'
import { listDeliveries } from '../../src/deliveries/list-deliveries.ts'
import { typeId } from '../../src/domain/type-id.ts'
import { uuidV7Ms } from '../../src/domain/uuid-v7.ts'
import { getEvent } from '../../src/events/get-event.ts'
import { listEvents } from '../../src/events/list-events.ts'
import { newId } from '../../src/new-id.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { deleteWebhook } from '../../src/webhooks/delete-webhook.ts'
import { updateWebhook } from '../../src/webhooks/update-webhook.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { loseDelivery, storeDelivery, storeEvent, claimDelivery } from './stored-delivery.ts'
import { newAccount, refusal, uuidOf, verbContext, type VerbContext } from './verb-context.ts'

const url = 'https://hooks.example.com/mail'

describe.each(verbBackends())('events and deliveries on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  test('an event shows the data that was sent, and also its deliveries if requested by id', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const event = await storeEvent(ctx, accountId, { emailId: 'em_7', to: 'ada@example.org' })
    const deliveryId = await storeDelivery(ctx, accountId, webhookId, event)
    const shown = {
      id: typeId('evt', event.id),
      type: 'email.delivered',
      data: { email_id: 'em_7', to: ['ada@example.org'] },
      created_at: new Date(uuidV7Ms(event.id)).toISOString(),
      erased_at: null,
    }
    expect((await listEvents(ctx, accountId, { limit: 5 })).data).toEqual([shown])
    const { deliveries, ...found } = await getEvent(ctx, accountId, event.id)
    expect(found).toEqual(shown)
    const { attempts: _, ...delivery } = await getDelivery(ctx, accountId, deliveryId)
    // nothing is counted for a list
    const waiting_for = { ...delivery.waiting_for, ahead: null }
    expect(deliveries).toEqual([{ ...delivery, waiting_for }])
  })

  test('text with NUL or a lone surrogate is shown as it was sent', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const event = await storeEvent(ctx, accountId, {
      emailId: 'em_ü',
      to: '"a\u0000\ud800 \u{1f4ef}"@example.org',
    })
    const deliveryId = await storeDelivery(ctx, accountId, webhookId, event)
    expect((await getEvent(ctx, accountId, event.id)).data.to).toEqual([
      '"a\u0000\ud800 \u{1f4ef}"@example.org',
    ])
    expect((await getDelivery(ctx, accountId, deliveryId)).event.to).toEqual([
      '"a\u0000\ud800 \u{1f4ef}"@example.org',
    ])
  })

  test('events are found by type, email, recipient and time, and by combinations of them', async () => {
    const accountId = await newAccount(ctx)
    const bounce = await storeEvent(ctx, accountId, {
      type: 'email.bounced',
      emailId: 'em_1',
      to: 'ada@example.org',
    })
    const failure = await storeEvent(ctx, accountId, {
      type: 'email.failed',
      emailId: 'em_1',
      to: 'bob@example.org',
    })
    const delivered = await storeEvent(ctx, accountId, { emailId: 'em_2', to: 'ada@example.org' })
    const find = async (filter: Omit<Parameters<typeof listEvents>[2], 'limit'>): Promise<string[]> =>
      (await listEvents(ctx, accountId, { limit: 10, ...filter })).data.map(event => uuidOf('evt', event.id))
    const at = (event: { id: string }): string => new Date(uuidV7Ms(event.id)).toISOString()

    expect(await find({})).toEqual([delivered.id, failure.id, bounce.id])
    expect(await find({ type: ['email.bounced', 'email.failed'] })).toEqual([failure.id, bounce.id])
    expect(await find({ email_id: 'em_1' })).toEqual([failure.id, bounce.id])
    expect(await find({ recipient: 'ada@EXAMPLE.org' })).toEqual([delivered.id, bounce.id])
    expect(await find({ recipient: 'Ada@example.org' })).toEqual([delivered.id, bounce.id])
    expect(await find({ email_id: 'em_1', recipient: 'ada@example.org' })).toEqual([bounce.id])
    expect(await find({ since: at(failure) })).toEqual([delivered.id, failure.id])
    expect(await find({ until: at(failure) })).toEqual([bounce.id])
    expect(await find({ since: at(failure), until: at(delivered) })).toEqual([failure.id])
    expect(await find({ since: at(bounce).replace('Z', '+00:00'), type: ['email.failed'] })).toEqual([
      failure.id,
    ])
  })

  test('events are paged from the newest to the oldest and never shown to another account', async () => {
    const [accountId, stranger] = [await newAccount(ctx), await newAccount(ctx)]
    const made: string[] = []
    for (let i = 0; i < 5; i++) made.unshift((await storeEvent(ctx, accountId, {})).id)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await listEvents(ctx, accountId, { limit: 2, cursor })
      seen.push(...page.data.map(event => uuidOf('evt', event.id)))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toEqual(made)
    expect((await listEvents(ctx, stranger, { limit: 5, email_id: 'em_1' })).data).toEqual([])
    expect(await refusal(getEvent(ctx, stranger, made[0] ?? ''))).toBe('not_found')
  })

  test('a failed delivery shows its attempt count, its retries left and its next attempt', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const event = await storeEvent(ctx, accountId, {
      type: 'email.bounced',
      emailId: 'em_9',
      to: 'bob@example.org',
    })
    const deliveryId = await storeDelivery(ctx, accountId, webhookId, event, {
      state: 'failed',
      attempts: 3,
      retriesUsed: 2,
    })
    const delivery = await getDelivery(ctx, accountId, deliveryId)
    expect(delivery).toEqual({
      id: typeId('dlv', deliveryId),
      event_id: typeId('evt', event.id),
      webhook_id: typeId('wh', webhookId),
      state: 'failed',
      reason: null,
      sequence: 1,
      attempt_count: 3,
      retries_left: 10,
      next_attempt_at: expect.stringMatching(/^\d{4}-.*Z$/),
      waiting_for: { reason: 'retry', ahead: 0, estimated_at: delivery.next_attempt_at },
      last_attempt_at: null,
      last_error_code: null,
      last_status_code: null,
      last_duration_ms: null,
      created_at: new Date(uuidV7Ms(deliveryId)).toISOString(),
      delivered_at: null,
      event: { type: 'email.bounced', email_id: 'em_9', to: ['bob@example.org'] },
      attempts: [],
    })
  })

  test('there is no next attempt during an attempt, while the endpoint is disabled, or after delivery', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const event = await storeEvent(ctx, accountId, {})
    const waiting = await storeDelivery(ctx, accountId, webhookId, event)
    const final = await storeDelivery(ctx, accountId, webhookId, event, { state: 'delivered', attempts: 1 })
    const next = async (id: string) => {
      const { next_attempt_at: at, waiting_for: waits } = await getDelivery(ctx, accountId, id)
      return { isPlanned: at !== null, reason: waits?.reason ?? null }
    }

    expect(await next(waiting)).toEqual({ isPlanned: true, reason: 'retry' })
    expect(await next(final)).toEqual({ isPlanned: false, reason: null })
    await claimDelivery(ctx, waiting)
    expect(await next(waiting)).toEqual({ isPlanned: false, reason: null })
    await loseDelivery(ctx, waiting)
    expect(await next(waiting)).toEqual({ isPlanned: false, reason: 'capacity' })
    await updateWebhook(ctx, accountId, webhookId, { enabled: false })
    expect(await next(waiting)).toEqual({ isPlanned: false, reason: 'disabled' })
  })

  test('attempts are shown in order, the failed one with its error', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const event = await storeEvent(ctx, accountId, {})
    const deliveryId = await storeDelivery(ctx, accountId, webhookId, event, {
      state: 'delivered',
      attempts: 2,
    })
    const [failed, succeeded] = [newId(ctx), newId(ctx)]
    await db.query(
      `insert into attempt (account_id, delivery_id, id, number, trigger, duration_ms, dns_ms, connect_ms, tls_ms,
                            first_byte_ms, status_code, error_code, error_message, response_headers, response_body,
                            verified_by)
       values ($1, $2, $4, 2, 'manual', 12.5, 1, 2, 3, 4, 204, null, null, E'x-a: b: c\\nx-empty: \\n', 'ok', 'v1,v1s'),
              ($1, $2, $3, 1, 'schedule', 5000, 1.5, null, null, null, null, 'connect_timeout', 'Open the port.', null,
               null, null)`,
      [accountId, deliveryId, failed, succeeded],
    )
    const { attempts, ...delivery } = await getDelivery(ctx, accountId, deliveryId)
    expect(delivery).toMatchObject({ last_status_code: 204, last_duration_ms: 12.5 })
    expect(attempts).toEqual([
      {
        id: typeId('att', failed),
        number: 1,
        started_at: new Date(uuidV7Ms(failed)).toISOString(),
        duration_ms: 5000,
        phases: { dns_ms: 1.5, connect_ms: null, tls_ms: null, first_byte_ms: null },
        outcome: 'failed',
        status_code: null,
        error: { code: 'connect_timeout', message: 'Open the port.' },
        request_headers: null,
        response_headers: null,
        response_body: null,
        verified_by: null,
        trigger: 'schedule',
      },
      {
        id: typeId('att', succeeded),
        number: 2,
        started_at: new Date(uuidV7Ms(succeeded)).toISOString(),
        duration_ms: 12.5,
        phases: { dns_ms: 1, connect_ms: 2, tls_ms: 3, first_byte_ms: 4 },
        outcome: 'delivered',
        status_code: 204,
        error: null,
        request_headers: null,
        response_headers: { 'x-a': 'b: c', 'x-empty': '' },
        response_body: 'ok',
        verified_by: 'v1,v1s',
        trigger: 'manual',
      },
    ])
  })

  test('deliveries of an endpoint are listed newest first, filtered, or upwards after a sequence number', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const bounce = await storeEvent(ctx, accountId, { type: 'email.bounced' })
    const failure = await storeEvent(ctx, accountId, { type: 'email.failed' })
    await storeDelivery(ctx, accountId, webhookId, bounce, { state: 'delivered', attempts: 1 })
    await storeDelivery(ctx, accountId, webhookId, failure, { state: 'exhausted', reason: 'retries_used' })
    const laterBounce = await storeEvent(ctx, accountId, { type: 'email.bounced' })
    const third = await storeDelivery(ctx, accountId, webhookId, laterBounce, {
      state: 'failed',
      attempts: 1,
    })
    await storeDelivery(ctx, accountId, webhookId, await storeEvent(ctx, accountId, { type: 'email.failed' }))
    const other = uuidOf('wh', (await createWebhook(ctx, accountId, { url })).id)
    await storeDelivery(ctx, accountId, other, bounce)
    const list = async (filter: Partial<DeliveryQuery>): Promise<number[]> =>
      (await listDeliveries(ctx, accountId, webhookId, { ...unfiltered, ...filter })).data.map(
        one => one.sequence,
      )
    const thirdAt = new Date(uuidV7Ms(third)).toISOString()

    expect(await list({})).toEqual([4, 3, 2, 1])
    expect(await list({ state: ['exhausted'] })).toEqual([2])
    expect(await list({ state: ['exhausted', 'delivered'] })).toEqual([2, 1])
    expect(await list({ state: ['pending'] })).toEqual([4])
    expect(await list({ type: ['email.bounced'] })).toEqual([3, 1])
    expect(await list({ since: thirdAt })).toEqual([4, 3])
    expect(await list({ until: thirdAt })).toEqual([2, 1])
    expect(await list({ after_sequence: 1 })).toEqual([2, 3, 4])
    expect(await list({ after_sequence: 0, state: ['failed', 'pending'] })).toEqual([3, 4])
    expect(await list({ after_sequence: 4 })).toEqual([])
  })

  test('paging in either direction shows every delivery once', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const event = await storeEvent(ctx, accountId, {})
    for (let i = 0; i < 5; i++) await storeDelivery(ctx, accountId, webhookId, event)
    const walk = async (after_sequence: number | undefined): Promise<number[]> => {
      const seen: number[] = []
      let cursor: string | undefined
      do {
        const page = await listDeliveries(ctx, accountId, webhookId, { limit: 2, after_sequence, cursor })
        seen.push(...page.data.map(delivery => delivery.sequence))
        cursor = page.next_cursor ?? undefined
      } while (cursor !== undefined)
      return seen
    }
    expect(await walk(undefined)).toEqual([5, 4, 3, 2, 1])
    expect(await walk(2)).toEqual([3, 4, 5])
  })

  test('deliveries of a deleted endpoint stay readable by id, but its list does not', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const event = await storeEvent(ctx, accountId, {})
    const deliveryId = await storeDelivery(ctx, accountId, webhookId, event, {
      state: 'delivered',
      attempts: 1,
    })
    await deleteWebhook(ctx, accountId, webhookId)
    expect((await getDelivery(ctx, accountId, deliveryId)).state).toBe('delivered')
    expect((await getEvent(ctx, accountId, event.id)).deliveries).toHaveLength(1)
    expect(await refusal(listDeliveries(ctx, accountId, webhookId, unfiltered))).toBe('not_found')
  })

  test('another account’s deliveries and unknown ids are not found', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const stranger = await newAccount(ctx)
    const deliveryId = await storeDelivery(ctx, accountId, webhookId, await storeEvent(ctx, accountId, {}))
    for (const id of [deliveryId, newId(ctx)])
      expect(await refusal(getDelivery(ctx, stranger, id))).toBe('not_found')
    expect(await refusal(listDeliveries(ctx, stranger, webhookId, unfiltered))).toBe('not_found')
  })

  async function newEndpoint(): Promise<{ accountId: string; webhookId: string }> {
    const accountId = await newAccount(ctx)
    return { accountId, webhookId: uuidOf('wh', (await createWebhook(ctx, accountId, { url })).id) }
  }
})

const unfiltered: DeliveryQuery = { limit: 50, after_sequence: undefined }
