import type { Suppression } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { advanceErasures } from '../../src/erasures/advance-erasures.ts'
import { findSuppression } from '../../src/suppressions/find-suppression.ts'
import { call, newCustomer, openTestApp, type TestApp } from '../http/test-app.ts'
import { newIntake } from '../outcomes/new-intake.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'

const ann = 'ann@example.org'
const receipt = null
const newsletter = { list: 'news' }

describe.each(verbBackends())('suppressions on $name', backend => {
  let db: Database
  let app: TestApp
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    app = await openTestApp(db, { intake: newIntake(db) })
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  /** A new account and its operations in the API. */
  async function newAccount() {
    const { apiKey: as, accountUuid } = await newCustomer(app)
    const list = async (query = ''): Promise<Suppression[]> => {
      const { status, body } = await call(app, 'GET', `/v1/suppressions?limit=250${query}`, { as })
      expect(status, JSON.stringify(body)).toBe(200)
      return body['data'] as Suppression[]
    }
    return {
      as,
      accountUuid,
      list,
      report: async (json: unknown, headers = {}) => {
        const answer = await call(app, 'POST', '/v1/outcomes', { as, json, headers })
        expect(answer.status, JSON.stringify(answer.body)).toBe(202)
        return answer.body as unknown as { accepted: number; events: string[] }
      },
      suppress: async (json: object) => {
        const answer = await call(app, 'POST', '/v1/suppressions', { as, json })
        expect(answer.status, JSON.stringify(answer.body)).toBe(201)
        return answer.body as unknown as Suppression
      },
      lift: async (id: string | undefined) =>
        (await call(app, 'DELETE', `/v1/suppressions/${id}`, { as })).status,
      /** Why a mail would be refused. */
      refused: async (address: string, unsubscribe: { list?: string } | null) =>
        (await findSuppression(app.ctx, accountUuid, address, unsubscribe))?.reason ?? null,
    }
  }

  const bounced = (to = ann, extra = {}) => ({
    type: 'email.bounced',
    data: { email_id: 'a1', to: [to], ...extra },
  })
  const unsubscribed = (unsubscribe: object, to = ann) => ({
    type: 'email.unsubscribed',
    data: { email_id: 'a1', to: [to], unsubscribe },
  })

  test('an address that bounced gets no mail of any kind, however the bounce was reported', async () => {
    const decided = await newAccount()
    const { events } = await decided.report(bounced())
    expect(await decided.list()).toEqual([
      {
        id: expect.stringMatching(/^sup_/),
        state: 'active',
        address: ann,
        reason: 'bounce',
        scope: { type: 'all_mail', id: null },
        email_id: 'a1',
        event_id: events[0],
        created_at: expect.any(String),
        lapses_at: null,
        lifted_at: null,
      },
    ])
    const raw = await newAccount()
    await raw.report({ email_id: 'a1', recipient: ann, reply: { text: '550 5.1.1 User unknown' } })
    const withKey = await newAccount()
    await withKey.report(bounced(), { 'idempotency-key': 'once' })
    for (const account of [decided, raw, withKey]) {
      expect(await account.refused(ann, receipt)).toBe('bounce')
      expect(await account.refused(ann, newsletter)).toBe('bounce')
      expect(await account.refused('bob@example.org', receipt)).toBeNull()
    }
  })

  test('deliveries, failures and temporary outcomes suppress nobody', async () => {
    const account = await newAccount()
    await account.report([
      { type: 'email.delivered', data: { email_id: 'a1', to: [ann] } },
      { type: 'email.failed', data: { email_id: 'a1', to: [ann] } },
      { email_id: 'a2', recipient: ann, reply: { text: '550 5.7.1 Message rejected as spam' } },
      { email_id: 'a3', recipient: ann, reply: { text: '552 5.2.2 Mailbox full' } },
      { email_id: 'a4', recipient: ann, reply: { code: 451 } },
    ])
    expect(await account.list('&state=active,lapsed,lifted')).toEqual([])
    const [keys] = await db.query<{ count: number }>(
      'select count(*) as count from mail_key where account_id = $1',
      [account.accountUuid],
    )
    expect(keys?.count).toBe(0)
  })

  test('a bounce of the whole domain lapses after 30 days, and the next one suppresses the address again', async () => {
    const account = await newAccount()
    const ofDomain = bounced(ann, { bounce: { category: 'invalid_domain' } })
    await account.report([
      ofDomain,
      bounced('bob@null.example', { bounce: { category: 'domain_not_accepting_mail' } }),
    ])
    const [, first] = await account.list()
    expect(first).toMatchObject({ address: ann, reason: 'domain_bounce' })
    const days = (Date.parse(first?.lapses_at ?? '') - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(30, 1)
    expect(await account.refused(ann, receipt)).toBe('domain_bounce')

    await db.query("update suppression set lapses_at = now() - interval '1 second' where account_id = $1", [
      account.accountUuid,
    ])
    expect(await account.refused(ann, receipt)).toBeNull()
    expect(await account.list()).toEqual([])
    expect(await account.list('&state=lapsed')).toHaveLength(2)

    await account.report(ofDomain)
    expect(await account.refused(ann, receipt)).toBe('domain_bounce')
    expect(await account.list()).toMatchObject([{ id: first?.id }])
  })

  test('a recipient who unsubscribed from a list gets all mail except that of the list', async () => {
    const account = await newAccount()
    await account.report(unsubscribed({ source: 'one_click', scope: { type: 'list', id: 'news' } }))
    expect(await account.refused(ann, newsletter)).toBe('unsubscribe')
    expect(await account.refused(ann, { list: 'offers' })).toBeNull()
    expect(await account.refused(ann, {})).toBeNull()
    expect(await account.refused(ann, receipt)).toBeNull()
  })

  test('a recipient who unsubscribed from everything gets no mail with `unsubscribe`, and still gets receipts', async () => {
    const account = await newAccount()
    await account.report([
      unsubscribed({ scope: { type: 'all' } }),
      { email_id: 'a2', recipient: 'bob@example.org', disposition: 'unsubscribe' },
      // a list without an id means all lists
      unsubscribed({ scope: { type: 'list' } }, 'cat@example.org'),
    ])
    for (const who of [ann, 'bob@example.org', 'cat@example.org']) {
      expect(await account.refused(who, newsletter)).toBe('unsubscribe')
      expect(await account.refused(who, {})).toBe('unsubscribe')
      expect(await account.refused(who, receipt)).toBeNull()
    }
  })

  test('a recipient who reported spam gets no mail at all', async () => {
    const account = await newAccount()
    await account.report({ email_id: 'a1', recipient: ann, disposition: 'complaint' })
    expect(await account.refused(ann, receipt)).toBe('complaint')
    expect(await account.refused(ann, newsletter)).toBe('complaint')
    const found = await findSuppression(app.ctx, account.accountUuid, ann, null)
    expect(found?.failure).toEqual({ reason: 'complaint', since: expect.stringMatching(/Z$/) })
  })

  test.each([
    ['ANN@EXAMPLE.ORG', 'case'],
    ['ann@example.org.', 'the dot at the end of a domain'],
    ['"ann"@example.org', 'quotes that are not needed'],
  ])('%s is treated as the same address, ignoring %s', async variant => {
    const account = await newAccount()
    await account.report(bounced(variant))
    expect(await account.refused(ann, receipt)).toBe('bounce')
    expect(await account.list(`&address=${encodeURIComponent(ann)}`)).toHaveLength(1)
    expect(await account.list(`&address=${encodeURIComponent(variant)}`)).toHaveLength(1)
    expect(await account.list('&address=anne@example.org')).toEqual([])
  })

  test('addresses that differ in dots or plus signs are different addresses', async () => {
    const account = await newAccount()
    await account.report(bounced('ann.b+shop@example.org'))
    expect(await account.refused('annb@example.org', receipt)).toBeNull()
    expect(await account.refused('ann.b@example.org', receipt)).toBeNull()
    expect(await account.refused('Ann.B+Shop@example.org', receipt)).toBe('bounce')
  })

  test('several reports about one address, in one request or more, create one suppression', async () => {
    const account = await newAccount()
    await account.report([bounced(), bounced('Ann@example.org'), bounced('bob@example.org'), bounced()])
    await account.report(bounced())
    expect((await account.list()).map(one => one.address)).toEqual(['bob@example.org', ann])
  })

  test('a duplicate report does not suppress the address again, even after the suppression was lifted', async () => {
    const account = await newAccount()
    const report = { ...bounced(), outcome_id: 'o1' }
    await account.report(report)
    const [first] = await account.list()
    expect(await account.lift(first?.id)).toBe(204)
    expect((await account.report(report)).accepted).toBe(0)
    expect(await account.refused(ann, receipt)).toBeNull()
  })

  test('a lifted suppression stays as history, and a new bounce creates a new one', async () => {
    const account = await newAccount()
    await account.report(bounced())
    const [first] = await account.list()
    expect(await account.lift(first?.id)).toBe(204)
    expect(await account.refused(ann, receipt)).toBeNull()
    expect(await account.list()).toEqual([])
    const [lifted] = await account.list('&state=lifted')
    expect(lifted).toMatchObject({ id: first?.id, state: 'lifted', lifted_at: expect.any(String) })

    expect(await account.lift(first?.id)).toBe(204)
    expect(await account.list('&state=lifted')).toEqual([lifted])

    await account.report(bounced())
    expect(await account.refused(ann, receipt)).toBe('bounce')
    const all = await account.list('&state=active,lifted')
    expect(all.map(one => one.state)).toEqual(['active', 'lifted'])
  })

  test('lifting a bounce suppression does not lift a complaint', async () => {
    const account = await newAccount()
    await account.report([bounced(), { email_id: 'a1', recipient: ann, disposition: 'complaint' }])
    const [bounce] = await account.list('&reason=bounce')
    await account.lift(bounce?.id)
    expect(await account.refused(ann, receipt)).toBe('complaint')
  })

  test('an account suppresses an address manually, for all mail or a list, and repeating it changes nothing', async () => {
    const account = await newAccount()
    const made = await account.suppress({ address: 'Ann@EXAMPLE.org' })
    expect(made).toMatchObject({
      address: 'Ann@example.org',
      reason: 'manual',
      scope: { type: 'all_mail', id: null },
      email_id: null,
      event_id: null,
    })
    expect(await account.suppress({ address: ann, scope: { type: 'all_mail' } })).toEqual(made)
    await account.suppress({ address: 'bob@example.org', scope: { type: 'list', id: 'news' } })
    expect(await account.refused(ann, receipt)).toBe('manual')
    expect(await account.refused('bob@example.org', receipt)).toBeNull()
    expect(await account.refused('bob@example.org', newsletter)).toBe('manual')
    const log = await call(app, 'GET', '/v1/audit-log?action=suppression.created', { as: account.as })
    expect(log.body['data']).toHaveLength(2)
  })

  test.each([
    [{}, '/address'],
    [{ address: 'ann' }, '/address'],
    [{ address: 'ann@example.org\r\nBcc: eve@evil.example' }, '/address'],
    [{ address: 'ann\u0000@example.org' }, '/address'],
    [{ address: `${'a'.repeat(400)}@example.org` }, '/address'],
    [{ address: ann, scope: { type: 'everything' } }, '/scope/type'],
    [{ address: ann, scope: { type: 'list' } }, '/scope/id'],
    [{ address: ann, scope: { type: 'all_mail', id: 'news' } }, '/scope/id'],
    [{ address: ann, scope: { type: 'list', id: '' } }, '/scope/id'],
    [{ address: ann, reason: 'bounce' }, '/reason'],
  ])('%j is rejected with a reason', async (json, path) => {
    const account = await newAccount()
    const answer = await call(app, 'POST', '/v1/suppressions', { as: account.as, json })
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([422, path])
    expect(await account.list()).toEqual([])
  })

  test('another account’s suppressions cannot be seen or lifted, and do not apply', async () => {
    const [mine, other] = [await newAccount(), await newAccount()]
    await mine.report(bounced())
    await other.suppress({ address: 'bob@example.org' })
    const [suppression] = await mine.list()
    expect(await other.lift(suppression?.id)).toBe(404)
    expect(await other.refused(ann, receipt)).toBeNull()
    expect(await other.list(`&address=${ann}`)).toEqual([])
    expect(await mine.refused(ann, receipt)).toBe('bounce')
  })

  test('the list is filtered and paged, newest first', async () => {
    const account = await newAccount()
    await account.report(Array.from({ length: 5 }, (_, n) => bounced(`r${n}@example.org`)))
    await account.suppress({ address: ann })
    expect(await account.list('&reason=manual')).toMatchObject([{ address: ann }])
    expect(await account.list('&reason=manual,bounce')).toHaveLength(6)
    const paged: string[] = []
    let cursor = ''
    do {
      const { body } = await call(app, 'GET', `/v1/suppressions?limit=2${cursor && `&cursor=${cursor}`}`, {
        as: account.as,
      })
      paged.push(...(body['data'] as Suppression[]).map(one => one.id))
      cursor = (body['next_cursor'] as string | null) ?? ''
    } while (cursor !== '')
    expect(paged).toEqual((await account.list()).map(one => one.id))
    for (const query of ['&reason=spam', '&state=gone', '&address=ann', '&address=%00@x.y', '&list=x']) {
      const answer = await call(app, 'GET', `/v1/suppressions?limit=2${query}`, { as: account.as })
      expect([query, answer.status]).toEqual([query, 422])
    }
  })

  test('an erased recipient’s address is no longer stored, and still gets no mail', async () => {
    const account = await newAccount()
    await account.report([bounced('Ann@example.org'), bounced('bob@example.org')])
    await account.suppress({ address: ann })
    const headers = { 'idempotency-key': 'once' }
    const json = { address: 'ANN@example.org', scope: { type: 'all_lists' } }
    await call(app, 'POST', '/v1/suppressions', { as: account.as, json, headers })
    const erased = await call(app, 'POST', '/v1/erasures', { as: account.as, json: { recipient: ann } })
    expect(erased.status).toBe(202)
    await advanceErasures(app.ctx)

    expect((await account.list()).map(one => one.address)).toEqual([null, null, 'bob@example.org', null])
    expect(await account.refused(ann, receipt)).toBe('bounce')
    expect(await account.list(`&address=${ann}`)).toHaveLength(3)
    const stored = await db.query<{ text: string }>(
      `select s::text as text from suppression s where s.account_id = $1
       union all select a::text from audit_entry a where a.account_id = $1
       union all select i::text from idempotency_key i where i.account_id = $1`,
      [account.accountUuid],
    )
    expect(stored.map(row => row.text).join('\n')).not.toMatch(/ann@/i)
    // a late report does not restore the address
    await account.report(bounced('Ann@example.org'))
    expect((await account.list('&reason=bounce')).map(one => one.address)).toEqual(['bob@example.org', null])
  })
})
