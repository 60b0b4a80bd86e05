import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey } from '../../src/api-keys/create-api-key.ts'
import { revokeApiKey } from '../../src/api-keys/revoke-api-key.ts'
import { type Database, DatabaseUnavailableError } from '../../src/db/database.ts'
import type { OutcomeIntake } from '../../src/outcomes/intake.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'
import { uuidOf, type VerbContext, verbContext } from '../verbs/verb-context.ts'
import { call, newCustomer, openTestApp, operatorToken } from './test-app.ts'

let db: Database

beforeAll(async () => {
  db = await openTestDatabase(embedded)
})

afterAll(async () => await db[Symbol.asyncDispose]())

/** A context whose clocks stand still until the test moves them. It counts the lookups of keys. */
function stillContext() {
  const time = { nowMs: Date.now(), monotonicMs: 0 }
  let lookups = 0
  const ctx = {
    ...verbContext(db),
    db: {
      ...db,
      query: async (statement: Parameters<Database['query']>[0], values?: readonly unknown[]) => {
        if (typeof statement === 'string' && statement.includes('where k.hash = ')) lookups++
        return await db.query(statement, values)
      },
    } as Database,
    clock: { nowMs: () => time.nowMs, monotonicMs: () => time.monotonicMs },
  }
  return { ctx, time, lookups: () => lookups }
}

const list = { method: 'GET', path: '/v1/webhooks' }

test('a key is looked up once a second, however many requests use it', async () => {
  const { ctx, time, lookups } = stillContext()
  await using app = await openTestApp(db, { ctx })
  const { apiKey } = await newCustomer(app)
  const use = async () => (await call(app, list.method, list.path, { as: apiKey })).status
  expect(await Promise.all([use(), use(), use()])).toEqual([200, 200, 200])
  time.monotonicMs += 999
  expect(await use()).toBe(200)
  expect(lookups()).toBe(1)
  time.monotonicMs += 1
  expect(await use()).toBe(200)
  expect(lookups()).toBe(2)
})

test('a revoked key is rejected by the time the revocation returns', async () => {
  const { ctx, time } = stillContext()
  await using app = await openTestApp(db, { ctx })
  const { apiKey, accountUuid, keyId } = await newCustomer(app)
  const use = async () => await call(app, list.method, list.path, { as: apiKey })
  expect((await use()).status).toBe(200)
  await revokeApiKey(ctx, accountUuid, uuidOf('key', keyId))
  time.monotonicMs += 1000
  const refused = await use()
  expect([refused.status, refused.body.code]).toEqual([401, 'unauthorized'])
  expect(refused.body.detail).toContain('revoked')
})

test('an expired key is rejected from that moment on, even if it was used just before', async () => {
  const { ctx, time } = stillContext()
  await using app = await openTestApp(db, { ctx })
  const { accountId } = await newCustomer(app)
  const expires_at = new Date(time.nowMs + 500).toISOString()
  const made = await call(app, 'POST', `/v1/accounts/${accountId}/api-keys`, {
    as: operatorToken,
    json: { name: 'x', scopes: ['read'], expires_at },
  })
  const use = async () => (await call(app, list.method, list.path, { as: String(made.body.api_key) })).status
  expect(await use()).toBe(200)
  time.nowMs += 500
  expect(await use()).toBe(401)
})

test('a key is not created if its expiry is not in the future', async () => {
  const { ctx, time } = stillContext()
  await using app = await openTestApp(db, { ctx })
  const { accountId } = await newCustomer(app)
  const make = async (aheadMs: number) =>
    await call(app, 'POST', `/v1/accounts/${accountId}/api-keys`, {
      as: operatorToken,
      json: { name: 'x', scopes: ['read'], expires_at: new Date(time.nowMs + aheadMs).toISOString() },
    })
  const refused = await make(0)
  expect([refused.status, refused.body.code]).toEqual([422, 'validation_failed'])
  expect(refused.body.errors).toEqual([{ path: '/expires_at', message: 'must be in the future' }])
  expect((await make(1)).status).toBe(201)
})

test('a key shows when it was last used', async () => {
  await using app = await openTestApp(db)
  const { apiKey, accountId } = await newCustomer(app)
  await call(app, list.method, list.path, { as: apiKey })
  await expect
    .poll(
      async () =>
        (await call(app, 'GET', `/v1/accounts/${accountId}/api-keys`, { as: operatorToken })).body.data,
    )
    .toMatchObject([{ last_used_at: expect.any(String) }])
})

test('an account may send bursts of twice its rate, and a rejected request says when to retry', async () => {
  const { ctx, time } = stillContext()
  await using app = await openTestApp(db, { ctx, rateLimitPerSecond: 2 })
  const [one, two] = [await newCustomer(app), await newCustomer(app)]
  const use = async (as: string) => await call(app, list.method, list.path, { as })
  const burst = [await use(one.apiKey), await use(one.apiKey), await use(one.apiKey), await use(one.apiKey)]
  expect(burst.map(answer => answer.headers['ratelimit-remaining'])).toEqual(['3', '2', '1', '0'])
  expect(burst[0]?.headers).toMatchObject({ 'ratelimit-limit': '4', 'ratelimit-reset': '1' })

  const refused = await use(one.apiKey)
  expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
    429,
    'rate_limited',
    '1',
  ])
  expect(refused.headers['ratelimit-remaining']).toBe('0')
  expect((await use(two.apiKey)).status).toBe(200)
  // a customer cannot get more requests by creating keys
  const another = await createApiKey(ctx, one.accountUuid, { name: 'another', scopes: ['read'] })
  expect((await use(another.api_key ?? '')).status).toBe(429)
  time.monotonicMs += 500
  expect([(await use(one.apiKey)).status, (await use(one.apiKey)).status]).toEqual([200, 429])
})

test('neither the operator nor outcome reports are rate limited', async () => {
  const { ctx } = stillContext()
  const nothing = { accepted: 0, events: [], ignored: [] }
  const intake: OutcomeIntake = {
    group: async () => nothing,
    within: async () => ({ answer: nothing, afterCommit: () => {} }),
    runInLane: async (_outcomes, _bytes, transaction) => await transaction(),
  }
  await using app = await openTestApp(db, { ctx, rateLimitPerSecond: 1, intake })
  const { apiKey } = await newCustomer(app)
  const outcome = { type: 'email.delivered', data: { email_id: 'a', to: ['a@b.c'] } }
  for (let i = 0; i < 5; i++) {
    expect((await call(app, 'GET', '/v1/accounts', { as: operatorToken })).status).toBe(200)
    const answer = await call(app, 'POST', '/v1/outcomes', { as: apiKey, json: outcome })
    expect([answer.status, answer.headers['ratelimit-limit']]).toEqual([202, undefined])
  }
})

/** A context whose queries fail from some time on. */
function failingContext(): { ctx: VerbContext; fail: (error: Error) => void } {
  let failure: Error | null = null
  const query = async (...asked: Parameters<Database['query']>): Promise<unknown[]> => {
    if (failure !== null) throw failure
    return await db.query(...asked)
  }
  const ctx = { ...verbContext(db), db: { ...db, query } as Database }
  return { ctx, fail: error => (failure = error) }
}

test('an unavailable database returns 503 with a Retry-After header', async () => {
  const { ctx, fail } = failingContext()
  await using app = await openTestApp(db, { ctx })
  fail(new DatabaseUnavailableError('gone'))
  const answer = await call(app, 'GET', '/v1/accounts', { as: operatorToken })
  expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([
    503,
    'database_unavailable',
    '2',
  ])
  expect(app.logged).toEqual([])
})

test('an unexpected error goes to the log and not into the response', async () => {
  const { ctx, fail } = failingContext()
  await using app = await openTestApp(db, { ctx })
  fail(new Error('column "secret" is 42'))
  const answer = await call(app, 'GET', '/v1/accounts', { as: operatorToken })
  expect([answer.status, answer.body.code]).toEqual([500, 'internal_error'])
  expect(JSON.stringify(answer.body)).not.toContain('column')
  expect(app.logged).toMatchObject([
    { request_id: answer.body.request_id, err: { message: 'column "secret" is 42' } },
  ])
})

test.each([
  ['with spaces inside', 'three words and  two spaces, long enough'],
  ['that is not ASCII', 'Schlüssel € für den Betrieb, lang genug 🔑'],
  ['that looks like a session token', `phs_${'a'.repeat(43)}`],
  ['that begins like an API key', `phk_${'a'.repeat(36)}`],
])("an operator token %s opens the operator's pages, and a typo in it opens nothing", async (_, token) => {
  await using app = await openTestApp(db, { operatorToken: token })
  // HTTP headers are latin1, so each byte is one character
  const use = async (credential: string) =>
    await call(app, 'GET', '/v1/accounts', { as: Buffer.from(credential).toString('latin1') })
  expect((await use(token)).status).toBe(200)
  expect((await use(token.slice(0, -2))).status).toBe(401)
})
