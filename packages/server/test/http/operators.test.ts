import { type AuditEntry, type Route, routes } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { typeId } from '../../src/domain/type-id.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'
import { movingClock } from './moving-clock.ts'
import { loopback, signedIn, signIn } from './sign-in.ts'
import {
  type Answer,
  call,
  newCustomer,
  openTestApp,
  operatorToken,
  randomKey,
  type TestApp,
} from './test-app.ts'

let db: Database
let app: TestApp

beforeAll(async () => {
  db = await openTestDatabase(embedded)
  app = await openTestApp(db)
})

afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

async function newOperator(role: 'view' | 'change', more: object = {}, on: TestApp = app) {
  const json = { name: `ann-${randomKey()}`, role, ...more }
  const { status, body } = await call(on, 'POST', '/v1/operators', { as: operatorToken, json })
  expect(status, JSON.stringify(body)).toBe(201)
  return { id: body.id, name: json.name, token: String(body['token']) }
}

async function lastEntry(query: string, as = operatorToken): Promise<AuditEntry | undefined> {
  const { body } = await call(app, 'GET', `/v1/audit-log?limit=1&${query}`, { as })
  return (body['data'] as AuditEntry[])[0]
}

const ofOperators = Object.values<Route>(routes).filter(({ auth }) => auth.startsWith('operator'))

function pathOf({ path, params = {} }: Route): string {
  return Object.entries(params).reduce(
    (filled, [name, prefix]) =>
      filled.replace(`{${name}}`, typeId(prefix, '01890a5d-ac96-774b-bcce-b302099a8057')),
    path,
  )
}

test('every operation of the operator that changes something or hands out the database needs the role change', () => {
  expect(ofOperators.length).toBeGreaterThan(20)
  const reading = ofOperators.filter(({ role }) => role === 'view').map(({ method }) => method)
  expect(new Set(reading)).toEqual(new Set(['GET']))
  expect(routes.getBackup.role).toBe('change')
})

test('an operator with the role view reads, and every other operation answers 403 with advice', async () => {
  const { token, name } = await newOperator('view')
  const { ask } = await signIn(app, token)
  for (const route of ofOperators) {
    const options = route.method === 'GET' ? {} : { payload: '{' }
    const answers: Answer[] = [
      await call(app, route.method, pathOf(route), { as: token, ...options }),
      await ask(route.method, pathOf(route), options),
    ]
    for (const { status, body } of answers) {
      if (route.role === 'view') expect([route.operationId, status]).not.toEqual([route.operationId, 403])
      else
        expect([route.operationId, status, body.code]).toEqual([route.operationId, 403, 'insufficient_role'])
      if (route.role === 'change') expect(body['detail']).toContain(`${name} has the role view`)
    }
  }
  const own = await call(app, 'GET', '/v1/webhooks', { as: token })
  expect(own.body.code).toBe('insufficient_scope')
})

test('the audit log names the operator, but not to customers', async () => {
  const { accountId, apiKey } = await newCustomer(app)
  const { token, name } = await newOperator('change')
  const { session, ask } = await signIn(app, token)
  expect(session).toMatchObject({ kind: 'operator', name, role: 'change' })
  expect(await lastEntry(`target=${session.id}`)).toMatchObject({
    action: 'operator.signed_in',
    actor: { kind: 'operator', operator: { name, method: 'token' } },
  })
  const path = `/v1/accounts/${accountId}`
  for (const change of [
    async () => await ask('PATCH', path, { json: { name: 'A' } }),
    async () => await call(app, 'PATCH', path, { as: token, json: { name: 'B' } }),
  ]) {
    expect((await change()).status).toBe(200)
    const query = `account_id=${accountId}&action=account.updated`
    expect((await lastEntry(query))?.actor.operator).toEqual({ name, method: 'token' })
    expect((await lastEntry('action=account.updated', apiKey))?.actor).toMatchObject({
      kind: 'operator',
      operator: null,
    })
  }
})

test('a token is shown once, stored as a hash, and works only in its own installation', async () => {
  const key = { 'idempotency-key': randomKey() }
  const json = { name: `ann-${randomKey()}`, role: 'view' }
  const create = async () =>
    await call(app, 'POST', '/v1/operators', { as: operatorToken, json, headers: key })
  const token = String((await create()).body['token'])
  expect((await create()).body['token']).toBeNull()
  expect((await call(app, 'GET', '/v1/accounts', { as: token })).status).toBe(200)
  const rows = await db.query<{ text: string }>('select o::text as text from operator_token o')
  const kept = await db.query<{ text: string }>('select k::text as text from idempotency_key k')
  expect(JSON.stringify([rows, kept])).not.toContain(token)

  await using otherDb = await openTestDatabase(embedded)
  await using other = await openTestApp(otherDb)
  const refused = await call(other, 'GET', '/v1/accounts', { as: token })
  expect([refused.status, refused.body.code]).toEqual([401, 'unauthorized'])
})

test('a name is used once, and nobody takes the name of the operator token', async () => {
  const { name } = await newOperator('view')
  const create = async (taken: string) =>
    (await call(app, 'POST', '/v1/operators', { as: operatorToken, json: { name: taken, role: 'view' } }))
      .body.code
  expect(await create(name)).toBe('operator_exists')
  for (const alike of ['operator', 'Operator', 'operator ', 'oper\u200bator', ' '])
    expect(await create(alike), alike).toBe('validation_failed')
})

test('a removed token and its sessions end at once, and an expired one at its time', async () => {
  const { ctx, pass } = movingClock(db)
  await using moving = await openTestApp(db, { ctx })
  const expires_at = new Date(ctx.clock.nowMs() + 60_000).toISOString()
  const operators = [
    await newOperator('change', {}, moving),
    await newOperator('change', { expires_at }, moving),
  ]
  const signedIn = await Promise.all(operators.map(async ({ token }) => await signIn(moving, token)))
  const statuses = async () => [
    ...(await Promise.all(
      operators.map(async ({ token }) => (await call(moving, 'GET', '/v1/accounts', { as: token })).status),
    )),
    ...(await Promise.all(signedIn.map(async ({ ask }) => (await ask('GET', '/v1/accounts')).status))),
  ]
  expect(await statuses()).toEqual([200, 200, 200, 200])
  const removed = await call(moving, 'DELETE', `/v1/operators/${operators[0]?.id ?? ''}`, {
    as: operatorToken,
  })
  expect([removed.status, moving.waits]).toEqual([204, [1010]])
  // the wait before the answer
  pass(1_010)
  expect(await statuses()).toEqual([401, 200, 401, 200])
  pass(60_000)
  expect(await statuses()).toEqual([401, 401, 401, 401])
})

test('a caller cannot name another operator in a header', async () => {
  const { accountId } = await newCustomer(app)
  const headers = { 'x-posthorn-operator': 'token;change;boss' }
  const change = { as: operatorToken, json: { name: 'C' }, headers }
  expect((await call(app, 'PATCH', `/v1/accounts/${accountId}`, change)).status).toBe(200)
  const entry = await lastEntry(`account_id=${accountId}&action=account.updated`)
  expect(entry?.actor.operator).toEqual({ name: 'operator', method: 'admin_token' })
  const { token } = await newOperator('view')
  const refused = await call(app, 'PATCH', `/v1/accounts/${accountId}`, { ...change, as: token })
  expect(refused.body.code).toBe('insufficient_role')
})

describe('with a trusted proxy', () => {
  let behind: TestApp
  const operatorProxies = {
    header: 'x-forwarded-user',
    networks: ['127.0.0.1'],
    view: ['vera'],
    change: ['chris'],
  }
  beforeAll(async () => {
    behind = await openTestApp(db, { operatorProxies })
  })
  afterAll(async () => await behind[Symbol.asyncDispose]())

  const as = (name: string) => ({ headers: { ...loopback, 'x-forwarded-user': name } })
  const open = async (name: string, more: object = {}) =>
    await call(behind, 'POST', '/v1/sessions/proxy', { ...as(name), ...more })

  test('a person on the lists signs in, and works only while the proxy names the same person', async () => {
    const offered = await call(behind, 'GET', '/v1/sessions/proxy', as('chris'))
    expect(offered.body).toEqual({ operator: { name: 'chris', role: 'change' }, oidc_host: null })
    const { session, ask } = signedIn(behind, await open('chris'))
    expect(session).toMatchObject({ kind: 'operator', name: 'chris', role: 'change' })
    const create = async (name: string, headers: object = {}) =>
      await ask('POST', '/v1/accounts', { json: { name: 'P' }, headers: { ...as(name).headers, ...headers } })
    const made = await create('chris')
    expect(made.status).toBe(201)
    expect((await lastEntry(`account_id=${made.body.id}`))?.actor.operator).toEqual({
      name: 'chris',
      method: 'proxy',
    })
    for (const name of ['vera', 'mallory', '', 'chris, chris']) expect((await create(name)).status).toBe(401)
    expect((await ask('GET', '/v1/accounts')).status).toBe(401)
    const forged = await create('chris', { 'x-csrf-token': 'guessed' })
    expect([forged.status, forged.body.code]).toEqual([403, 'csrf_failed'])
  })

  test('the header alone opens nothing, and changes no other credential', async () => {
    expect((await call(behind, 'GET', '/v1/accounts', as('chris'))).status).toBe(401)
    const { token } = await newOperator('view')
    const made = await call(behind, 'POST', '/v1/accounts', {
      as: token,
      json: { name: 'P' },
      ...as('chris'),
    })
    expect(made.body.code).toBe('insufficient_role')
  })

  test('from another address, and for anybody who is on no list, the header means nothing', async () => {
    const elsewhere = { remoteAddress: '192.0.2.7' }
    expect((await open('chris', elsewhere)).status).toBe(401)
    expect((await open('mallory')).status).toBe(401)
    const spoofed = { ...as('chris').headers, 'x-forwarded-for': '127.0.0.1' }
    expect((await open('chris', { ...elsewhere, headers: spoofed })).status).toBe(401)
    const foreign = await open('chris', {
      headers: { ...as('chris').headers, origin: 'https://evil.example' },
    })
    expect([foreign.status, foreign.body.code]).toEqual([403, 'csrf_failed'])
    const { cookie } = signedIn(behind, await open('chris'))
    const headers = { ...as('chris').headers, cookie }
    expect((await call(behind, 'GET', '/v1/accounts', { headers, ...elsewhere })).status).toBe(401)
    expect((await call(behind, 'GET', '/v1/accounts', { headers })).status).toBe(200)
  })

  test('a changed list counts at once, also for open sessions', async () => {
    const { cookie } = signedIn(behind, await open('chris'))
    await using restarted = await openTestApp(db, {
      operatorProxies: { ...operatorProxies, view: ['chris'], change: [] },
    })
    const { body } = await call(restarted, 'GET', '/v1/session', {
      headers: { ...as('chris').headers, cookie },
    })
    expect(body).toMatchObject({ name: 'chris', role: 'view' })
  })
})
