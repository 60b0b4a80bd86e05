import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'
import { openPortal, signIn } from './sign-in.ts'
import { call, newCustomer, openTestApp, operatorToken, type TestApp } from './test-app.ts'

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

const url = 'http://127.0.0.1:8080/webhooks'

async function newEndpoint() {
  const customer = await newCustomer(app)
  const made = await call(app, 'POST', '/v1/webhooks', {
    as: customer.apiKey,
    json: { url: 'https://hooks.example.com/mail' },
  })
  const path = `/v1/accounts/${customer.accountId}/webhooks/${made.body.id}/loopback-url`
  return { ...customer, id: made.body.id, path }
}

test('only the operator token permits a loopback URL', async () => {
  const { accountId, apiKey, id, path } = await newEndpoint()
  const json = { url }
  const byKey = await call(app, 'PUT', path, { as: apiKey, json })
  expect(byKey.body).toMatchObject({ status: 403, code: 'insufficient_scope' })
  const byPortal = await call(app, 'PUT', path, { as: await openPortal(app, accountId), json })
  expect(byPortal.body).toMatchObject({ status: 403, code: 'insufficient_scope' })
  const signedIn = await signIn(app, apiKey)
  expect((await signedIn.ask('PUT', path, { json })).body).toMatchObject({ code: 'insufficient_scope' })
  expect((await call(app, 'PUT', path, { json })).status).toBe(401)

  app.waits.length = 0
  const granted = await call(app, 'PUT', path, { as: operatorToken, json })
  expect([granted.status, granted.body]).toEqual([200, { webhook_id: id, url }])
  // after this wait no process delivers to the URL any more
  expect(app.waits).toEqual([1010])
})

test('the customer’s audit log shows the change and who made it', async () => {
  const { apiKey, id, path } = await newEndpoint()
  await call(app, 'PUT', path, { as: operatorToken, json: { url } })
  const { body } = await call(app, 'GET', `/v1/audit-log?target=${id}&limit=1`, { as: apiKey })
  expect(body['data']).toMatchObject([
    { action: 'webhook.loopback_permitted', actor: { kind: 'operator' }, after: { url } },
  ])
})

test('no endpoint field grants the permission', async () => {
  const { apiKey, id } = await newEndpoint()
  const fields = { loopback_origin: 'http://127.0.0.1:8080' }
  const made = await call(app, 'POST', '/v1/webhooks', { as: apiKey, json: { url, ...fields } })
  expect(made.body).toMatchObject({ status: 422, code: 'validation_failed' })
  const changed = await call(app, 'PATCH', `/v1/webhooks/${id}`, { as: apiKey, json: fields })
  expect(changed.body).toMatchObject({ status: 422, code: 'validation_failed' })
})

test('the OpenAPI document allows only the operator to use the route', async () => {
  const { body } = await call(app, 'GET', '/openapi.json')
  const paths = body['paths'] as Record<string, Record<string, { security: object[] }>>
  const operation = paths['/v1/accounts/{id}/webhooks/{webhook_id}/loopback-url']?.['put']
  expect(operation?.security).toEqual([{ operatorToken: ['change'] }])
})
