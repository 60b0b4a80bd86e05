import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VerbSettings } from '../../src/context.ts'
import type { Database } from '../../src/db/database.ts'
import { suspendSenders } from '../../src/stats/suspend-senders.ts'
import { type Answer, call, newCustomer, openTestApp, operatorToken, type TestApp } from '../http/test-app.ts'
import { openTestDatabase, verbBackends } from '../support/test-database.ts'
import { verbContext } from '../verbs/verb-context.ts'

const suspension: VerbSettings['suspension'] = { bounceRate: 0.1, complaintRate: 0.01, outcomesMin: 100 }

describe.each(verbBackends())('sending limits on $name', backend => {
  let db: Database
  let app: TestApp
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    app = await openTestApp(db)
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  interface Sender {
    accountUuid: string
    /** Sends an email to this many recipients. */
    send: (recipients?: number) => Promise<Answer>
    change: (json: object) => Promise<Answer>
    /** Stores outcomes of this hour. */
    count: (outcomes: Record<string, number>) => Promise<void>
    noticeTypes: () => Promise<string[]>
  }

  async function newSender(limits: object = {}): Promise<Sender> {
    const { apiKey: as, accountId, accountUuid } = await newCustomer(app)
    const change = async (json: object): Promise<Answer> =>
      await call(app, 'PATCH', `/v1/accounts/${accountId}`, { as: operatorToken, json })
    expect((await change(limits)).status).toBe(200)
    const url = 'https://ops.example.com/x'
    expect((await call(app, 'PUT', '/v1/notice-webhook', { as, json: { url } })).status).toBe(200)
    return {
      accountUuid,
      change,
      send: async (recipients = 1) => {
        const to = Array.from({ length: recipients }, (_, at) => `r${at}@one.example`)
        const json = { from: 'a@shop.example', to, subject: 'Hi', text: 'x' }
        return await call(app, 'POST', '/v1/emails', { as, json })
      },
      count: async outcomes => {
        for (const [what, count] of Object.entries(outcomes)) {
          const [type, reason = ''] = what.split(' ')
          await db.query(
            `insert into outcome_stat (account_id, at, width_seconds, type, reason, count, domains, domain_counts)
             values ($1, now(), 60, $2::event_type, $3, $4, '{}', '{}')`,
            [accountUuid, type, reason, count],
          )
        }
      },
      noticeTypes: async () => {
        const rows = await db.query<{ type: string }>(
          'select type::text as type from event where account_id = $1 order by id',
          [accountUuid],
        )
        return rows.map(({ type }) => type)
      },
    }
  }

  const suspended = async (settings = suspension): Promise<string[]> => {
    const ctx = verbContext(db)
    const { suspended: ids } = await suspendSenders(
      { ...ctx, settings: { ...ctx.settings, suspension: settings } },
      Date.now(),
    )
    return ids
  }

  test.each([
    ['hour', 3_600],
    ['day', 86_400],
  ])(
    'an account sends no more messages per %s than its limit, and the answer says when it may',
    async (period, seconds) => {
      const { accountUuid, send, change } = await newSender({ [`messages_per_${period}`]: 3 })
      expect((await send(2)).status).toBe(202)
      const refused = await send(2)
      expect([refused.status, refused.body.code]).toEqual([429, 'quota_exceeded'])
      const wait = Number(refused.headers['retry-after'])
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(seconds)
      // what was refused does not count
      expect((await send()).status).toBe(202)
      expect((await send()).status).toBe(429)

      await db.query(
        `update sent_count set hour_at = hour_at - interval '1 hour', day_at = day_at - interval '1 day' where account_id = $1`,
        [accountUuid],
      )
      expect((await send(3)).status).toBe(202)
      expect((await send()).status).toBe(429)
      expect((await change({ [`messages_per_${period}`]: null })).body).toMatchObject({
        [`messages_per_${period}`]: null,
      })
      expect((await send(5)).status).toBe(202)
    },
  )

  test('requests at the same time do not exceed the limit together', async () => {
    const { send } = await newSender({ messages_per_hour: 5 })
    const answers = await Promise.all(Array.from({ length: 10 }, async () => await send()))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(5)
  })

  test('an account with too many bounces is suspended with a notice, and the operator lifts it', async () => {
    const { accountUuid, send, change, count, noticeTypes } = await newSender()
    await count({ 'email.delivered': 80, 'email.bounced invalid_recipient': 20 })
    expect(await suspended({ ...suspension, bounceRate: 0.2 })).toEqual([])
    expect(await suspended()).toEqual([accountUuid])
    const refused = await send()
    expect([refused.status, refused.body.code]).toEqual([403, 'sending_suspended'])
    expect(await noticeTypes()).toEqual(['sending.suspended'])
    expect(await suspended()).toEqual([])

    expect((await change({ name: 'Renamed' })).body).toMatchObject({ suspended_reason: 'bounce_rate' })
    expect((await change({ suspended: false })).body).toMatchObject({
      suspended_at: null,
      suspended_reason: null,
    })
    expect((await send()).status).toBe(202)
    expect(await suspended()).toEqual([])
    await count({ 'email.bounced invalid_recipient': 100 })
    expect(await suspended()).toEqual([accountUuid])
  })

  test('an account with too many complaints is suspended, and other unsubscriptions do not count', async () => {
    const [bad, good] = [await newSender(), await newSender()]
    await bad.count({ 'email.delivered': 100, 'email.unsubscribed complaint': 2 })
    await good.count({ 'email.delivered': 100, 'email.unsubscribed one_click': 50 })
    expect(await suspended()).toEqual([bad.accountUuid])
    expect((await good.send()).status).toBe(202)
  })

  test('few outcomes suspend nobody, nor do any without the operator’s limits', async () => {
    const { count, send } = await newSender()
    await count({ 'email.bounced invalid_recipient': 99 })
    expect(await suspended()).toEqual([])
    await count({ 'email.bounced invalid_recipient': 1 })
    expect(await suspended({ bounceRate: null, complaintRate: null, outcomesMin: 1 })).toEqual([])
    expect((await send()).status).toBe(202)
    expect(await suspended()).toHaveLength(1)
  })

  test('the operator can suspend an account', async () => {
    const { send, change } = await newSender()
    expect((await change({ suspended: true })).body).toMatchObject({ suspended_reason: 'operator' })
    expect((await send()).body.code).toBe('sending_suspended')
  })
})
