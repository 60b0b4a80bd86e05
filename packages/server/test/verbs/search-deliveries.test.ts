import type { DeliveryQuery, DeliverySearchQuery, DeliveryState, EventType } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { listDeliveries } from '../../src/deliveries/list-deliveries.ts'
import { searchDeliveries } from '../../src/deliveries/search-deliveries.ts'
import { parseTypeId, typeId } from '../../src/domain/type-id.ts'
import { uuidV7Ms } from '../../src/domain/uuid-v7.ts'
import { putNoticeWebhook } from '../../src/notices/put-notice-webhook.ts'
import { storeNotice } from '../../src/notices/store-notice.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { deleteWebhook } from '../../src/webhooks/delete-webhook.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { storeDelivery, type StoredEvent, storeEvent } from './stored-delivery.ts'
import { newAccount, refusal, uuidOf, verbContext, type VerbContext } from './verb-context.ts'

const url = 'https://hooks.example.com/mail'

describe.each(verbBackends())('deliveries of all endpoints on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  const newEndpoint = async (accountId: string): Promise<string> =>
    uuidOf('wh', (await createWebhook(ctx, accountId, { url })).id)

  /** All deliveries that pass the filter, page by page, and the number of pages. */
  async function search(
    accountId: string,
    filter: Partial<DeliverySearchQuery>,
    limit = 50,
  ): Promise<{ ids: string[]; pages: number }> {
    const ids: string[] = []
    let pages = 0
    let cursor: string | undefined
    do {
      const page = await searchDeliveries(ctx, accountId, { ...filter, limit, cursor })
      ids.push(...page.data.map(delivery => uuidOf('dlv', delivery.id)))
      cursor = page.next_cursor ?? undefined
      pages++
    } while (cursor !== undefined)
    return { ids, pages }
  }

  const found = async (accountId: string, filter: Partial<DeliverySearchQuery>): Promise<string[]> => {
    const { ids } = await search(accountId, filter)
    // with any filter, pages of two show the same deliveries
    expect((await search(accountId, filter, 2)).ids).toEqual(ids)
    return ids
  }

  /** Stores one event for two endpoints, with a state for each. */
  async function storeBoth(
    accountId: string,
    [first, second]: readonly [string, string],
    event: StoredEvent,
    [ofFirst, ofSecond]: readonly [DeliveryState, DeliveryState],
    errorCode: string | null = null,
  ): Promise<[string, string]> {
    const store = async (endpointId: string, state: DeliveryState): Promise<string> => {
      const reason = state === 'exhausted' ? 'retries_used' : null
      const id = await storeDelivery(ctx, accountId, endpointId, event, { state, reason, attempts: 1 })
      if (state !== 'delivered') {
        await db.query('update delivery set last_error_code = $2 where id = $1', [id, errorCode])
      }
      return id
    }
    return [await store(first, ofFirst), await store(second, ofSecond)]
  }

  test('are found by state, type, error, endpoint, event, email, recipient and time, and by combinations of them', async () => {
    const accountId = await newAccount(ctx)
    const endpoints = [await newEndpoint(accountId), await newEndpoint(accountId)] as const
    const webhook_id = typeId('wh', endpoints[1])
    const store = async (
      fields: { type?: EventType; emailId: string; to: string },
      states: readonly [DeliveryState, DeliveryState],
      errorCode?: string,
    ) => {
      const event = await storeEvent(ctx, accountId, fields)
      return { event, ids: await storeBoth(accountId, endpoints, event, states, errorCode) }
    }
    const ada = 'ada@example.org'
    const {
      event,
      ids: [a1, a2],
    } = await store({ emailId: 'em_1', to: ada }, ['delivered', 'delivered'])
    const {
      ids: [b1, b2],
    } = await store(
      { emailId: 'em_2', to: ada, type: 'email.bounced' },
      ['delivered', 'failed'],
      'tls_expired',
    )
    const {
      ids: [c1, c2],
    } = await store(
      { emailId: 'em_3', to: 'bob@example.org', type: 'email.failed' },
      ['exhausted', 'pending'],
      'dns_failed',
    )
    const {
      ids: [d1, d2],
    } = await store({ emailId: 'em_4', to: 'bob@example.org' }, ['failed', 'exhausted'], 'dns_failed')
    // the two deliveries of an event have the same millisecond, so the rest of their ids decides the order
    const newestFirst = (...ids: string[]): string[] => ids.toSorted().toReversed()
    const expectFound = async (filter: Partial<DeliverySearchQuery>, ...ids: string[]): Promise<void> =>
      expect(await found(accountId, filter), JSON.stringify(filter)).toEqual(newestFirst(...ids))

    await expectFound({}, a1, a2, b1, b2, c1, c2, d1, d2)
    await expectFound({ state: ['delivered'] }, a1, a2, b1)
    await expectFound({ state: ['failed'] }, b2, d1)
    await expectFound({ state: ['pending', 'failed'] }, b2, c2, d1)
    await expectFound({ state: ['exhausted'] }, c1, d2)
    await expectFound({ state: ['exhausted', 'failed', 'pending'] }, b2, c1, c2, d1, d2)
    await expectFound({ type: ['email.delivered'] }, a1, a2, d1, d2)
    await expectFound({ type: ['email.bounced', 'email.failed'] }, b1, b2, c1, c2)
    await expectFound({ type: ['email.bounced'], state: ['failed'] }, b2)
    await expectFound({ type: ['email.unsubscribed'] })
    await expectFound({ error_code: ['dns_failed'] }, c1, c2, d1, d2)
    await expectFound({ error_code: ['dns_failed', 'tls_expired'], state: ['failed'] }, b2, d1)
    await expectFound({ webhook_id }, a2, b2, c2, d2)
    await expectFound({ webhook_id, state: ['exhausted', 'failed'] }, b2, d2)
    await expectFound({ webhook_id, type: ['email.bounced'] }, b2)
    await expectFound({ webhook_id, error_code: ['dns_failed'] }, c2, d2)
    await expectFound({ event_id: typeId('evt', event.id) }, a1, a2)
    await expectFound({ event_id: typeId('evt', event.id), webhook_id }, a2)
    await expectFound({ email_id: 'em_2' }, b1, b2)
    await expectFound({ recipient: ada }, a1, a2, b1, b2)
    await expectFound({ recipient: ada, state: ['failed'], error_code: ['tls_expired'] }, b2)
    await expectFound({ recipient: 'bob@example.org', webhook_id, type: ['email.failed'] }, c2)
    await expectFound({ recipient: ada, email_id: 'em_3' })
    const since = new Date(uuidV7Ms(b1)).toISOString()
    const until = new Date(uuidV7Ms(d1)).toISOString()
    await expectFound({ since }, b1, b2, c1, c2, d1, d2)
    await expectFound({ since, until, state: ['exhausted', 'failed'] }, b2, c1)
    await expectFound({ until, recipient: ada, type: ['email.delivered'] }, a1, a2)
  })

  test('of another account are never listed, with any filter', async () => {
    const accountId = await newAccount(ctx)
    const endpointId = await newEndpoint(accountId)
    const event = await storeEvent(ctx, accountId, { type: 'email.bounced' })
    await storeDelivery(ctx, accountId, endpointId, event)
    const stranger = await newAccount(ctx)
    const filters: Array<Partial<DeliverySearchQuery>> = [
      {},
      { state: ['pending'] },
      { type: ['email.bounced'] },
      { webhook_id: typeId('wh', endpointId) },
      { webhook_id: typeId('wh', endpointId), state: ['pending'] },
      { event_id: typeId('evt', event.id) },
      { email_id: 'em_1' },
      { recipient: 'ada@example.org' },
    ]
    for (const filter of filters) {
      expect(await found(accountId, filter)).toHaveLength(1)
      expect(await found(stranger, filter)).toEqual([])
    }
  })

  test('of a deleted endpoint stay in the list as history', async () => {
    const accountId = await newAccount(ctx)
    const endpointId = await newEndpoint(accountId)
    const id = await storeDelivery(ctx, accountId, endpointId, await storeEvent(ctx, accountId, {}), {
      state: 'delivered',
      attempts: 1,
    })
    await deleteWebhook(ctx, accountId, endpointId)
    expect(await found(accountId, {})).toEqual([id])
    expect(await found(accountId, { webhook_id: typeId('wh', endpointId) })).toEqual([id])
  })

  test('do not include the notices to the account', async () => {
    const accountId = await newAccount(ctx)
    await putNoticeWebhook(ctx, accountId, { url })
    const webhook_id = typeId('wh', await newEndpoint(accountId))
    const notice = {
      webhook_id,
      description: '',
      url,
      message: 'It works again.',
      failures_in_row: 0,
      failing_since: null,
    }
    await storeNotice(ctx, accountId, 'webhook.recovered', notice)
    expect(await db.query('select from delivery where account_id = $1', [accountId])).toHaveLength(1)
    const filters: Array<Partial<DeliverySearchQuery>> = [
      {},
      { state: ['pending'] },
      { state: ['pending', 'delivered'] },
    ]
    for (const filter of filters) expect(await found(accountId, filter)).toEqual([])
  })

  test('cannot be listed with the cursor of another list', async () => {
    const accountId = await newAccount(ctx)
    const endpointId = await newEndpoint(accountId)
    for (let i = 0; i < 3; i++) {
      await storeDelivery(ctx, accountId, endpointId, await storeEvent(ctx, accountId, {}))
    }
    const all = await searchDeliveries(ctx, accountId, { limit: 1 })
    const cursor = all.next_cursor ?? undefined
    for (const filter of [{ webhook_id: typeId('wh', endpointId) }, { email_id: 'em_1' }]) {
      const work = searchDeliveries(ctx, accountId, { limit: 1, ...filter, cursor })
      expect(await refusal(work)).toBe('validation_failed')
    }
  })

  describe('when few of many match', () => {
    const many = 24_000
    const rare = [20, 12_000, 23_990]
    let accountId: string
    let webhook_id: string

    /** Stores a long history of one endpoint in which three of 24,000 deliveries differ. */
    async function storeMany(state: DeliveryState, rareState: DeliveryState): Promise<void> {
      accountId = await newAccount(ctx)
      const endpointId = await newEndpoint(accountId)
      webhook_id = typeId('wh', endpointId)
      const firstMs = Date.now() - many
      const id = (tail: string): string =>
        `(lpad(to_hex(${firstMs}::bigint + n), 12, '0') || '70008' || '${tail}' || lpad(to_hex(n), 14, '0'))::uuid`
      await db.query(
        `insert into event (account_id, id, type, search_keys, body)
         select $1, ${id('e')}, 'email.bounced', '{}', '{"data":{"email_id":"em","to":[]}}' from generate_series(1, ${many}) n`,
        [accountId],
      )
      await db.query(
        `insert into delivery (account_id, id, endpoint_id, event_id, type, sequence, state, reason, last_error_code)
         select $1, ${id('d')}, $2, ${id('e')}, 'email.bounced', n, s.state, case when s.state = 'exhausted' then 'expired' end,
           case when n = any($5::int[]) then 'tls_expired' end
         from generate_series(1, ${many}) n
         cross join lateral (select (case when n = any($5::int[]) then $4 else $3 end)::delivery_state as state) s`,
        [accountId, endpointId, state, rareState, rare],
      )
      await db.query(
        `insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
         select account_id, id, endpoint_id, event_id, now(), sequence from delivery
         where account_id = $1 and state in ('pending', 'failed')`,
        [accountId],
      )
    }

    /** Expects short pages, some of them empty, because each reads at most five thousand rows. */
    async function expectRare(filter: Partial<DeliverySearchQuery>): Promise<void> {
      const { ids, pages } = await search(accountId, filter)
      expect(
        ids.map(one => Number.parseInt(one.slice(-6), 16)),
        JSON.stringify(filter),
      ).toEqual(rare.toReversed())
      expect(pages).toBe(5)
      expect((await search(accountId, filter, 1)).ids).toEqual(ids)
    }

    /** The sequence numbers of the endpoint's own list, oldest first. */
    async function walkUpwards(filter: Pick<DeliveryQuery, 'state'>): Promise<number[]> {
      const id = parseTypeId('wh', webhook_id) ?? ''
      const seen: number[] = []
      let cursor: string | undefined
      do {
        const query = { ...filter, after_sequence: 0, limit: 50, cursor }
        const page = await listDeliveries(ctx, accountId, id, query)
        seen.push(...page.data.map(delivery => delivery.sequence))
        cursor = page.next_cursor ?? undefined
      } while (cursor !== undefined)
      return seen
    }

    test('pages are short, and a cursor continues until all rows were searched', async () => {
      await storeMany('delivered', 'delivered')
      await expectRare({ state: ['delivered'], error_code: ['tls_expired'] })
      await expectRare({ state: ['delivered'], error_code: ['tls_expired'], webhook_id })
      const states: DeliveryState[] = ['delivered']
      await expectRare({
        state: states,
        error_code: ['tls_expired'],
        type: ['email.delivered', 'email.bounced'],
      })
    }, 60_000)

    test('the same is true for queued deliveries, of all endpoints and of one with a long queue', async () => {
      await storeMany('pending', 'failed')
      await expectRare({ state: ['failed'] })
      await expectRare({ state: ['failed', 'exhausted'] })
      await expectRare({ state: ['failed'], webhook_id })
      await expectRare({ error_code: ['tls_expired'], webhook_id })
      expect(await walkUpwards({ state: ['failed'] })).toEqual(rare)
    }, 60_000)

    test('the same is true for exhausted deliveries, and with a filter by type', async () => {
      await storeMany('exhausted', 'exhausted')
      await expectRare({ state: ['exhausted'], error_code: ['tls_expired'] })
      await expectRare({ state: ['exhausted'], error_code: ['tls_expired'], webhook_id })
      await expectRare({
        state: ['delivered', 'exhausted'],
        type: ['email.bounced'],
        error_code: ['tls_expired'],
      })
    }, 60_000)
  })
})
