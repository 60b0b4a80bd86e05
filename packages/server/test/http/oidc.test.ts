import type { AuditEntry } from '@posthorn/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openOidc } from '../../src/oidc/open-oidc.ts'
import { openIdClient, type OpenIdProvider, openOpenIdProvider } from '../support/openid-provider.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'
import { movingClock } from './moving-clock.ts'
import { loopback, type SignedIn, signedIn } from './sign-in.ts'
import { type Answer, call, openTestApp, operatorToken, type TestApp } from './test-app.ts'

const redirectUri = 'http://127.0.0.1:4100/sign-in/oidc/callback'
const people = { view: ['vera@example.com', 'unverified@example.com'], change: ['chris@example.com'] }

let db: Database
let provider: OpenIdProvider
let app: TestApp

const oidcAt = (issuer: string, more: object = {}) =>
  openOidc({ issuer, ...openIdClient, claim: 'email', people, ...more })

beforeAll(async () => {
  db = await openTestDatabase(embedded)
  provider = await openOpenIdProvider(redirectUri)
  app = await openTestApp(db, { oidc: oidcAt(provider.issuer) })
})

afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

/** A browser that opens the start of the sign-in: where it goes next, and the cookie that it keeps. */
async function begin(on: TestApp = app) {
  const { status, headers } = await call(on, 'GET', '/sign-in/oidc', { headers: loopback })
  const cookie = cookiesOf(headers)[0] ?? ''
  return { status, page: String(headers['location']), line: String(headers['set-cookie']), cookie }
}

async function comeBack({ pathname, search }: URL, cookie: string, on: TestApp = app) {
  const answer = await call(on, 'GET', `${pathname}${search}`, { headers: { ...loopback, cookie } })
  return { ...answer, location: answer.headers['location'], cookies: cookiesOf(answer.headers) }
}

async function signInAs(person: string, on: TestApp = app) {
  const { page, cookie } = await begin(on)
  const url = await provider.signIn(page, person)
  return { url, cookie, answer: await comeBack(url, cookie, on) }
}

/** What the page does after the redirect. */
async function asSession(cookies: string[], on: TestApp = app): Promise<SignedIn> {
  const cookie = cookies.find(one => /^posthorn=./.test(one)) ?? ''
  const answer = await call(on, 'GET', '/v1/session', { headers: { ...loopback, cookie } })
  return { ...signedIn(on, { ...answer, headers: { 'set-cookie': cookie } }) }
}

function cookiesOf(headers: Answer['headers']): string[] {
  return [headers['set-cookie'] ?? []].flat().map(line => String(line).split(';')[0] ?? '')
}

test('a person on the lists signs in at the provider, and the audit log has their name', async () => {
  const { answer } = await signInAs('chris@example.com')
  expect([answer.status, answer.location]).toEqual([302, '/'])
  expect(answer.cookies).toEqual(['posthorn-oidc=', expect.stringMatching(/^posthorn=phs_/)])
  const { session, ask } = await asSession(answer.cookies)
  expect(session).toMatchObject({ kind: 'operator', name: 'chris@example.com', role: 'change' })
  const made = await ask('POST', '/v1/accounts', { json: { name: 'P' } })
  expect(made.status).toBe(201)
  for (const query of [`account_id=${made.body.id}`, `target=${session.id}`]) {
    const { body } = await call(app, 'GET', `/v1/audit-log?limit=1&${query}`, { as: operatorToken })
    const [entry] = body['data'] as AuditEntry[]
    expect(entry?.actor.operator).toEqual({ name: 'chris@example.com', method: 'oidc' })
  }
  const forged = await ask('POST', '/v1/accounts', { json: {}, headers: { 'x-csrf-token': 'guessed' } })
  expect([forged.status, forged.body.code]).toEqual([403, 'csrf_failed'])
})

test('a person with the role view reads only', async () => {
  const { session, ask } = await asSession((await signInAs('vera@example.com')).answer.cookies)
  expect(session.role).toBe('view')
  expect((await ask('GET', '/v1/accounts')).status).toBe(200)
  const refused = await ask('POST', '/v1/accounts', { json: { name: 'P' } })
  expect(refused.body.code).toBe('insufficient_role')
})

test.each([
  ['is on no list', 'mallory@example.com', 'oidc_not_listed'],
  ['has an address that the provider did not verify', 'unverified@example.com', 'oidc_not_listed'],
  ['cancels at the provider', 'nobody', 'oidc_refused'],
])('somebody who %s gets no session', async (_, person, problem) => {
  const { answer } = await signInAs(person)
  expect([answer.status, answer.location]).toEqual([302, `/sign-in?problem=${problem}`])
  expect(answer.cookies).toEqual(['posthorn-oidc='])
})

test('the sign-in page learns of the provider, and the cookie of a sign-in is short and closed', async () => {
  const offered = await call(app, 'GET', '/v1/sessions/proxy')
  expect(offered.body).toEqual({ operator: null, oidc_host: new URL(provider.issuer).host })
  const { page, line } = await begin()
  expect(line).toMatch(/^posthorn-oidc=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/)
  const asked = Object.fromEntries(new URL(page).searchParams)
  expect(asked).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: redirectUri,
  })
  expect(Object.keys(asked)).toEqual(expect.arrayContaining(['state', 'nonce', 'code_challenge']))
})

test('an answer of the provider works once, and only in the browser that began the sign-in', async () => {
  const other = await begin()
  const { page, cookie } = await begin()
  const url = await provider.signIn(page, 'chris@example.com')
  const expired = [302, '/sign-in?problem=oidc_expired']
  for (const wrong of ['', other.cookie, cookie.replace(/.{4}$/, 'AAAA'), 'posthorn-oidc=e30']) {
    const { status, location, cookies } = await comeBack(url, wrong)
    expect([status, location, cookies]).toEqual([...expired, ['posthorn-oidc=']])
  }
  const changed = new URL(url)
  changed.searchParams.set('state', 'guessed')
  expect((await comeBack(changed, cookie)).location).toBe(expired[1])
  changed.search = url.search
  changed.searchParams.set('iss', 'https://evil.example')
  expect((await comeBack(changed, cookie)).location).toBe('/sign-in?problem=oidc_refused')
  expect((await comeBack(url, cookie)).location).toBe('/')
  const again = await comeBack(url, cookie)
  expect([again.location, again.cookies]).toEqual(['/sign-in?problem=oidc_refused', ['posthorn-oidc=']])
})

test('an answer meant for another sign-in of the same browser opens nothing', async () => {
  const [first, second] = [await begin(), await begin()]
  const stolen = await provider.signIn(first.page, 'chris@example.com')
  const own = await provider.signIn(second.page, 'vera@example.com')
  own.searchParams.set('code', stolen.searchParams.get('code') ?? '')
  // PKCE and the nonce belong to the other sign-in
  expect((await comeBack(own, second.cookie)).location).toBe('/sign-in?problem=oidc_refused')
})

test('a sign-in that takes more than ten minutes starts again', async () => {
  const { ctx, pass } = movingClock(db)
  await using moving = await openTestApp(db, { ctx, oidc: oidcAt(provider.issuer) })
  const { page, cookie } = await begin(moving)
  const url = await provider.signIn(page, 'chris@example.com')
  pass(10 * 60_000)
  expect((await comeBack(url, cookie, moving)).location).toBe('/sign-in?problem=oidc_expired')
})

test('while the provider is down nobody signs in, and the next sign-in asks it again', async () => {
  const spare = await openOpenIdProvider(redirectUri)
  const port = Number(new URL(spare.issuer).port)
  await spare[Symbol.asyncDispose]()
  await using late = await openTestApp(db, { oidc: oidcAt(spare.issuer) })
  const down = '/sign-in?problem=oidc_unavailable'
  expect((await begin(late)).page).toBe(down)
  const back = await openOpenIdProvider(redirectUri, port)
  const { page, cookie } = await begin(late)
  const url = await back.signIn(page, 'chris@example.com')
  await back[Symbol.asyncDispose]()
  expect((await comeBack(url, cookie, late)).location).toBe(down)
})

test('changed lists count at once after a restart, also for open sessions', async () => {
  const { cookie } = await asSession((await signInAs('chris@example.com')).answer.cookies)
  const statusWith = async (oidc: ReturnType<typeof openOidc> | null) => {
    await using restarted = await openTestApp(db, { oidc })
    const { status, body } = await call(restarted, 'GET', '/v1/session', { headers: { ...loopback, cookie } })
    return [status, body['role']]
  }
  const changed = { view: ['chris@example.com'], change: [] }
  expect(await statusWith(oidcAt(provider.issuer, { people: changed }))).toEqual([200, 'view'])
  expect(await statusWith(oidcAt(provider.issuer, { people: { view: [], change: [] } }))).toEqual([
    401,
    undefined,
  ])
  expect(await statusWith(null)).toEqual([401, undefined])
})

test('many failed sign-ins from one address wait', async () => {
  await using limited = await openTestApp(db, { oidc: oidcAt(provider.issuer) })
  const url = new URL(`${redirectUri}?state=guessed`)
  const fail = async () => (await comeBack(url, '', limited)).location
  for (let times = 0; times < 20; times++) expect(await fail()).toBe('/sign-in?problem=oidc_expired')
  expect(await fail()).toBe('/sign-in?problem=rate_limited')
})
