import { session } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { purgeSessions } from '../../src/maintenance/purge-sessions.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { movingClock } from './moving-clock.ts'
import { loopback, signIn } from './sign-in.ts'
import { call, newCustomer, openTestApp, operatorToken, type TestApp } from './test-app.ts'

const hourMs = 3_600_000

describe.each(verbBackends())('sessions on $name', backend => {
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

  const url = 'https://a.example/'

  test('signing in with a key sets a session cookie with the rights of the key', async () => {
    const { apiKey, accountId } = await newCustomer(app, ['read'])
    const { session: made, ask } = await signIn(app, apiKey)
    expect(session.parse(made)).toEqual(made)
    expect(made).toMatchObject({
      kind: 'account',
      account: { id: accountId, name: 'Test', max_endpoints: 10 },
      scopes: ['read'],
      name: 'Test',
      portal: null,
      retention_days: 30,
      header_prefix: 'X-Service',
      version: '0.0.0-test',
    })
    const asked = await ask('GET', '/v1/session')
    expect([asked.status, asked.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(asked.body).toMatchObject({ id: made.id, csrf_token: made.csrf_token })

    expect((await ask('GET', '/v1/webhooks')).status).toBe(200)
    const refused = await ask('POST', '/v1/webhooks', { json: { url } })
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope'])
  })

  test('a session cannot reach another account', async () => {
    const [mine, other] = [await newCustomer(app), await newCustomer(app)]
    const theirs = await call(app, 'POST', '/v1/webhooks', { as: other.apiKey, json: { url } })
    const { ask } = await signIn(app, mine.apiKey)
    expect((await ask('GET', `/v1/webhooks/${theirs.body.id}`)).status).toBe(404)
    const named = await ask('GET', `/v1/audit-log?account_id=${other.accountId}`)
    expect(named.body.code).toBe('account_mismatch')
  })

  test('the audit log names the key of the session', async () => {
    const { apiKey, keyId } = await newCustomer(app)
    const { ask } = await signIn(app, apiKey)
    await ask('POST', '/v1/webhooks', { json: { url } })
    const { body } = await ask('GET', '/v1/audit-log?action=webhook.created')
    expect(body['data']).toMatchObject([{ actor: { kind: 'api_key', api_key_id: keyId } }])
  })

  test('an operator session has the rights of the token but none in an account, and its sign-in is audited', async () => {
    const { session: made, ask } = await signIn(app, ` ${operatorToken}\n`)
    expect(made).toMatchObject({ kind: 'operator', account: null, scopes: [], name: 'operator' })
    expect((await ask('POST', '/v1/accounts', { json: { name: 'New' } })).status).toBe(201)
    const refused = await ask('GET', '/v1/webhooks')
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope'])
    const { body } = await ask('GET', `/v1/audit-log?target=${made.id}`)
    expect(body['data']).toMatchObject([
      { action: 'operator.signed_in', actor: { kind: 'operator' }, request_id: expect.any(String) },
    ])
  })

  test('neither an unknown credential nor a session token can sign in', async () => {
    const { cookie } = await signIn(app, (await newCustomer(app)).apiKey)
    for (const credential of [`phk_${'0'.repeat(36)}`, 'x', cookie.split('=')[1]]) {
      const answer = await call(app, 'POST', '/v1/sessions', { json: { credential }, headers: loopback })
      expect([answer.status, answer.headers['set-cookie']]).toEqual([401, undefined])
    }
  })

  test('a session ends after twelve hours without use, and after a week in any case', async () => {
    const { ctx, pass } = movingClock(db)
    await using moving = await openTestApp(db, { ctx })
    const { apiKey } = await newCustomer(moving)
    const [idle, busy] = [await signIn(moving, apiKey), await signIn(moving, apiKey)]
    const status = async (one: typeof idle) => (await one.ask('GET', '/v1/session')).status
    const startMs = ctx.clock.nowMs()

    pass(12 * hourMs - 1)
    expect(await status(busy)).toBe(200)
    pass(1)
    expect([await status(idle), await status(busy)]).toEqual([401, 200])
    while (ctx.clock.nowMs() - startMs < 7 * 24 * hourMs - 6 * hourMs) {
      pass(6 * hourMs)
      const { body } = await busy.ask('GET', '/v1/session')
      const aheadMs = Date.parse(String(body['idle_expires_at'])) - ctx.clock.nowMs()
      expect(aheadMs).toBe(Math.min(12 * hourMs, startMs + 7 * 24 * hourMs - ctx.clock.nowMs()))
    }
    pass(6 * hourMs - 1)
    expect(await status(busy)).toBe(200)
    pass(1)
    expect(await status(busy)).toBe(401)
  })

  test('an operator session ends after an hour without use, and after twelve hours in any case', async () => {
    const { ctx, pass } = movingClock(db)
    await using moving = await openTestApp(db, { ctx })
    const [idle, busy] = [await signIn(moving, operatorToken), await signIn(moving, operatorToken)]
    const status = async (one: typeof idle) => (await one.ask('GET', '/v1/session')).status
    for (let hours = 0; hours < 12; hours += 0.5) {
      expect(await status(busy)).toBe(200)
      pass(hourMs / 2)
    }
    expect([await status(idle), await status(busy)]).toEqual([401, 401])
  })

  test('the last use is recorded at most once a minute', async () => {
    const { ctx, pass } = movingClock(db)
    await using moving = await openTestApp(db, { ctx })
    const { ask, session: made } = await signIn(moving, (await newCustomer(moving)).apiKey)
    const idleEnd = async () => (await ask('GET', '/v1/session')).body['idle_expires_at']
    pass(59_999)
    expect(await idleEnd()).toBe(made.idle_expires_at)
    pass(1)
    expect(await idleEnd()).toBe(new Date(ctx.clock.nowMs() + 12 * hourMs).toISOString())
  })

  test('a session ends when its key is revoked or expires, or when its account is deleted', async () => {
    const { ctx, pass } = movingClock(db)
    await using moving = await openTestApp(db, { ctx })
    const revoked = await newCustomer(moving)
    const { ask: askRevoked } = await signIn(moving, revoked.apiKey)
    const revoke = `/v1/accounts/${revoked.accountId}/api-keys/${revoked.keyId}`
    await call(moving, 'DELETE', revoke, { as: operatorToken })
    expect((await askRevoked('GET', '/v1/webhooks')).status).toBe(401)

    const { accountId } = await newCustomer(moving)
    const expires_at = new Date(ctx.clock.nowMs() + hourMs).toISOString()
    const key = await call(moving, 'POST', `/v1/accounts/${accountId}/api-keys`, {
      as: operatorToken,
      json: { name: 'short', scopes: ['read'], expires_at },
    })
    const { ask: askExpired, session: made } = await signIn(moving, String(key.body['api_key']))
    expect(made.expires_at).toBe(expires_at)
    pass(hourMs - 1)
    expect((await askExpired('GET', '/v1/webhooks')).status).toBe(200)
    pass(1)
    expect((await askExpired('GET', '/v1/webhooks')).status).toBe(401)

    const deleted = await newCustomer(moving)
    const { ask: askDeleted } = await signIn(moving, deleted.apiKey)
    await call(moving, 'DELETE', `/v1/accounts/${deleted.accountId}`, { as: operatorToken })
    expect((await askDeleted('GET', '/v1/session')).status).toBe(401)
  })

  test('a new operator token ends the sessions of the previous one', async () => {
    const { ask, cookie } = await signIn(app, operatorToken)
    expect((await ask('GET', '/v1/accounts')).status).toBe(200)
    await using later = await openTestApp(db, { operatorToken: `pha_${'u'.repeat(40)}` })
    const answer = await call(later, 'GET', '/v1/accounts', { headers: { ...loopback, cookie } })
    expect(answer.status).toBe(401)
  })

  test('signing out ends the session in every process and deletes the cookie', async () => {
    const { apiKey } = await newCustomer(app)
    const [leaving, staying] = [await signIn(app, apiKey), await signIn(app, apiKey)]
    const answer = await leaving.ask('DELETE', '/v1/session')
    expect([answer.status, answer.headers['set-cookie']]).toEqual([
      204,
      'posthorn=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0',
    ])
    await using other = await openTestApp(db)
    for (const one of [app, other]) {
      const after = await call(one, 'GET', '/v1/session', {
        headers: { ...loopback, cookie: leaving.cookie },
      })
      expect([after.status, after.body['detail']]).toEqual([401, 'Your session ended. Sign in again.'])
    }
    expect((await staying.ask('GET', '/v1/session')).status).toBe(200)
  })

  test('the database stores no token, and a session cookie does not work as a bearer token', async () => {
    const { cookie } = await signIn(app, operatorToken)
    const token = cookie.split('=')[1] ?? ''
    expect(token).toMatch(/^phs_[\w-]{43}$/)
    const rows = await db.query<{ text: string }>('select session::text as text from session')
    expect(rows.length).toBeGreaterThan(0)
    for (const secret of [token, operatorToken]) {
      // bytes appear in hexadecimal
      const readable = [secret, Buffer.from(secret).toString('hex')]
      expect(rows.filter(row => readable.some(text => row.text.includes(text)))).toEqual([])
    }
    expect((await call(app, 'GET', '/v1/accounts', { as: token })).status).toBe(401)
  })

  test('a session shares the rate limit of its key', async () => {
    const { ctx } = movingClock(db)
    await using limited = await openTestApp(db, { ctx, rateLimitPerSecond: 1 })
    const { apiKey } = await newCustomer(limited)
    const { ask } = await signIn(limited, apiKey)
    expect((await ask('GET', '/v1/webhooks')).headers['ratelimit-remaining']).toBe('1')
    expect((await call(limited, 'GET', '/v1/webhooks', { as: apiKey })).status).toBe(200)
    expect((await ask('GET', '/v1/webhooks')).status).toBe(429)
  })

  test('ended sessions are deleted, and the others remain', async () => {
    const { ctx, pass } = movingClock(db)
    await using moving = await openTestApp(db, { ctx })
    const { apiKey, accountUuid } = await newCustomer(moving)
    await signIn(moving, apiKey)
    pass(12 * hourMs)
    await signIn(moving, apiKey)
    await purgeSessions(ctx.db, ctx.clock.nowMs())
    expect(await db.query('select 1 as one from session where account_id = $1', [accountUuid])).toHaveLength(
      1,
    )
  })
})
