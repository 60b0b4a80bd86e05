import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VerbSettings } from '../../src/context.ts'
import type { Database } from '../../src/db/database.ts'
import { maintenanceJobs } from '../../src/maintenance/maintenance-jobs.ts'
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
    /** Stores outcomes of now, or of some hours ago. */
    count: (outcomes: Record<string, number>, hoursAgo?: number) => Promise<void>
    notices: () => Promise<Array<{ type: string; data: Record<string, unknown> }>>
    /** Reads as the customer. */
    get: (path: string) => Promise<Answer['body']>
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
      get: async path => (await call(app, 'GET', path, { as })).body,
      count: async (outcomes, hoursAgo = 0) => {
        for (const [what, count] of Object.entries(outcomes)) {
          const [type, reason = ''] = what.split(' ')
          await db.query(
            `insert into outcome_stat (account_id, at, width_seconds, type, reason, count, domains, domain_counts)
             values ($1, now() - make_interval(hours => $5), 60, $2::event_type, $3, $4, '{}', '{}')`,
            [accountUuid, type, reason, count, hoursAgo],
          )
        }
      },
      notices: async () => {
        const rows = await db.query<{ body: string }>(
          `select convert_from(body, 'UTF8') as body from event where account_id = $1 order by id`,
          [accountUuid],
        )
        return rows.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> })
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

  /** Until the hour or day of UTC ends. */
  const secondsLeft = async (period: string): Promise<number> => {
    const [row] = await db.query<{ left: number }>(
      `select extract(epoch from date_trunc($1, now(), 'UTC') + ('1 ' || $1)::interval - now())::float8 as left`,
      [period],
    )
    return row?.left ?? Number.NaN
  }

  test.each([
    ['hour', 3_600],
    ['day', 86_400],
  ])(
    'an account sends no more messages per %s than its limit, and the answer says when it may',
    async (period, seconds) => {
      const { accountUuid, send, change, get } = await newSender({ [`messages_per_${period}`]: 3 })
      expect((await send(2)).status).toBe(202)
      const refused = await send(2)
      expect([refused.status, refused.body.code]).toEqual([429, 'quota_exceeded'])
      const wait = Number(refused.headers['retry-after'])
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(seconds)
      // a few seconds may have passed, or the next period may have begun
      expect((seconds + wait - (await secondsLeft(period))) % seconds).toBeLessThan(60)
      // what was refused does not count, and is not stored
      expect((await send()).status).toBe(202)
      expect((await get('/v1/emails'))['data']).toHaveLength(2)
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

  test('if both limits are reached, the answer names the day, because it ends later', async () => {
    const { send } = await newSender({ messages_per_hour: 2, messages_per_day: 2 })
    expect((await send(2)).status).toBe(202)
    expect(await send()).toMatchObject({
      status: 429,
      body: { detail: expect.stringContaining('2 messages per day') },
    })
  })

  test('customer and operator see the limits, what was sent and a suspension', async () => {
    const { accountUuid, send, change, get } = await newSender()
    const counts = { messages_this_hour: null, messages_this_day: null }
    expect(await get('/v1/sending-limits')).toMatchObject({ ...counts, suspended_at: null })
    await change({ messages_per_day: 3 })
    await send(2)
    expect((await send(2)).status).toBe(429)
    const used = { messages_per_hour: null, messages_this_hour: 2, messages_per_day: 3, messages_this_day: 2 }
    const limits = await get('/v1/sending-limits')
    expect(limits).toMatchObject(used)
    for (const [period, seconds] of [
      ['hour', 3_600],
      ['day', 86_400],
    ] as const) {
      const left = (Date.parse(String(limits[`${period}_ends_at`])) - Date.now()) / 1_000
      expect((seconds + left - (await secondsLeft(period))) % seconds).toBeLessThan(60)
    }

    await db.query(
      `update sent_count set hour_at = hour_at - interval '1 hour', day_at = day_at - interval '1 day' where account_id = $1`,
      [accountUuid],
    )
    const none = { messages_this_hour: 0, messages_this_day: 0 }
    expect(await get('/v1/sending-limits')).toMatchObject(none)
    const { body } = await change({ suspended: true })
    expect(body).toMatchObject(none)
    expect(await get('/v1/sending-limits')).toMatchObject({
      suspended_reason: 'operator',
      suspended_at: body['suspended_at'],
    })
    // they change by themselves, so no entry of the audit log has them
    expect(JSON.stringify(await get('/v1/audit-log'))).not.toContain('messages_this')
  })

  test('requests at the same time do not exceed the limit together', async () => {
    const { send } = await newSender({ messages_per_hour: 5 })
    const answers = await Promise.all(Array.from({ length: 10 }, async () => await send()))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(5)
  })

  test('an account with too many bounces is suspended with a notice, and the operator lifts it', async () => {
    const { accountUuid, send, change, count, notices, get } = await newSender()
    await count({ 'email.delivered': 80, 'email.bounced invalid_recipient': 20 })
    expect(await suspended({ ...suspension, bounceRate: 0.2 })).toEqual([])
    expect(await suspended()).toEqual([accountUuid])
    const refused = await send()
    expect([refused.status, refused.body.code]).toEqual([403, 'sending_suspended'])
    expect(await notices()).toMatchObject([
      {
        type: 'sending.suspended',
        data: { reason: 'bounce_rate', rate: 0.2, message: expect.stringContaining('(20%)') },
      },
    ])
    const details = { suspended_reason: 'bounce_rate', suspended_at: expect.any(String) }
    const { data: entries } = await get('/v1/audit-log')
    expect(entries).toContainEqual(
      expect.objectContaining({
        action: 'account.updated',
        actor: expect.objectContaining({ kind: 'system' }),
        before: expect.objectContaining({ suspended_reason: null, suspended_at: null }),
        after: expect.objectContaining(details),
      }),
    )
    expect(await suspended()).toEqual([])

    expect((await change({ name: 'Renamed' })).body).toMatchObject(details)
    // suspending it again keeps the reason
    expect((await change({ suspended: true })).body).toMatchObject(details)
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
    const [bad, good, atLimit] = [await newSender(), await newSender(), await newSender()]
    await bad.count({ 'email.delivered': 100, 'email.failed policy': 150, 'email.unsubscribed complaint': 2 })
    await good.count({ 'email.delivered': 100, 'email.unsubscribed one_click': 50 })
    await atLimit.count({
      'email.delivered': 100,
      'email.failed policy': 50,
      'email.unsubscribed complaint': 1,
    })
    expect(await suspended()).toEqual([bad.accountUuid])
    expect(await bad.notices()).toMatchObject([{ data: { reason: 'complaint_rate', rate: 0.02 } }])
    expect((await good.send()).status).toBe(202)
  })

  test('failures are outcomes, but not bounces', async () => {
    const [failing, mixed] = [await newSender(), await newSender()]
    await failing.count({ 'email.delivered': 50, 'email.failed policy': 50 })
    await mixed.count({
      'email.delivered': 80,
      'email.failed policy': 40,
      'email.bounced invalid_recipient': 12,
    })
    expect(await suspended()).toEqual([])
    await mixed.count({ 'email.bounced invalid_recipient': 3 })
    expect(await suspended()).toEqual([mixed.accountUuid])
  })

  test('only outcomes of the last 24 hours count', async () => {
    const { accountUuid, count } = await newSender()
    await count({ 'email.bounced invalid_recipient': 100 }, 25)
    expect(await suspended()).toEqual([])
    await count({ 'email.bounced invalid_recipient': 100 }, 23)
    expect(await suspended()).toEqual([accountUuid])
  })

  test('few outcomes suspend nobody, nor do any without the operator’s limits', async () => {
    const { count, send } = await newSender()
    await count({ 'email.bounced invalid_recipient': 99 })
    expect(await suspended()).toEqual([])
    await count({ 'email.bounced invalid_recipient': 1 })
    expect(await suspended({ bounceRate: null, complaintRate: null, outcomesMin: 1 })).toEqual([])
    expect(await suspended({ ...suspension, bounceRate: null })).toEqual([])
    expect((await send()).status).toBe(202)
    expect(await suspended({ ...suspension, complaintRate: null })).toHaveLength(1)
  })

  test('two processes at the same time suspend an account once, with one notice', async () => {
    const { accountUuid, count, notices } = await newSender()
    await count({ 'email.bounced invalid_recipient': 100 })
    const answers = await Promise.all([suspended(), suspended(), suspended()])
    expect(answers.flat()).toEqual([accountUuid])
    expect(await notices()).toHaveLength(1)
  })

  test('the maintenance job suspends with the time of its gate, and reports the account', async () => {
    const { accountUuid, count } = await newSender()
    await count({ 'email.bounced invalid_recipient': 100 })
    const ctx = verbContext(db)
    const reported: string[] = []
    let gateMs: number | null = null
    const [job] = maintenanceJobs(
      { ...ctx, settings: { ...ctx.settings, suspension } },
      { pass: () => Promise.resolve(gateMs) },
      {
        embedded: false,
        onHealth: () => {},
        onExpired: () => {},
        onSuspended: accountId => reported.push(accountId),
      },
    ).filter(({ name }) => name === 'suspensions')
    await job?.run()
    expect(reported).toEqual([])
    gateMs = Date.now()
    await job?.run()
    expect(reported).toEqual([accountUuid])
  })

  test('the operator can suspend an account, and lifting no suspension changes nothing', async () => {
    const { accountUuid, send, change, count } = await newSender()
    expect((await change({ suspended: true })).body).toMatchObject({
      suspended_reason: 'operator',
      suspended_at: expect.any(String),
    })
    expect((await send()).body.code).toBe('sending_suspended')
    expect((await change({ suspended: false })).body).toMatchObject({ suspended_reason: null })
    await count({ 'email.bounced invalid_recipient': 100 })
    await change({ suspended: false })
    expect(await suspended()).toEqual([accountUuid])
  })

  test('a deleted account is not suspended', async () => {
    const { accountUuid, count, notices } = await newSender()
    await count({ 'email.bounced invalid_recipient': 100 })
    await db.query('update account set deleted_at = now() where id = $1', [accountUuid])
    expect(await suspended()).toEqual([])
    expect(await notices()).toEqual([])
  })

  test('an account may be created with its limits', async () => {
    const limits = { messages_per_hour: 3, messages_per_day: 5 }
    const json = { name: 'Limited', ...limits }
    expect((await call(app, 'POST', '/v1/accounts', { as: operatorToken, json })).body).toMatchObject(limits)
  })
})
