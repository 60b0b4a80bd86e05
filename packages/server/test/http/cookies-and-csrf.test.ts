import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, DatabaseUnavailableError } from '../../src/db/database.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { verbContext } from '../verbs/verb-context.ts'
import { movingClock } from './moving-clock.ts'
import { loopback, signIn, signedIn } from './sign-in.ts'
import { type Answer, call, newCustomer, openTestApp, operatorToken, type TestApp } from './test-app.ts'

let db: Database
let local: TestApp
let open: TestApp
beforeAll(async () => {
  db = await openTestDatabase(embedded)
  local = await openTestApp(db)
  const ctx = verbContext(db)
  const outside = { ...ctx.outside, publicUrl: () => 'https://mail.example.com' }
  open = await openTestApp(db, { ctx: { ...ctx, outside } })
})
afterAll(async () => {
  await local[Symbol.asyncDispose]()
  await open[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

const publicly = { host: 'mail.example.com', origin: 'https://mail.example.com' }

async function post(app: TestApp, headers: Record<string, string>): Promise<Answer> {
  return await call(app, 'POST', '/v1/sessions', { json: { credential: operatorToken }, headers })
}

describe('the cookie', () => {
  test('over HTTPS is limited to this host, hidden from scripts, and never sent with cross-site requests', async () => {
    const { headers } = await post(open, publicly)
    expect(headers['set-cookie']).toMatch(
      /^__Host-posthorn=phs_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43\d{3}; Secure$/,
    )
  })

  test('stays the same behind a proxy that changes the host name, because the browser sends the page’s origin', async () => {
    for (const host of ['posthorn:4100', '127.0.0.1:4100']) {
      const { status, headers } = await post(open, { ...publicly, host })
      expect([host, status, String(headers['set-cookie']).split('=')[0]]).toEqual([
        host,
        201,
        '__Host-posthorn',
      ])
    }
  })

  test.each(['127.0.0.1:4100', 'localhost:4100', '[::1]:4100', 'LOCALHOST'])(
    'on the local machine, at %s, has neither Secure nor the prefix, which Safari would reject there',
    async host => {
      for (const app of [local, open]) {
        const { headers } = await post(app, { host })
        expect(headers['set-cookie']).toMatch(
          /^posthorn=phs_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43\d{3}$/,
        )
      }
    },
  )

  test('over plain HTTP from another host is not set, and the response says where to sign in', async () => {
    for (const host of [
      '10.0.0.5:4100',
      'posthorn.local',
      'localhost.example.com',
      '127.0.0.1.example.com',
    ]) {
      const answer = await post(local, { host })
      expect([host, answer.status, answer.body.code]).toEqual([host, 403, 'https_required'])
      expect(answer.body['detail']).toContain('POSTHORN_PUBLIC_URL')
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    for (const headers of [{ host: '10.0.0.5:4100' }, { ...publicly, origin: 'http://mail.example.com' }]) {
      const answer = await post(open, headers)
      expect([answer.status, answer.body.code]).toEqual([403, 'https_required'])
      expect(answer.body['detail']).toContain('Open https://mail.example.com')
    }
  })

  test('without the prefix is accepted only on the local machine', async () => {
    const { cookie } = await signIn(local, operatorToken)
    const get = async (headers: object): Promise<number> =>
      (await call(open, 'GET', '/v1/session', { headers: { cookie, ...headers } })).status
    expect(await get(loopback)).toBe(200)
    // a page on a sibling domain could set this cookie
    expect(await get(publicly)).toBe(401)
    const prefixed = cookie.replace('posthorn=', '__Host-posthorn=')
    expect(await get({ ...publicly, cookie: `a=b; ${prefixed}; c="d"` })).toBe(200)
  })

  test('is ignored if there is an Authorization header', async () => {
    const { cookie } = await signIn(local, operatorToken)
    const { apiKey } = await newCustomer(local)
    const answer = await call(local, 'GET', '/v1/accounts', { as: apiKey, headers: { ...loopback, cookie } })
    expect(answer.status).toBe(403)
  })
})

describe('a cross-site request', () => {
  const refusedCode = async (headers: Record<string, string | undefined>): Promise<string | undefined> => {
    const { cookie, session } = await signIn(local, operatorToken)
    const all = { ...loopback, cookie, 'x-csrf-token': session.csrf_token, ...headers }
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    const { body } = await call(local, 'POST', '/v1/accounts', {
      json: { name: 'Evil' },
      headers: sent as Record<string, string>,
    })
    return body.code
  }

  test('is rejected without the CSRF token or with the token of another session', async () => {
    expect(await refusedCode({ 'x-csrf-token': undefined })).toBe('csrf_failed')
    expect(await refusedCode({ 'x-csrf-token': '' })).toBe('csrf_failed')
    const { session: another } = await signIn(local, operatorToken)
    expect(await refusedCode({ 'x-csrf-token': another.csrf_token })).toBe('csrf_failed')
    expect(await refusedCode({})).toBeUndefined()
  })

  test('is rejected from another origin, even with the token', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:9', 'https://127.0.0.1:4100'])
      expect([origin, await refusedCode({ origin })]).toEqual([origin, 'csrf_failed'])
    expect(await refusedCode({ origin: undefined })).toBeUndefined()
  })

  test('in the format of a form is rejected before its content is checked', async () => {
    const { cookie } = await signIn(local, operatorToken)
    const answer = await call(local, 'POST', '/v1/accounts', {
      payload: 'name=Evil',
      headers: { ...loopback, cookie, 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([answer.status, answer.body.code]).toEqual([403, 'csrf_failed'])
  })

  test('needs no token if it has a credential in a header or only reads', async () => {
    const { cookie } = await signIn(local, operatorToken)
    const named = await call(local, 'POST', '/v1/accounts', { as: operatorToken, json: { name: 'Fine' } })
    expect(named.status).toBe(201)
    const read = await call(local, 'GET', '/v1/accounts', { headers: { ...loopback, cookie } })
    expect(read.status).toBe(200)
  })

  test('cannot sign a user in with someone else’s credential', async () => {
    const foreign = await post(local, { ...loopback, origin: 'https://evil.example' })
    expect([foreign.status, foreign.body.code]).toEqual([403, 'csrf_failed'])
    const form = await call(local, 'POST', '/v1/sessions', {
      payload: JSON.stringify({ credential: operatorToken }),
      headers: { ...loopback, 'content-type': 'text/plain' },
    })
    expect([form.status, form.headers['set-cookie']]).toEqual([415, undefined])
  })
})

describe('sign-ins', () => {
  const attempt = async (app: TestApp, credential: string, headers: object): Promise<Answer> =>
    await call(app, 'POST', '/v1/sessions', { json: { credential }, headers: { ...publicly, ...headers } })

  test('that fail are rate limited after twenty in a minute, by the address that the proxy reports', async () => {
    const { ctx, pass } = movingClock(db)
    await using app = await openTestApp(db, {
      ctx: { ...ctx, outside: { ...ctx.outside, publicUrl: () => publicly.origin } },
    })
    const evil = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' }
    for (let count = 0; count < 20; count++) expect((await attempt(app, 'guess', evil)).status).toBe(401)
    const held = await attempt(app, operatorToken, evil)
    expect([held.status, held.body.code, held.headers['retry-after']]).toEqual([429, 'rate_limited', '3'])
    // a client must not benefit from what it writes into the header itself
    const disguised = { 'x-forwarded-for': '192.0.2.77, 203.0.113.9' }
    expect((await attempt(app, operatorToken, disguised)).status).toBe(429)
    expect((await attempt(app, operatorToken, { 'x-forwarded-for': '198.51.100.1' })).status).toBe(201)
    pass(3_000)
    expect((await attempt(app, operatorToken, evil)).status).toBe(201)
  })

  test('that fail from many addresses of one IPv6 network count together', async () => {
    const { ctx } = movingClock(db)
    await using app = await openTestApp(db, {
      ctx: { ...ctx, outside: { ...ctx.outside, publicUrl: () => publicly.origin } },
    })
    const from = (address: string) => ({ 'x-forwarded-for': address })
    for (let count = 0; count < 20; count++)
      expect((await attempt(app, 'guess', from(`2001:db8:1:2::${count}`))).status).toBe(401)
    expect((await attempt(app, operatorToken, from('2001:db8:1:2:ffff::1'))).status).toBe(429)
    expect((await attempt(app, operatorToken, from('2001:db8:1:3::1'))).status).toBe(201)
  })

  test('that fail because the database is unavailable are not counted', async () => {
    const { ctx } = movingClock(db)
    const time = { isAway: false }
    const query = async (...asked: Parameters<Database['query']>): Promise<unknown[]> => {
      if (time.isAway) throw new DatabaseUnavailableError('gone')
      return await db.query(...asked)
    }
    await using app = await openTestApp(db, { ctx: { ...ctx, db: { ...db, query } as Database } })
    const { apiKey } = await newCustomer({ ...app, ctx })
    const credential = { json: { credential: apiKey }, headers: loopback }
    time.isAway = true
    for (let count = 0; count < 20; count++)
      expect((await call(app, 'POST', '/v1/sessions', credential)).status).toBe(503)
    time.isAway = false
    // a front notices within a second that the database is back
    const answer = await until('the database answers', async () => {
      const tried = await call(app, 'POST', '/v1/sessions', credential)
      return tried.status === 503 ? undefined : tried
    })
    expect(answer.status).toBe(201)
  })

  test('that succeed are not counted', async () => {
    const { ctx } = movingClock(db)
    await using app = await openTestApp(db, {
      ctx: { ...ctx, outside: { ...ctx.outside, publicUrl: () => publicly.origin } },
    })
    for (let count = 0; count < 30; count++) {
      const answer = await attempt(app, operatorToken, {})
      expect(signedIn(app, answer).session.kind).toBe('operator')
    }
  })
})
