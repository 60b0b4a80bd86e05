import { exchangedSession, type PortalSession, portalSessionCreated } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { purgeSessions } from '../../src/maintenance/purge-sessions.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { movingClock } from './moving-clock.ts'
import { exchange, loopback, newPortalLink, openPortal, signedIn, signIn } from './sign-in.ts'
import { type Answer, call, newCustomer, openTestApp, operatorToken, type TestApp } from './test-app.ts'

describe.each(verbBackends())('portal sessions on $name', backend => {
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

  const create = async (json: object, headers = {}): Promise<Answer> =>
    await call(app, 'POST', '/v1/portal-sessions', { as: operatorToken, json, headers })
  const problem = ({ status, body }: Answer): [number, string | undefined] => [status, body.code]

  test('a link is shown once, with its secret in the URL fragment and stored nowhere', async () => {
    const { accountId } = await newCustomer(app)
    const first = await create({ account_id: accountId }, { 'idempotency-key': accountId })
    expect(portalSessionCreated.parse(first.body)).toEqual(first.body)
    expect(first.body).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4100\/portal\/pses_\w{26}#phl_[\w-]{43}$/),
      account_id: accountId,
      scopes: ['read', 'send'],
      allowed_origins: [],
      exchanged_at: null,
      revoked_at: null,
    })
    const lifeMs = Date.parse(String(first.body['expires_at'])) - Date.parse(String(first.body['created_at']))
    expect(lifeMs).toBe(3_600_000)

    const again = await create({ account_id: accountId }, { 'idempotency-key': accountId })
    expect(again.body).toEqual({ ...first.body, url: null })
    const listed = await call(app, 'GET', `/v1/portal-sessions?account_id=${accountId}`, {
      as: operatorToken,
    })
    const { url: _, ...shown } = first.body
    expect(listed.body['data']).toEqual([shown])
    const kept = await db.query<{ text: string }>(
      `select portal_session::text as text from portal_session
       union all select idempotency_key::text from idempotency_key
       union all select audit_entry::text from audit_entry`,
    )
    expect(kept.filter(({ text }) => /phl_|70686c5f/.test(text))).toEqual([])
  })

  test('in a frame, a link opens a session with a bearer token and sets no cookie', async () => {
    const { accountId } = await newCustomer(app)
    const link = await newPortalLink(app, {
      account_id: accountId,
      name: 'Acme mail',
      logo_url: 'https://cdn.example/logo.svg',
      allowed_origins: ['https://app.example'],
    })
    const opened = await exchange(app, link, true)
    expect(exchangedSession.parse(opened.body)).toEqual(opened.body)
    expect(opened.headers['set-cookie']).toBeUndefined()
    expect(opened.body).toMatchObject({
      id: link.id,
      kind: 'portal',
      account: { id: accountId },
      scopes: ['read', 'send'],
      name: 'Acme mail',
      portal: { name: 'Acme mail', logo_url: 'https://cdn.example/logo.svg' },
      access_token: expect.stringMatching(/^phs_/),
    })
    const as = String(opened.body['access_token'])
    expect((await call(app, 'GET', '/v1/session', { as })).body).toMatchObject({ id: link.id })
    const made = await call(app, 'POST', '/v1/webhooks', { as, json: { url: 'https://a.example/' } })
    expect(made.status).toBe(201)
    const cookie = `posthorn=${as}`
    expect((await call(app, 'GET', '/v1/session', { headers: { ...loopback, cookie } })).status).toBe(401)
  })

  test('outside a frame, a link opens a session with a cookie that needs the CSRF token', async () => {
    const { accountId } = await newCustomer(app)
    const opened = await exchange(app, await newPortalLink(app, { account_id: accountId }), false)
    expect(opened.body['access_token']).toBeNull()
    const { ask } = signedIn(app, opened)
    const json = { url: 'https://a.example/' }
    expect((await ask('POST', '/v1/webhooks', { json })).status).toBe(201)
    const forged = await ask('POST', '/v1/webhooks', { json, headers: { 'x-csrf-token': 'guess' } })
    expect(problem(forged)).toEqual([403, 'csrf_failed'])
  })

  test('a link works only once, even for concurrent requests', async () => {
    const { accountId } = await newCustomer(app)
    const link = await newPortalLink(app, { account_id: accountId })
    const answers = await Promise.all([1, 2, 3].map(async () => await exchange(app, link, true)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410, 410])
    const late = await exchange(app, link, false)
    expect([problem(late), late.headers['set-cookie']]).toEqual([[410, 'portal_link_ended'], undefined])
  })

  test('wrong, unknown, revoked and expired links get the same response', async () => {
    const { ctx, pass } = movingClock(db)
    await using moving = await openTestApp(db, { ctx })
    const { accountId } = await newCustomer(moving)
    const newLink = async () => await newPortalLink(moving, { account_id: accountId, expires_in_seconds: 60 })
    const [wrong, unknown, revoked, expired] = [
      await newLink(),
      await newLink(),
      await newLink(),
      await newLink(),
    ]
    await call(moving, 'DELETE', `/v1/portal-sessions/${revoked.id}`, { as: operatorToken })
    const ended = [
      await exchange(moving, { ...wrong, token: `phl_${'x'.repeat(43)}` }, true),
      await exchange(moving, { ...unknown, id: 'pses_01h455vb4pex5vsknk084sn02q' }, true),
      await exchange(moving, { ...unknown, id: wrong.id }, true),
      await exchange(moving, revoked, true),
    ]
    pass(60_000)
    ended.push(await exchange(moving, expired, true))
    for (const answer of ended) {
      expect(problem(answer)).toEqual([410, 'portal_link_ended'])
      expect(answer.body['detail']).toBe(ended[0]?.body['detail'])
    }
  })

  test('guesses at the secret of a link are rate limited', async () => {
    const { ctx } = movingClock(db)
    await using held = await openTestApp(db, { ctx })
    const link = await newPortalLink(held, { account_id: (await newCustomer(held)).accountId })
    for (let count = 0; count < 20; count++) await exchange(held, { ...link, token: 'guess' }, true)
    expect(problem(await exchange(held, link, true))).toEqual([429, 'rate_limited'])
  })

  test('a page of another site cannot open a link in a user’s browser', async () => {
    const link = await newPortalLink(app, { account_id: (await newCustomer(app)).accountId })
    const answer = await call(app, 'POST', `/v1/portal-sessions/${link.id}/exchange`, {
      json: { token: link.token, embedded: false },
      headers: { ...loopback, origin: 'https://evil.example' },
    })
    expect(problem(answer)).toEqual([403, 'csrf_failed'])
    expect((await exchange(app, link, false)).status).toBe(200)
  })

  test('a session ends with its link, or at once if the link is revoked or the account deleted', async () => {
    const { ctx, pass } = movingClock(db)
    await using moving = await openTestApp(db, { ctx })
    const { accountId } = await newCustomer(moving)
    const status = async (as: string) => (await call(moving, 'GET', '/v1/webhooks', { as })).status
    const open = async (): Promise<{ id: string; as: string }> => {
      const link = await newPortalLink(moving, { account_id: accountId, expires_in_seconds: 120 })
      const { body } = await exchange(moving, link, true)
      return { id: link.id, as: String(body['access_token']) }
    }
    const [expiring, revoked] = [await open(), await open()]
    expect([await status(expiring.as), await status(revoked.as)]).toEqual([200, 200])
    expect(
      (await call(moving, 'DELETE', `/v1/portal-sessions/${revoked.id}`, { as: operatorToken })).status,
    ).toBe(204)
    // requests that were admitted before the revocation are answered during this wait
    expect(moving.waits).toEqual([1010])
    pass(119_999)
    expect([await status(expiring.as), await status(revoked.as)]).toEqual([200, 401])
    pass(1)
    expect(await status(expiring.as)).toBe(401)

    const orphan = await open()
    const link = await newPortalLink(moving, { account_id: accountId })
    await call(moving, 'DELETE', `/v1/accounts/${accountId}`, { as: operatorToken })
    expect(await status(orphan.as)).toBe(401)
    expect(problem(await exchange(moving, link, true))).toEqual([410, 'portal_link_ended'])
  })

  test('a portal session has only the scopes of its link, and only in its account', async () => {
    const [mine, other] = [await newCustomer(app), await newCustomer(app)]
    const theirs = await call(app, 'POST', '/v1/webhooks', {
      as: other.apiKey,
      json: { url: 'https://a.example/' },
    })
    const as = await openPortal(app, mine.accountId)
    expect((await call(app, 'GET', `/v1/webhooks/${theirs.body.id}`, { as })).status).toBe(404)
    const paths = [
      '/v1/accounts',
      `/v1/accounts/${mine.accountId}/api-keys`,
      '/v1/portal-sessions',
      '/v1/backup',
    ]
    for (const path of paths)
      expect([path, ...problem(await call(app, 'GET', path, { as }))]).toEqual([
        path,
        403,
        'insufficient_scope',
      ])
    const outcome = { type: 'email.delivered', data: { email_id: 'a', to: ['a@b.c'] } }
    expect(problem(await call(app, 'POST', '/v1/outcomes', { as, json: outcome }))).toEqual([
      403,
      'insufficient_scope',
    ])
    const reader = await newPortalLink(app, { account_id: mine.accountId, scopes: ['read'] })
    const { body } = await exchange(app, reader, true)
    const written = await call(app, 'POST', '/v1/webhooks', {
      as: String(body['access_token']),
      json: { url: 'https://a.example/' },
    })
    expect(problem(written)).toEqual([403, 'insufficient_scope'])
  })

  test('the audit log names the portal session that made a change', async () => {
    const { accountId } = await newCustomer(app)
    const link = await newPortalLink(app, { account_id: accountId })
    const { body } = await exchange(app, link, true)
    const as = String(body['access_token'])
    await call(app, 'POST', '/v1/webhooks', { as, json: { url: 'https://a.example/' } })
    const log = await call(app, 'GET', '/v1/audit-log?action=webhook.created', { as })
    expect(log.body['data']).toMatchObject([
      { actor: { kind: 'portal_session', api_key_id: null, portal_session_id: link.id } },
    ])
  })

  test('only the operator can create, list and revoke them', async () => {
    const { apiKey, accountId } = await newCustomer(app)
    const { ask } = await signIn(app, apiKey)
    for (const [method, path] of [
      ['POST', '/v1/portal-sessions'],
      ['GET', '/v1/portal-sessions'],
      ['DELETE', `/v1/portal-sessions/${(await newPortalLink(app, { account_id: accountId })).id}`],
    ] as const)
      expect(problem(await ask(method, path))).toEqual([403, 'insufficient_scope'])
  })

  test('are listed newest first, for one account or for all, until a month after they end', async () => {
    const { ctx, pass } = movingClock(db)
    await using moving = await openTestApp(db, { ctx })
    const { accountId } = await newCustomer(moving)
    const made: string[] = []
    for (let count = 0; count < 3; count++)
      made.unshift((await newPortalLink(moving, { account_id: accountId })).id)
    const list = async (query: string): Promise<string[]> => {
      const { body } = await call(moving, 'GET', `/v1/portal-sessions?${query}`, { as: operatorToken })
      return (body['data'] as PortalSession[]).map(({ id }) => id)
    }
    expect(await list(`account_id=${accountId}`)).toEqual(made)
    expect((await list('limit=250')).filter(id => made.includes(id))).toEqual(made)
    pass(3_600_000 + 30 * 86_400_000 - 1)
    await purgeSessions(ctx.db, ctx.clock.nowMs())
    expect(await list(`account_id=${accountId}`)).toEqual(made)
    pass(1)
    await purgeSessions(ctx.db, ctx.clock.nowMs())
    expect(await list(`account_id=${accountId}`)).toEqual([])
  })

  test.each([
    ['scopes/0', { scopes: ['ingest'] }],
    ['scopes', { scopes: [] }],
    ['expires_in_seconds', { expires_in_seconds: 59 }],
    ['expires_in_seconds', { expires_in_seconds: 86_401 }],
    ['allowed_origins/0', { allowed_origins: ['http://app.example'] }],
    ['allowed_origins/0', { allowed_origins: ['https://app.example/'] }],
    ['allowed_origins/0', { allowed_origins: ['https://*.example'] }],
    ['allowed_origins/0', { allowed_origins: ['*'] }],
    ['allowed_origins/0', { allowed_origins: ["https://app.example; script-src 'unsafe-inline'"] }],
    ['allowed_origins/0', { allowed_origins: ['https://a;sandbox'] }],
    ['allowed_origins/0', { allowed_origins: ['https://a,b.example'] }],
    ['allowed_origins', { allowed_origins: Array.from({ length: 11 }, () => 'https://a.example') }],
    ['logo_url', { logo_url: 'http://cdn.example/logo.svg' }],
    ['logo_url', { logo_url: 'https://cdn.example;x/logo.svg' }],
    ['logo_url', { logo_url: 'data:image/svg+xml,x' }],
    ['name', { name: '' }],
  ])('%s with an invalid value is rejected: %j', async (path, input) => {
    const answer = await create({ account_id: (await newCustomer(app)).accountId, ...input })
    expect(problem(answer)).toEqual([422, 'validation_failed'])
    expect(answer.body.errors?.map(error => error.path)).toContain(`/${path}`)
  })

  test('a link for an account that does not exist is not created', async () => {
    const answer = await create({ account_id: 'acct_01h455vb4pex5vsknk084sn02q' })
    expect(problem(answer)).toEqual([404, 'not_found'])
  })
})
