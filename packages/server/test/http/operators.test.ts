import { type AuditEntry, type Route, routes } from '@posthorn/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { typeId } from '../../src/domain/type-id.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'
import { movingClock } from './moving-clock.ts'
import { signIn } from './sign-in.ts'
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
