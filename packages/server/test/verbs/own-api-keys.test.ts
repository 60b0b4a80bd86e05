import type { ApiKey, ApiKeyCreated, AuditEntry, ExchangedSession } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey } from '../../src/api-keys/create-api-key.ts'
import type { Database } from '../../src/db/database.ts'
import { movingClock } from '../http/moving-clock.ts'
import { exchange, newPortalLink, signIn } from '../http/sign-in.ts'
import { type Answer, call, newCustomer, openTestApp, operatorToken, type TestApp } from '../http/test-app.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'

describe.each(verbBackends())('API keys of the own account on $name', backend => {
  let db: Database
  let app: TestApp
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    app = await openTestApp(db)
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  const list = async (as: string, query = ''): Promise<{ data: ApiKey[]; next_cursor: string | null }> => {
    const { status, body } = await call(app, 'GET', `/v1/api-keys${query}`, { as })
    expect(status).toBe(200)
    return body as never
  }
  const create = async (as: string, json: object, at = app): Promise<Answer> =>
    await call(at, 'POST', '/v1/api-keys', { as, json: { name: 'colleague', ...json } })
  const created = async (as: string, json: object): Promise<ApiKeyCreated & { api_key: string }> => {
    const answer = await create(as, json)
    expect([answer.status, answer.body['detail']]).toEqual([201, undefined])
    return answer.body as never
  }
  const revoke = async (as: string, id: string): Promise<Answer> =>
    await call(app, 'DELETE', `/v1/api-keys/${id}`, { as })
  const works = async (as: string): Promise<boolean> =>
    (await call(app, 'GET', '/v1/webhooks', { as })).status === 200
  const problem = ({ status, body }: Answer): [number, string | undefined] => [status, body.code]
  /** A key of an existing account, from the operator. */
  const keyOf = async (accountId: string, json: object): Promise<ApiKeyCreated & { api_key: string }> =>
    (
      await call(app, 'POST', `/v1/accounts/${accountId}/api-keys`, {
        as: operatorToken,
        json: { name: 'from the operator', ...json },
      })
    ).body as never
  const portal = async (accountId: string, wishes: object): Promise<{ id: string; as: string }> => {
    const link = await newPortalLink(app, { account_id: accountId, ...wishes })
    const { body } = await exchange(app, link, true)
    return { id: link.id, as: (body as unknown as ExchangedSession).access_token ?? '' }
  }
  const laterBy = (ms: number): string => new Date(Date.now() + ms).toISOString()
  const hourMs = 3_600_000

  test('are listed in pages, including revoked ones, and without the keys themselves', async () => {
    const acme = await newCustomer(app, ['read'])
    await newCustomer(app)
    const path = `/v1/accounts/${acme.accountId}/api-keys`
    const json = { name: 'worker', scopes: ['ingest'] }
    const { body: second } = await call(app, 'POST', path, { as: operatorToken, json })
    expect((await call(app, 'DELETE', `${path}/${second.id}`, { as: operatorToken })).status).toBe(204)

    const { data } = await list(acme.apiKey)
    expect(data).toMatchObject([
      { id: second.id, name: 'worker', scopes: ['ingest'], revoked_at: expect.any(String) },
      { id: acme.keyId, scopes: ['read'], revoked_at: null },
    ])
    expect(JSON.stringify(data)).not.toContain(acme.apiKey)
    const first = await list(acme.apiKey, '?limit=1')
    expect(first.data).toEqual(data.slice(0, 1))
    const rest = await list(acme.apiKey, `?limit=1&cursor=${first.next_cursor}`)
    expect(rest.data.map(({ id }) => id)).toEqual([acme.keyId])
  })

  test('are forbidden to a key without the read scope, and to the operator', async () => {
    const sender = await newCustomer(app, ['send', 'ingest'])
    for (const as of [sender.apiKey, operatorToken]) {
      expect((await call(app, 'GET', '/v1/api-keys', { as })).status).toBe(403)
    }
  })

  test('a customer creates a key that works at once, and revokes it', async () => {
    const acme = await newCustomer(app)
    const made = await created(acme.apiKey, { scopes: ['read', 'send'], expires_at: laterBy(hourMs) })
    expect(made).toMatchObject({
      name: 'colleague',
      scopes: ['read', 'send'],
      created_by: { kind: 'api_key', api_key_id: acme.keyId, portal_session_id: null },
    })
    expect(await works(made.api_key)).toBe(true)
    const { api_key: _, ...shown } = made
    await until('its use is recorded', async () => (await list(acme.apiKey)).data[0]?.last_used_at != null)
    expect((await list(acme.apiKey)).data[0]).toMatchObject({ ...shown, last_used_at: expect.any(String) })

    app.waits.length = 0
    expect((await revoke(acme.apiKey, made.id)).status).toBe(204)
    // requests that were admitted before the revocation are answered during this wait
    expect(app.waits).toEqual([1010])
    expect((await list(acme.apiKey)).data[0]?.revoked_at).toEqual(expect.any(String))
    expect((await revoke(acme.apiKey, made.id)).status).toBe(204)
  })

  test('a key is shown once: a repeated request with the same Idempotency-Key gets null and makes no second key', async () => {
    const acme = await newCustomer(app)
    const ask = async () =>
      await call(app, 'POST', '/v1/api-keys', {
        as: acme.apiKey,
        json: { name: 'once', scopes: ['read'] },
        headers: { 'idempotency-key': 'the same' },
      })
    const [first, again] = [await ask(), await ask()]
    expect(first.body['api_key']).toMatch(/^phk_/)
    expect([again.status, again.body]).toEqual([201, { ...first.body, api_key: null }])
    expect((await list(acme.apiKey)).data).toHaveLength(2)
    const kept = await db.query<{ text: string }>(
      `select api_key::text as text from api_key
       union all select idempotency_key::text from idempotency_key
       union all select audit_entry::text from audit_entry`,
    )
    expect(kept.filter(({ text }) => text.includes(String(first.body['api_key'])))).toEqual([])
  })

  test.each([['send'], ['keys']] as const)(
    'without the scope %s, nobody creates or revokes',
    async lacking => {
      const acme = await newCustomer(app)
      const scopes = ['read', 'send', 'ingest', 'keys'].filter(scope => scope !== lacking)
      const { api_key: as } = await keyOf(acme.accountId, { scopes })
      const refused = await create(as, { scopes: ['read'] })
      expect(problem(refused)).toEqual([403, 'insufficient_scope'])
      expect(refused.body['detail']).toContain('the scopes send and keys')
      expect(problem(await revoke(as, acme.keyId))).toEqual([403, 'insufficient_scope'])
      expect(await works(acme.apiKey)).toBe(true)
      expect((await list(as)).data).toHaveLength(2)
    },
  )

  test('the operator uses the routes of the account instead', async () => {
    const acme = await newCustomer(app)
    expect(problem(await create(operatorToken, { scopes: ['read'] }))).toEqual([403, 'insufficient_scope'])
    expect(problem(await revoke(operatorToken, acme.keyId))).toEqual([403, 'insufficient_scope'])
  })

  test('nobody grants a scope that they do not have', async () => {
    const acme = await newCustomer(app, ['send', 'keys'])
    for (const scopes of [['read'], ['ingest'], ['send', 'keys', 'read']]) {
      const refused = await create(acme.apiKey, { scopes })
      expect(problem(refused)).toEqual([403, 'insufficient_scope'])
      expect(refused.body['detail']).toContain('scopes that you have: send, keys')
    }
    const child = await created(acme.apiKey, { scopes: ['send', 'keys'] })
    expect(problem(await create(child.api_key, { scopes: ['read'] }))).toEqual([403, 'insufficient_scope'])
    expect((await created(child.api_key, { scopes: ['send'] })).created_by.api_key_id).toBe(child.id)
  })

  test('a key that expires creates only keys that expire no later', async () => {
    const acme = await newCustomer(app)
    const end = laterBy(hourMs)
    const { api_key: as } = await keyOf(acme.accountId, { scopes: ['read', 'send', 'keys'], expires_at: end })
    for (const expires_at of [null, laterBy(2 * hourMs)]) {
      const refused = await create(as, { scopes: ['read'], expires_at })
      expect(problem(refused)).toEqual([422, 'validation_failed'])
      expect(refused.body.errors).toMatchObject([
        { path: '/expires_at', message: expect.stringContaining(end) },
      ])
    }
    expect((await created(as, { scopes: ['read'], expires_at: end })).expires_at).toBe(end)
    const child = await created(as, { scopes: ['read', 'send', 'keys'] })
    expect(child.expires_at).toBe(end)
    expect((await created(child.api_key, { scopes: ['read'] })).expires_at).toBe(end)
    expect((await created(acme.apiKey, { scopes: ['read'] })).expires_at).toBeNull()
    expect(problem(await create(as, { scopes: ['read'], expires_at: laterBy(-hourMs) }))).toEqual([
      422,
      'validation_failed',
    ])
  })

  test('a dashboard session has the scopes and the expiry of its key, and says so', async () => {
    const acme = await newCustomer(app)
    const end = laterBy(30 * 24 * hourMs)
    const key = await keyOf(acme.accountId, { scopes: ['read', 'send', 'keys'], expires_at: end })
    const { ask, session } = await signIn(app, key.api_key)
    expect(session).toMatchObject({ api_key_id: key.id, keys_expire_by: end })
    // later than the session itself, which ends within days
    const json = { name: 'app', scopes: ['read'], expires_at: end }
    const made = await ask('POST', '/v1/api-keys', { json })
    expect(made.body).toMatchObject({ expires_at: end, created_by: { api_key_id: key.id } })
    const longer = await ask('POST', '/v1/api-keys', { json: { ...json, expires_at: null } })
    expect(problem(longer)).toEqual([422, 'validation_failed'])
    const forged = await ask('POST', '/v1/api-keys', { json, headers: { 'x-csrf-token': 'guess' } })
    expect(problem(forged)).toEqual([403, 'csrf_failed'])

    await revoke(acme.apiKey, key.id)
    expect((await ask('POST', '/v1/api-keys', { json })).status).toBe(401)
  })

  test('a portal session creates keys only if its link allows it, and they end with it', async () => {
    const { accountId, keyId } = await newCustomer(app)
    const usual = await portal(accountId, {})
    expect(problem(await create(usual.as, { scopes: ['read'] }))).toEqual([403, 'insufficient_scope'])
    expect(problem(await revoke(usual.as, keyId))).toEqual([403, 'insufficient_scope'])

    const { id, as } = await portal(accountId, { scopes: ['read', 'send', 'keys'] })
    const session = (await call(app, 'GET', '/v1/session', { as })).body
    expect(session).toMatchObject({ api_key_id: null, keys_expire_by: session['expires_at'] })
    for (const wish of [{ expires_at: null }, { expires_at: laterBy(2 * hourMs) }])
      expect(problem(await create(as, { scopes: ['read'], ...wish }))).toEqual([422, 'validation_failed'])
    expect(problem(await create(as, { scopes: ['ingest'] }))).toEqual([403, 'insufficient_scope'])
    expect(await created(as, { scopes: ['read'] })).toMatchObject({
      expires_at: session['expires_at'],
      created_by: { kind: 'portal_session', api_key_id: null, portal_session_id: id },
    })
  })

  test('a link may allow keys that outlast its session', async () => {
    const { accountId } = await newCustomer(app)
    const scopes = ['read', 'send', 'keys']
    const end = laterBy(365 * 24 * hourMs)
    const { as } = await portal(accountId, { scopes, keys_expire_by: end })
    expect((await created(as, { scopes: ['read'], expires_at: end })).expires_at).toBe(end)
    expect(problem(await create(as, { scopes: ['read'], expires_at: null }))).toEqual([
      422,
      'validation_failed',
    ])
    const free = await portal(accountId, { scopes, keys_expire_by: null })
    expect((await created(free.as, { scopes: ['read'] })).expires_at).toBeNull()
  })

  test('a portal link whose keys would have expired already is refused', async () => {
    const { accountId } = await newCustomer(app)
    const json = { account_id: accountId, scopes: ['read', 'send', 'keys'], keys_expire_by: laterBy(-hourMs) }
    const refused = await call(app, 'POST', '/v1/portal-sessions', { as: operatorToken, json })
    expect(problem(refused)).toEqual([422, 'validation_failed'])
    expect(refused.body.errors).toMatchObject([{ path: '/keys_expire_by' }])
  })

  test('nobody revokes a key that has a scope which they do not have', async () => {
    const { accountId, keyId, apiKey } = await newCustomer(app)
    const { as } = await portal(accountId, { scopes: ['read', 'send', 'keys'] })
    const refused = await revoke(as, keyId)
    expect(problem(refused)).toEqual([403, 'insufficient_scope'])
    expect(refused.body['detail']).toContain('This key has ingest.')
    expect(await works(apiKey)).toBe(true)
    const equal = await keyOf(accountId, { scopes: ['read', 'send', 'keys'] })
    expect((await revoke(as, equal.id)).status).toBe(204)
  })

  test('a key may revoke itself, and the keys that it created keep working', async () => {
    const { apiKey, keyId } = await newCustomer(app)
    const child = await created(apiKey, { scopes: ['read'] })
    expect((await revoke(apiKey, keyId)).status).toBe(204)
    expect(await works(child.api_key)).toBe(true)
    const keys = (await list(child.api_key)).data
    expect(keys.filter(key => key.created_by.api_key_id === keyId).map(({ id }) => id)).toEqual([child.id])
  })

  test("another account's key is not found, and neither is one that does not exist", async () => {
    const [mine, other] = [await newCustomer(app), await newCustomer(app)]
    for (const id of [other.keyId, 'key_01h455vb4pex5vsknk084sn02q', 'x'])
      expect(problem(await revoke(mine.apiKey, id))).toEqual([404, 'not_found'])
    expect(await works(other.apiKey)).toBe(true)
  })

  test('the audit log names who created and revoked a key', async () => {
    const { accountId, apiKey, keyId } = await newCustomer(app)
    const { id, as } = await portal(accountId, { scopes: ['read', 'send', 'keys'] })
    const made = await created(as, { scopes: ['read'] })
    await revoke(apiKey, made.id)
    await revoke(apiKey, made.id)
    const log = await call(app, 'GET', `/v1/audit-log?target=${made.id}`, { as: apiKey })
    const entries = log.body['data'] as AuditEntry[]
    expect(entries).toMatchObject([
      {
        action: 'api_key.revoked',
        actor: { kind: 'api_key', api_key_id: keyId },
        request_id: expect.any(String),
      },
      { action: 'api_key.created', actor: { kind: 'portal_session', portal_session_id: id } },
    ])
    expect(JSON.stringify(entries)).not.toContain(made.api_key)
  })

  test('customers create at most a hundred keys, counting those of the last day', async () => {
    const { ctx, pass } = movingClock(db)
    await using moving = await openTestApp(db, { ctx })
    const { accountUuid, apiKey } = await newCustomer(moving)
    const made: ApiKeyCreated[] = []
    for (let count = 1; count < 100; count++)
      made.push(await createApiKey(ctx, accountUuid, { name: 'k', scopes: ['read'] }))
    const refused = await create(apiKey, { scopes: ['read'] }, moving)
    expect(problem(refused)).toEqual([409, 'api_key_limit_reached'])
    await call(moving, 'DELETE', `/v1/api-keys/${made[0]?.id}`, { as: apiKey })
    // a loop that creates and revokes would otherwise fill the table
    expect(problem(await create(apiKey, { scopes: ['read'] }, moving))).toEqual([
      409,
      'api_key_limit_reached',
    ])
    // the rows got their time from the database's clock
    pass(25 * hourMs)
    expect((await create(apiKey, { scopes: ['read'] }, moving)).status).toBe(201)
    expect(problem(await create(apiKey, { scopes: ['read'] }, moving))).toEqual([
      409,
      'api_key_limit_reached',
    ])
  })

  test.each([
    ['name', { name: '', scopes: ['read'] }],
    ['scopes', { scopes: [] }],
    ['scopes/0', { scopes: ['admin'] }],
    ['expires_at', { scopes: ['read'], expires_at: 'tomorrow' }],
    ['account_id', { scopes: ['read'], account_id: 'acct_01h455vb4pex5vsknk084sn02q' }],
  ])('%s with an invalid value is rejected: %j', async (path, json) => {
    const answer = await create((await newCustomer(app)).apiKey, json)
    expect(problem(answer)).toEqual([422, 'validation_failed'])
    expect(answer.body.errors?.map(error => error.path)).toContain(`/${path}`)
  })
})
