import type { Delivery, ReplayDryRun, Webhook } from '@posthorn/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { advanceReplays } from '../../src/replays/advance-replays.ts'
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

async function newAccount() {
  const { apiKey: as } = await newCustomer(app)
  const request = async <T>(
    method: string,
    path: string,
    json?: object,
  ): Promise<{ status: number; body: T }> =>
    (await call(app, method, path, { as, ...(json !== undefined && { json }) })) as never
  return {
    request,
    endpoint: async (filter: object): Promise<Webhook> =>
      (await request<Webhook>('POST', '/v1/webhooks', { url: 'https://hooks.example.com/', ...filter })).body,
    /** Reports a delivered email. */
    report: async (emailId: string, described: object) =>
      await request('POST', '/v1/outcomes', {
        type: 'email.delivered',
        data: { email_id: emailId, to: ['ann@example.org'], ...described },
      }),
    /** The emails whose events the endpoint gets. */
    got: async ({ id }: Webhook) => {
      const { body } = await request<{ data: Delivery[] }>('GET', `/v1/webhooks/${id}/deliveries`)
      return body.data.map(({ event }) => event.email_id).toSorted()
    },
  }
}

/** One email for each case that a filter tells apart. */
async function reportAll({ report }: Awaited<ReturnType<typeof newAccount>>): Promise<void> {
  await report('receipt', { tags: { kind: 'receipt', team: 'shop' }, from: 'Shop <shop@Shop.example>' })
  await report('news', { tags: { kind: 'news' }, from: 'news@bücher.example' })
  await report('untagged', { from: 'shop@shop.example' })
  await report('unknown', {})
}

test('an endpoint gets only events with one of its tags and one of its sending domains', async () => {
  const account = await newAccount()
  const all = await account.endpoint({})
  const byTag = await account.endpoint({ tags: ['kind=news', 'team=shop'] })
  const byDomain = await account.endpoint({ sending_domains: ['Shop.Example.', 'Bücher.example'] })
  const byBoth = await account.endpoint({
    tags: ['kind=news', 'team=shop'],
    sending_domains: ['shop.example'],
  })
  expect(byDomain.sending_domains).toEqual(['shop.example', 'xn--bcher-kva.example'])
  await reportAll(account)
  expect(await account.got(all)).toEqual(['news', 'receipt', 'unknown', 'untagged'])
  // an event without tags, or without a sender, passes no filter of that kind
  expect(await account.got(byTag)).toEqual(['news', 'receipt'])
  expect(await account.got(byDomain)).toEqual(['news', 'receipt', 'untagged'])
  expect(await account.got(byBoth)).toEqual(['receipt'])
})

test('a replay of missing events follows the filter as it is then', async () => {
  const account = await newAccount()
  await reportAll(account)
  const endpoint = await account.endpoint({ tags: ['kind=none'] })
  await account.request('PATCH', `/v1/webhooks/${endpoint.id}`, {
    tags: ['kind=receipt'],
    sending_domains: ['shop.example'],
  })
  const replay = { since: '2020-01-01T00:00:00Z', states: ['missing'] }
  const path = `/v1/webhooks/${endpoint.id}/replays`
  expect((await account.request<ReplayDryRun>('POST', path, { ...replay, dry_run: true })).body.count).toBe(1)
  await account.request('POST', path, replay)
  await advanceReplays(app.ctx)
  expect(await account.got(endpoint)).toEqual(['receipt'])
})

test.each([
  [{ tags: ['receipt'] }, '/tags/0'],
  [{ tags: Array.from({ length: 21 }, (_, n) => `kind=${n}`) }, '/tags'],
  [{ sending_domains: ['acme.test', 'news@acme.test'] }, '/sending_domains/1'],
])('the filter %j is refused at its place', async (filter, path) => {
  const account = await newAccount()
  const answer = await account.request('POST', '/v1/webhooks', {
    url: 'https://hooks.example.com/',
    ...filter,
  })
  expect(answer).toMatchObject({ status: 422, body: { errors: [{ path }] } })
})
