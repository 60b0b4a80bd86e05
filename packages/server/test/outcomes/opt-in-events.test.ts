import type { Event, EventType } from '@posthorn/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { call, newCustomer, openTestApp, type TestApp } from '../http/test-app.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'
import { newIntake } from './new-intake.ts'

let db: Database
let app: TestApp
beforeAll(async () => {
  db = await openTestDatabase(embedded)
  app = await openTestApp(db, { intake: newIntake(db) })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

/** A customer with an endpoint for these types; `null`: one that names no types. */
async function customerWith(events: readonly EventType[] | null) {
  const { apiKey: as, accountUuid } = await newCustomer(app)
  const json = { url: 'https://hooks.example.com/', ...(events !== null && { events }) }
  const { body: webhook } = await call(app, 'POST', '/v1/webhooks', { as, json })
  const report = async (body: unknown) => (await call(app, 'POST', '/v1/outcomes', { as, json: body })).body
  const list = async (path: string) => (await call(app, 'GET', path, { as })).body['data'] as Event[]
  return {
    accountUuid,
    report,
    /** Oldest first. */
    events: async () => (await list('/v1/events')).toReversed(),
    delivered: async () => {
      const found = (await list(`/v1/webhooks/${webhook['id']}/deliveries`)) as unknown as Array<{
        event: Event
      }>
      return found.map(({ event }) => event.type).toSorted()
    },
  }
}

const about = { email_id: 'order-1', recipient: 'ann@example.org', tags: { kind: 'receipt' } }
const later = { ...about, disposition: 'temporary', reply: { text: '452 4.2.2 Mailbox full' } }
const complaint = { ...about, disposition: 'complaint', outcome_id: 'arf-1' }

test('a complaint is also email.complained for an endpoint that names it, and the answer names one event', async () => {
  const customer = await customerWith(['email.unsubscribed', 'email.complained'])
  const { events } = await customer.report(complaint)
  const [unsubscribed, complained] = (await customer.events()).toSorted((a, b) => (a.type < b.type ? 1 : -1))
  expect(events).toEqual([unsubscribed?.id])
  expect(complained).toMatchObject({
    type: 'email.complained',
    data: { email_id: 'order-1', to: ['ann@example.org'], tags: { kind: 'receipt' }, complaint: {} },
  })
  expect(await customer.report(complaint)).toMatchObject({ accepted: 0, ignored: [{ reason: 'duplicate' }] })
  expect(await customer.delivered()).toEqual(['email.complained', 'email.unsubscribed'])
})

test('an email to a suppressed address is also email.suppressed for an endpoint that names it', async () => {
  const customer = await customerWith(['email.failed', 'email.suppressed'])
  const data = { email_id: 'order-1', to: ['ann@example.org'], failure: { reason: 'recipient_suppressed' } }
  expect(
    await customer.report([
      { ...about, disposition: 'suppressed' },
      { type: 'email.failed', data },
    ]),
  ).toMatchObject({
    accepted: 2,
    events: [expect.stringMatching(/^evt_/), expect.stringMatching(/^evt_/)],
  })
  const failedAndSuppressed = ['email.failed', 'email.suppressed']
  expect(await customer.delivered()).toEqual(failedAndSuppressed.flatMap(type => [type, type]))
})

test('only the first deferral of a recipient is an event, and none after a final outcome', async () => {
  const customer = await customerWith(['email.deferred'])
  const ignored = { accepted: 0, events: [], ignored: [{ index: 0, reason: 'temporary' }] }
  expect(await customer.report(later)).toEqual(ignored)
  expect(await customer.report({ ...later, recipient: 'ann@EXAMPLE.org', attempts: 2 })).toEqual(ignored)
  const ben = { ...later, recipient: 'ben@example.org' }
  await customer.report({ ...ben, disposition: 'accepted', reply: { code: 250, text: '250 OK' } })
  await customer.report(ben)
  const dan = { ...later, recipient: 'dan@example.org' }
  // providers report in any order
  await customer.report([{ ...dan, disposition: 'accepted', reply: { code: 250, text: '250 OK' } }, dan])
  expect(await customer.delivered()).toEqual(['email.deferred'])
  expect((await customer.events())[0]).toMatchObject({
    type: 'email.deferred',
    data: {
      to: ['ann@example.org'],
      recipient: 'ann@example.org',
      deferral: { category: 'infrastructure', reason: 'mailbox_full', message: 'The mailbox is full.' },
      smtp_response: { code: 452, enhanced_code: '4.2.2' },
    },
  })
})

test('of a type that no endpoint names nothing is stored, and an endpoint that names none gets the outcomes', async () => {
  const customer = await customerWith(null)
  await customer.report([
    complaint,
    later,
    { ...about, recipient: 'cid@example.org', disposition: 'suppressed' },
  ])
  expect((await customer.events()).map(({ type }) => type).toSorted()).toEqual([
    'email.failed',
    'email.unsubscribed',
  ])
  expect(await customer.delivered()).toEqual(['email.failed', 'email.unsubscribed'])
  const keys = await db.query('select from outcome_key where account_id = $1', [customer.accountUuid])
  expect(keys).toHaveLength(1)
})
