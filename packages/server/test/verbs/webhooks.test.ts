import { defaultEventTypes } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateAccount } from '../../src/accounts/update-account.ts'
import type { Database } from '../../src/db/database.ts'
import { AppError } from '../../src/errors.ts'
import { newId } from '../../src/new-id.ts'
import { openRequestHeaders } from '../../src/seal/request-headers.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { deleteWebhook } from '../../src/webhooks/delete-webhook.ts'
import { getWebhook } from '../../src/webhooks/get-webhook.ts'
import { listWebhooks } from '../../src/webhooks/list-webhooks.ts'
import { updateWebhook } from '../../src/webhooks/update-webhook.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { storeDelivery, storeEvent } from './stored-delivery.ts'
import { newAccount, refusal, uuidOf, verbContext, type VerbContext } from './verb-context.ts'

const url = 'https://hooks.example.com/mail'

describe.each(verbBackends())('webhook endpoints on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  test('an endpoint needs only a URL: it gets all four types, is enabled, and shows its secret once', async () => {
    const accountId = await newAccount(ctx)
    const { secret, ...record } = await createWebhook(ctx, accountId, { url: 'https://Hooks.Example.com' })
    expect(secret).toMatch(/^whsec_[0-9A-Za-z]{44}$/)
    expect(record).toEqual({
      id: expect.stringMatching(/^wh_/),
      url: 'https://hooks.example.com/',
      events: defaultEventTypes,
      description: '',
      status: 'enabled',
      disabled_reason: null,
      secret_prefix: secret?.slice(0, 10),
      headers: {},
      rate_limit_per_second: null,
      standard_webhooks: false,
      retry_base_seconds: null,
      retry_cap_seconds: null,
      attempt_timeout_seconds: null,
      client_certificate: null,
      tags: [],
      sending_domains: [],
      created_at: record.updated_at,
      updated_at: record.updated_at,
    })
    expect(await getWebhook(ctx, accountId, uuidOf('wh', record.id))).toEqual(record)
    expect((await listWebhooks(ctx, accountId, { limit: 5 })).data).toEqual([record])
  })

  test('every field can be set at creation, and header values are returned hidden', async () => {
    const accountId = await newAccount(ctx)
    const made = await createWebhook(ctx, accountId, {
      url,
      events: ['email.failed', 'email.bounced'],
      description: 'billing',
      enabled: false,
      headers: { 'X-Tenant': 'seven', authorization: 'Bearer 1' },
      rate_limit_per_second: 5,
      standard_webhooks: true,
    })
    expect(made).toMatchObject({
      events: ['email.failed', 'email.bounced'],
      description: 'billing',
      status: 'disabled',
      disabled_reason: 'manual',
      headers: { 'X-Tenant': '***', authorization: '***' },
      rate_limit_per_second: 5,
      standard_webhooks: true,
    })
    const rows = await db.query('select * from endpoint where account_id = $1', [accountId])
    expect(JSON.stringify(rows, printable)).not.toContain('Bearer 1')
  })

  test('a URL that the policy forbids is rejected with url_not_allowed, at creation and on change', async () => {
    const accountId = await newAccount(ctx)
    const webhookId = await newWebhook(accountId)
    for (const refused of [
      'http://example.com/',
      'https://10.0.0.1/',
      'https://example.com:8080/',
      'https://localhost/',
    ]) {
      const error = await createWebhook(ctx, accountId, { url: refused }).catch((cause: unknown) => cause)
      expect(error, refused).toBeInstanceOf(AppError)
      expect(error, refused).toMatchObject({ code: 'url_not_allowed', errors: [{ path: '/url' }] })
      expect(await refusal(updateWebhook(ctx, accountId, webhookId, { url: refused }))).toBe(
        'url_not_allowed',
      )
    }
    expect((await listWebhooks(ctx, accountId, { limit: 5 })).data).toHaveLength(1)
  })

  test('a PATCH changes only the fields that it contains', async () => {
    const accountId = await newAccount(ctx)
    const { secret: _, ...made } = await createWebhook(ctx, accountId, {
      url,
      description: 'a',
      rate_limit_per_second: 5,
    })
    const webhookId = uuidOf('wh', made.id)
    const described = await updateWebhook(ctx, accountId, webhookId, { description: 'b' })
    expect(described).toEqual({ ...made, description: 'b', updated_at: described.updated_at })
    const narrowed = await updateWebhook(ctx, accountId, webhookId, {
      events: ['email.failed'],
      rate_limit_per_second: null,
    })
    expect(narrowed).toMatchObject({
      events: ['email.failed'],
      rate_limit_per_second: null,
      description: 'b',
      url,
    })
  })

  test('headers are merged by name in any case: a value sets, null removes, *** keeps', async () => {
    const accountId = await newAccount(ctx)
    const made = await createWebhook(ctx, accountId, {
      url,
      headers: { 'X-One': '1', 'X-Two': '2', 'X-Three': '3' },
    })
    const webhookId = uuidOf('wh', made.id)
    const changed = await updateWebhook(ctx, accountId, webhookId, {
      headers: { 'x-one': '***', 'x-TWO': 'two', 'x-three': null, 'X-Four': '4', 'X-Gone': null },
    })
    expect(changed.headers).toEqual({ 'X-One': '***', 'x-TWO': '***', 'X-Four': '***' })
    expect(await storedHeaders(accountId, webhookId)).toEqual({ 'X-One': '1', 'x-TWO': 'two', 'X-Four': '4' })

    await updateWebhook(ctx, accountId, webhookId, { headers: {} })
    expect(await storedHeaders(accountId, webhookId)).toEqual({ 'X-One': '1', 'x-TWO': 'two', 'X-Four': '4' })
    await updateWebhook(ctx, accountId, webhookId, {
      headers: { 'X-One': null, 'X-Two': null, 'X-Four': null },
    })
    expect(await storedHeaders(accountId, webhookId)).toEqual({})
  })

  test('invalid headers are rejected, and nothing is stored', async () => {
    const accountId = await newAccount(ctx)
    const webhookId = await newWebhook(accountId)
    const twenty = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`X-Header-${i}`, 'v']))
    await updateWebhook(ctx, accountId, webhookId, { headers: twenty })
    const wrong: Record<string, string | null>[] = [
      { Host: 'example.com' },
      { 'X-Service-Signature': 't=1' },
      { 'X-Line': 'a\r\nb' },
      { 'X-Twice': 'a', 'x-twice': 'b' },
      { 'X-Long': 'v'.repeat(1025) },
      { 'X-Unknown': '***' },
      { 'X-One-Too-Many': 'v' },
    ]
    for (const headers of wrong) {
      expect(
        await refusal(updateWebhook(ctx, accountId, webhookId, { headers })),
        Object.keys(headers)[0],
      ).toBe('validation_failed')
    }
    expect(await storedHeaders(accountId, webhookId)).toEqual(twenty)
    await updateWebhook(ctx, accountId, webhookId, { headers: { 'X-Header-0': null, 'X-New': 'v' } })
    expect(await refusal(createWebhook(ctx, accountId, { url, headers: { 'X-Kept': '***' } }))).toBe(
      'validation_failed',
    )
  })

  test('the version increases only if something that senders use has changed', async () => {
    const accountId = await newAccount(ctx)
    const webhookId = await newWebhook(accountId)
    const raisedBy = async (change: Parameters<typeof updateWebhook>[3]): Promise<number> => {
      const before = await stored(accountId, webhookId)
      await updateWebhook(ctx, accountId, webhookId, change)
      return (await stored(accountId, webhookId)).version - before.version
    }
    expect(await raisedBy({ description: 'x', events: ['email.failed'] })).toBe(0)
    expect(await raisedBy({ url: 'https://other.example.com/' })).toBe(1)
    expect(await raisedBy({ url: 'https://other.example.com/', enabled: true })).toBe(0)
    expect(await raisedBy({ headers: { 'X-A': '1' } })).toBe(1)
    expect(await raisedBy({ rate_limit_per_second: 9 })).toBe(1)
    expect(await raisedBy({ retry_base_seconds: 5, attempt_timeout_seconds: 3 })).toBe(1)
    expect(await raisedBy({ standard_webhooks: true })).toBe(1)
    expect(await raisedBy({ standard_webhooks: true })).toBe(0)
    expect(await raisedBy({ enabled: false })).toBe(1)
    expect(await raisedBy({ enabled: false })).toBe(0)
    expect(await raisedBy({ enabled: true })).toBe(1)
  })

  test('enabling clears the reason for disabling and drains the backlog', async () => {
    const accountId = await newAccount(ctx)
    const webhookId = await newWebhook(accountId)
    await db.query(
      `update endpoint set status = 'disabled', disabled_reason = 'gone', failures_in_row = 7, failing_since = now()
       where id = $1`,
      [webhookId],
    )
    expect(await updateWebhook(ctx, accountId, webhookId, { enabled: false })).toMatchObject({
      disabled_reason: 'gone',
    })

    expect(await updateWebhook(ctx, accountId, webhookId, { enabled: true })).toMatchObject({
      status: 'enabled',
      disabled_reason: null,
    })
    expect(await stored(accountId, webhookId)).toMatchObject({
      failures_in_row: 0,
      failing_since: null,
      drains: false,
    })

    await updateWebhook(ctx, accountId, webhookId, { enabled: false })
    await storeDelivery(ctx, accountId, webhookId, await storeEvent(ctx, accountId, {}))
    const wakesBefore = ctx.wakes.count
    await updateWebhook(ctx, accountId, webhookId, { enabled: true })
    expect((await stored(accountId, webhookId)).drains).toBe(true)
    expect(ctx.wakes.count).toBe(wakesBefore + 1)
  })

  test('a deleted endpoint is not found, frees its slot and leaves no secret behind', async () => {
    const accountId = await newAccount(ctx, 1)
    const made = await createWebhook(ctx, accountId, { url, headers: { 'X-A': '1' } })
    const webhookId = uuidOf('wh', made.id)
    const { version } = await stored(accountId, webhookId)
    await deleteWebhook(ctx, accountId, webhookId)

    expect(await refusal(getWebhook(ctx, accountId, webhookId))).toBe('not_found')
    expect(await refusal(updateWebhook(ctx, accountId, webhookId, { description: 'x' }))).toBe('not_found')
    expect(await refusal(deleteWebhook(ctx, accountId, webhookId))).toBe('not_found')
    expect((await listWebhooks(ctx, accountId, { limit: 5 })).data).toEqual([])
    expect((await stored(accountId, webhookId)).version).toBe(version + 1)
    const secrets = await db.query(
      `select 1 as one from endpoint where id = $1 and (headers_sealed is not null or status = 'enabled')
       union all select 1 from signing_key where endpoint_id = $1 and secret_sealed is not null`,
      [webhookId],
    )
    expect(secrets).toEqual([])
    await createWebhook(ctx, accountId, { url })
  })

  test('the plan limits the endpoints of an account, and two of them may have the same URL', async () => {
    const accountId = await newAccount(ctx, 2)
    await createWebhook(ctx, accountId, { url })
    await createWebhook(ctx, accountId, { url })
    expect(await refusal(createWebhook(ctx, accountId, { url }))).toBe('endpoint_limit_reached')
    await updateAccount(ctx, accountId, { max_endpoints: 3 })
    await createWebhook(ctx, accountId, { url })
    await updateAccount(ctx, accountId, { max_endpoints: 1 })
    expect(await refusal(createWebhook(ctx, accountId, { url }))).toBe('endpoint_limit_reached')
    expect((await listWebhooks(ctx, accountId, { limit: 5 })).data).toHaveLength(3)
  })

  test('pages go from the newest to the oldest and never show another account', async () => {
    const [accountId, other] = [await newAccount(ctx), await newAccount(ctx)]
    const made: string[] = []
    for (let i = 0; i < 5; i++) made.unshift((await createWebhook(ctx, accountId, { url })).id)
    await createWebhook(ctx, other, { url })
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await listWebhooks(ctx, accountId, { limit: 2, cursor })
      seen.push(...page.data.map(webhook => webhook.id))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toEqual(made)
  })

  test("another account's endpoint and an unknown one are both not found", async () => {
    const [owner, stranger] = [await newAccount(ctx), await newAccount(ctx)]
    const webhookId = await newWebhook(owner)
    for (const id of [webhookId, newId(ctx)]) {
      expect(await refusal(getWebhook(ctx, stranger, id))).toBe('not_found')
      expect(await refusal(updateWebhook(ctx, stranger, id, { enabled: false }))).toBe('not_found')
      expect(await refusal(deleteWebhook(ctx, stranger, id))).toBe('not_found')
    }
    expect((await getWebhook(ctx, owner, webhookId)).status).toBe('enabled')
  })

  async function newWebhook(accountId: string): Promise<string> {
    return uuidOf('wh', (await createWebhook(ctx, accountId, { url })).id)
  }

  interface Stored {
    version: number
    failures_in_row: number
    failing_since: Date | null
    drains: boolean
    headers_sealed: Uint8Array | null
  }

  async function stored(accountId: string, webhookId: string): Promise<Stored> {
    const [row] = await db.query<Stored>(
      `select version, failures_in_row, failing_since, draining_since is not null as drains, headers_sealed
       from endpoint where account_id = $1 and id = $2`,
      [accountId, webhookId],
    )
    return row ?? expect.unreachable('the endpoint has no row')
  }

  async function storedHeaders(accountId: string, webhookId: string): Promise<Record<string, string>> {
    const { headers_sealed } = await stored(accountId, webhookId)
    return Object.fromEntries(
      openRequestHeaders(ctx.seal, { accountId, endpointId: webhookId }, headers_sealed),
    )
  }
})

/** Shows bytes as text, so that a search finds unencrypted content. */
function printable(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value
}
