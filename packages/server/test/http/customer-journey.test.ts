import { type OperationId, type Route, routes } from '@posthorn/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { typeId } from '../../src/domain/type-id.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'
import { isThroughFront } from '../support/through-front.ts'
import { storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { uuidOf } from '../verbs/verb-context.ts'
import { type Answer, call, newCustomer, openTestApp, operatorToken, type TestApp } from './test-app.ts'

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

/** Calls an operation by its id and compares the answer with the contract. */
async function use(
  operationId: OperationId,
  as: string,
  ids: Record<string, unknown> = {},
  json?: object,
): Promise<Answer['body']> {
  const route: Route = routes[operationId]
  const path = Object.entries(ids).reduce(
    (text, [name, id]) => text.replace(`{${name}}`, String(id)),
    route.path,
  )
  const answer = await call(app, route.method, path, { as, ...(json !== undefined && { json }) })
  expect([operationId, answer.status, answer.body.detail]).toEqual([
    operationId,
    route.success.status,
    undefined,
  ])
  const checked = route.success.schema?.safeParse(answer.body)
  expect(checked?.error, operationId).toBeUndefined()
  // the answer has no fields that the contract does not name
  if (checked !== undefined) expect(checked.data).toEqual(answer.body)
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  return answer.body
}

test('the operator creates an account and a key, revokes the key, and deletes the account', async () => {
  const account = await use('createAccount', operatorToken, {}, { name: 'Acme' })
  expect(account).toMatchObject({ name: 'Acme', max_endpoints: 10 })
  const changed = await use('updateAccount', operatorToken, { id: account.id }, { max_endpoints: 3 })
  expect(await use('getAccount', operatorToken, { id: account.id })).toEqual(changed)
  expect((await use('listAccounts', operatorToken)).data).toContainEqual(changed)

  const key = await use(
    'createApiKey',
    operatorToken,
    { id: account.id },
    { name: 'app', scopes: ['read', 'read'], expires_at: '2999-01-01T00:00:00Z' },
  )
  expect(key).toMatchObject({ scopes: ['read'], expires_at: '2999-01-01T00:00:00.000Z' })
  const apiKey = String(key.api_key)
  await use('listWebhooks', apiKey)
  await use('getSendingLimits', apiKey)
  app.waits.length = 0
  await use('revokeApiKey', operatorToken, { id: account.id, key_id: key.id })
  expect(app.waits).toEqual([1010])
  expect((await use('listApiKeys', operatorToken, { id: account.id })).data).toMatchObject([
    { revoked_at: expect.any(String) },
  ])

  const source = await use(
    'createProviderSource',
    operatorToken,
    { id: account.id },
    { kind: 'mailgun', key: 'a-webhook-signing-key' },
  )
  const { report_url: _, ...listed } = source
  expect((await use('listProviderSources', operatorToken, { id: account.id })).data).toEqual([listed])
  await use('deleteProviderSource', operatorToken, { id: account.id, source_id: source.id })

  const operator = await use('createOperator', operatorToken, {}, { name: 'ann@example.com', role: 'view' })
  const { token, ...named } = operator
  expect(named).toMatchObject({ name: 'ann@example.com', last_used_at: null })
  expect((await use('listOperators', String(token))).data).toMatchObject([{ id: named.id, role: 'view' }])
  await use('removeOperator', operatorToken, { id: operator.id })
  app.waits.length = 1

  await use('deleteAccount', operatorToken, { id: account.id })
  expect(app.waits).toEqual([1010, 1010])
  expect((await call(app, 'GET', `/v1/accounts/${account.id}`, { as: operatorToken })).status).toBe(404)
})

test('a customer manages an endpoint and rotates its signing key', async () => {
  const { accountId, apiKey } = await newCustomer(app)
  const { secret, ...webhook } = await use(
    'createWebhook',
    apiKey,
    {},
    { url: 'https://hooks.example.com/mail', headers: { 'X-Token': 's3cret' } },
  )
  expect(secret).toMatch(/^whsec_[0-9A-Za-z]{44}$/)
  expect(webhook).toMatchObject({ status: 'enabled', disabled_reason: null, headers: { 'X-Token': '***' } })
  expect(await use('getWebhook', apiKey, { id: webhook.id })).toEqual(webhook)
  expect((await use('listWebhooks', apiKey)).data).toEqual([webhook])

  app.waits.length = 0
  const patched = await use(
    'updateWebhook',
    apiKey,
    { id: webhook.id },
    { enabled: false, events: ['email.bounced'] },
  )
  expect(patched).toMatchObject({ status: 'disabled', disabled_reason: 'manual', events: ['email.bounced'] })

  const staged = await use('stageSigningKey', apiKey, { id: webhook.id })
  expect(staged).toMatchObject({
    state: 'staged',
    signature_name: 'v1s',
    secret: expect.stringMatching(/^whsec_/),
  })
  const promoted = await use('promoteSigningKey', apiKey, { id: webhook.id, key_id: staged.key_id })
  expect(promoted).toMatchObject({ state: 'primary', signature_name: 'v1' })
  const second = await use('stageSigningKey', apiKey, { id: webhook.id })
  await use('retireSigningKey', apiKey, { id: webhook.id, key_id: second.key_id })
  expect((await use('listSigningKeys', apiKey, { id: webhook.id })).data).toHaveLength(3)

  const refused = await call(
    app,
    'POST',
    `/v1/webhooks/${webhook.id}/signing-keys/${promoted.key_id}/retire`,
    { as: apiKey },
  )
  expect(refused.body).toMatchObject({ status: 409, code: 'primary_key_cannot_be_retired' })

  const permitted = { id: accountId, webhook_id: webhook.id }
  await use('permitLoopback', operatorToken, permitted, { url: 'http://127.0.0.1:8080/' })
  await use('deleteWebhook', apiKey, { id: webhook.id })
  expect(app.waits).toEqual([1010, 1010, 1010, 1010, 1010])
  expect((await call(app, 'GET', `/v1/webhooks/${webhook.id}`, { as: apiKey })).body.code).toBe('not_found')
})

test('a customer looks up events and deliveries and retries a delivery', async () => {
  const { apiKey, accountUuid } = await newCustomer(app)
  const webhook = await use('createWebhook', apiKey, {}, { url: 'https://hooks.example.com/mail' })
  const event = await storeEvent(app.ctx, accountUuid, { emailId: 'em_7', to: 'ada@example.org' })
  const delivery = await storeDelivery(app.ctx, accountUuid, uuidOf('wh', webhook.id), event, {
    state: 'exhausted',
    reason: 'retries_used',
  })

  const list = await call(app, 'GET', '/v1/events?email_id=em_7&recipient=ada@EXAMPLE.org', { as: apiKey })
  expect(list.body.data).toMatchObject([{ id: typeId('evt', event.id) }])
  await use('listEvents', apiKey)
  await use('getEvent', apiKey, { id: typeId('evt', event.id) })
  await use('listDeliveries', apiKey, { id: webhook.id })
  const found = await use('getDelivery', apiKey, { id: typeId('dlv', delivery) })
  expect(found).toMatchObject({ state: 'exhausted', attempts: [] })
  expect(await use('retryDelivery', apiKey, { id: found.id })).toMatchObject({ state: 'pending' })
  expect(app.ctx.wakes.count).toBeGreaterThan(0)
})

test('one account cannot read another account’s resources or tell them from missing ones', async () => {
  const [ours, theirs] = [await newCustomer(app), await newCustomer(app)]
  const webhook = await use('createWebhook', theirs.apiKey, {}, { url: 'https://hooks.example.com/mail' })
  const event = await storeEvent(app.ctx, theirs.accountUuid, {})
  const delivery = await storeDelivery(app.ctx, theirs.accountUuid, uuidOf('wh', webhook.id), event)
  const keys = (await use('listSigningKeys', theirs.apiKey, { id: webhook.id })).data as { key_id: string }[]
  const since = '2020-01-01T00:00:00Z'
  const replay = await use('createReplay', theirs.apiKey, { id: webhook.id }, { since })
  const ids: Record<string, string> = {
    rpl: replay.id,
    wh: webhook.id,
    evt: typeId('evt', event.id),
    dlv: typeId('dlv', delivery),
    whk: keys[0]?.key_id ?? '',
  }
  // a request must be valid to be answered with 404
  const bodies: Record<string, object> = {
    sendTestEvent: { type: 'email.delivered' },
    createReplay: { since },
  }
  for (const route of Object.values<Route>(routes)) {
    if (route.params === undefined || (route.auth !== 'read' && route.auth !== 'send')) continue
    const path = Object.entries(route.params).reduce(
      (text, [name, prefix]) => text.replace(`{${name}}`, ids[prefix] ?? ''),
      route.path,
    )
    const answer = await call(app, route.method, path, {
      as: ours.apiKey,
      ...(route.body !== undefined && { json: bodies[route.operationId] ?? {} }),
    })
    expect([route.operationId, answer.body.code]).toEqual([route.operationId, 'not_found'])
  }
})

test('the catalogue lists the four event types and the opt-in types with schema and sample', async () => {
  const { apiKey } = await newCustomer(app)
  expect(
    ((await use('listEventTypes', apiKey)).data as { opt_in: boolean }[]).map(one => one.opt_in),
  ).toEqual([...Array(4).fill(false), ...Array(3).fill(true)])
  const first = await call(app, 'GET', '/v1/event-types?limit=6', { as: apiKey })
  const rest = await call(app, 'GET', `/v1/event-types?limit=6&cursor=${String(first.body.next_cursor)}`, {
    as: apiKey,
  })
  expect([first.body.data, rest.body.data]).toMatchObject([{ length: 6 }, [{ type: 'email.suppressed' }]])
  expect(rest.body.next_cursor).toBeNull()
})

test('public routes need no credential', async () => {
  expect((await call(app, 'GET', '/healthz')).status).toBe(200)
  expect((await call(app, 'GET', '/readyz')).status).toBe(200)
  expect((await call(app, 'GET', '/metrics')).headers['content-type']).toMatch(
    /^text\/plain; version=0\.0\.4/,
  )
  expect((await call(app, 'GET', '/openapi.json')).body).toMatchObject({ openapi: '3.1.1' })
  expect((await call(app, 'HEAD', '/healthz')).status).toBe(200)
})

// a front says whether it is ready itself
test.skipIf(isThroughFront())('a service that is not ready says why', async () => {
  await using lame = await openTestApp(db, {
    readiness: async () => ({ ready: false, reason: 'the database does not answer' }),
  })
  const answer = await call(lame, 'GET', '/readyz')
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2'])
  expect(answer.body.detail).toContain('the database does not answer')
})
