import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { call, newCustomer, openTestApp, operatorToken, type TestApp } from '../http/test-app.ts'
import { newIntake } from '../outcomes/new-intake.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'

let db: Database
let app: TestApp
let customer: Awaited<ReturnType<typeof newCustomer>>
beforeAll(async () => {
  db = await openTestDatabase(embedded)
  app = await openTestApp(db, { intake: newIntake(db) })
  customer = await newCustomer(app)
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

test.each([
  '"a..b."@example.jp',
  'a..b.@example.jp',
  '.a@example.jp',
  '"ann smith"@example.org',
  String.raw`"a\"b"@example.org`,
  '"a@b"@example.org',
  'jürgen@example.org',
  'ann@münchen.example',
])('every API operation that takes an address accepts this one: %s', async address => {
  const as = customer.apiKey
  const email = { from: address, to: [address, `Ann <${address}>`], subject: 'Hi', text: 'x' }
  const accepted = await call(app, 'POST', '/v1/emails', { as, json: { ...email, reply_to: address } })
  expect(accepted.status).toBe(202)
  const record = await call(app, 'GET', `/v1/emails/${String(accepted.body['email_id'])}`, { as })
  const shown = address.replace('münchen', 'xn--mnchen-3ya')
  expect(record.body).toMatchObject({ to: [shown] })
  const raw = {
    account_id: customer.accountId,
    email_id: `raw ${address}`.replace(/[^!-~]/g, '_'),
    recipient: address,
  }
  const report = { ...raw, reply: { code: 550, text: '5.1.1 User unknown' } }
  const reported = await call(app, 'POST', '/v1/outcomes', { as: operatorToken, json: report })
  expect(reported).toMatchObject({ status: 202, body: { accepted: 1 } })
  const decided = {
    account_id: customer.accountId,
    type: 'email.delivered',
    data: { email_id: 'em_1', to: [address] },
  }
  expect(await call(app, 'POST', '/v1/outcomes', { as: operatorToken, json: decided })).toMatchObject({
    status: 202,
  })
  const query = encodeURIComponent(address)
  const found = await call(app, 'GET', `/v1/emails?recipient=${query}`, { as })
  const ids = (found.body['data'] as { id: string }[]).map(({ id }) => id)
  expect(ids).toContain(accepted.body['email_id'])
  const events = await call(app, 'GET', `/v1/events?recipient=${query}`, { as })
  const newest = (events.body['data'] as { data: { to: string[] } }[]).slice(0, 2)
  expect(newest.map(({ data }) => data.to)).toEqual([[shown], [shown]])
  expect(await call(app, 'GET', `/v1/suppressions?address=${query}`, { as })).toMatchObject({
    body: { data: [{ reason: 'bounce' }] },
  })
  expect(await call(app, 'PUT', '/v1/notice-email', { as, json: { address } })).toMatchObject({ status: 200 })
  expect(await call(app, 'POST', '/v1/erasures', { as, json: { recipient: address } })).toMatchObject({
    status: 202,
  })
})

test('an address with and without unnecessary quotes is one recipient', async () => {
  const to = ['a..b.@example.jp', '"a..b."@example.jp', '"ann"@example.org', 'ann@example.org']
  const email = { from: 'a@shop.example', to, subject: 'Hi', text: 'x' }
  const { body } = await call(app, 'POST', '/v1/emails', { as: customer.apiKey, json: email })
  const record = await call(app, 'GET', `/v1/emails/${String(body['email_id'])}`, { as: customer.apiKey })
  expect(record.body['to']).toEqual(['a..b.@example.jp', '"ann"@example.org'])
})

test.each([
  'a,b@example.org',
  'a b@example.org',
  '"a"b@example.org',
  '""@example.org',
  '"a<b"@example.org',
  '...@example.org',
  'ann@example..org',
  'ann@[192.0.2.1]',
  `${'a'.repeat(65)}@example.org`,
])('an address that cannot receive is rejected before it is sent: %s', async address => {
  const email = { from: 'a@shop.example', to: [address], subject: 'Hi', text: 'x' }
  const { status } = await call(app, 'POST', '/v1/emails', { as: customer.apiKey, json: email })
  expect(status).toBe(422)
})
