import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { createUuidV7 } from '../../src/domain/uuid-v7.ts'
import { call, newCustomer, openTestApp, operatorToken, randomKey, type TestApp } from '../http/test-app.ts'
import { allBackends, openTestDatabase, serverBackends } from '../support/test-database.ts'
import { newIntake } from './new-intake.ts'

const newId = createUuidV7(
  () => Date.now(),
  length => crypto.getRandomValues(new Uint8Array(length)),
)

interface Reported {
  accepted: number
  events: string[]
  ignored: Array<{ index: number; reason: string; event_id?: string }>
}

const unknownUser = { text: '550 5.1.1 User unknown' }
const ok = { code: 250, text: '250 2.0.0 OK' }

describe.each(allBackends())('raw outcomes on $name', backend => {
  let db: Database
  let app: TestApp
  let customer: Awaited<ReturnType<typeof newCustomer>>
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    app = await openTestApp(db, { intake: newIntake(db) })
    customer = await newCustomer(app)
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  const report = async (body: unknown, headers: Record<string, string> = {}): Promise<Reported> => {
    const answer = await call(app, 'POST', '/v1/outcomes', { as: customer.apiKey, json: body, headers })
    expect(answer).toMatchObject({ status: 202 })
    return answer.body as unknown as Reported
  }

  const bodyOf = async (id: string | undefined): Promise<Record<string, unknown>> => {
    const answer = await call(app, 'GET', `/v1/events/${id}`, { as: customer.apiKey })
    return answer.body['data'] as Record<string, unknown>
  }

  const emailId = (): string => `em-${newId()}`

  test('the mail server’s reply becomes the event, with everything that was reported', async () => {
    const email_id = emailId()
    const { events } = await report({
      email_id,
      recipient: 'ann@Example.org',
      stage: 'rcpt_to',
      reply: unknownUser,
      remote_mta: { name: 'mx1.example.org', ip: '192.0.2.7' },
      reporting_mta: 'mta.acme.example',
      occurred_at: '2026-11-21T04:00:00Z',
      attempts: 2,
      tags: { kind: 'receipt' },
    })
    expect(await bodyOf(events[0])).toEqual({
      email_id,
      to: ['ann@example.org'],
      recipient: 'ann@example.org',
      occurred_at: '2026-11-21T04:00:00.000Z',
      tags: { kind: 'receipt' },
      bounce: {
        type: 'permanent',
        category: 'invalid_recipient',
        message: 'The mailbox does not exist.',
        timing: 'synchronous',
        evidence: 'enhanced_status_code',
      },
      smtp_response: { code: 550, enhanced_code: '5.1.1', message: 'User unknown', command: 'RCPT TO' },
      remote_mta: { name: 'mx1.example.org', ip: '192.0.2.7' },
      reporting_mta: 'mta.acme.example',
      attempts: 2,
      decided_by: 'The reply has the enhanced status code 5.1.1: the mailbox does not exist.',
    })
  })

  test('an email is delivered once, may bounce once after that, and then further outcomes are superseded', async () => {
    const it = { email_id: emailId(), recipient: 'ann@example.org' }
    expect(await report({ ...it, reply: { code: 451 } })).toMatchObject({
      ignored: [{ index: 0, reason: 'temporary' }],
    })
    expect(await report({ ...it, reply: ok })).toMatchObject({ accepted: 1 })
    expect(await report({ ...it, reply: ok })).toMatchObject({ ignored: [{ reason: 'superseded' }] })
    expect(await report({ ...it, reply: unknownUser, timing: 'asynchronous' })).toMatchObject({ accepted: 1 })
    for (const reply of [ok, unknownUser, { text: '552 5.2.2 full' }]) {
      expect(await report({ ...it, reply })).toMatchObject({
        accepted: 0,
        ignored: [{ index: 0, reason: 'superseded' }],
      })
    }
  })

  test('another recipient, another email and another account have separate states', async () => {
    const email_id = emailId()
    const other = await newCustomer(app)
    const item = { email_id, recipient: 'ann@example.org', reply: unknownUser }
    expect(
      await report([item, { ...item, recipient: 'bob@example.org' }, { ...item, email_id: emailId() }]),
    ).toMatchObject({ accepted: 3 })
    const answer = await call(app, 'POST', '/v1/outcomes', { as: other.apiKey, json: item })
    expect(answer.body).toMatchObject({ accepted: 1 })
  })

  test('one report may contain several outcomes of an email in order, along with decided outcomes', async () => {
    const it = { email_id: emailId(), recipient: 'ann@example.org' }
    const answer = await report([
      { ...it, reply: { code: 421 } },
      { ...it, reply: ok },
      { ...it, disposition: 'permanent', reply: unknownUser },
      { ...it, reply: unknownUser },
      { type: 'email.delivered', data: { email_id: 'a1', to: ['ann@example.org'] } },
      { ...it, stage: 'rcpt_to', reply: { code: 250 } },
    ])
    expect(answer).toMatchObject({
      accepted: 3,
      ignored: [
        { index: 0, reason: 'temporary' },
        { index: 3, reason: 'superseded' },
        { index: 5, reason: 'not_an_outcome' },
      ],
    })
  })

  test('an outcome reported again with its outcome_id is a duplicate of the first event', async () => {
    const item = { email_id: emailId(), recipient: 'ann@example.org', outcome_id: `o-${newId()}`, reply: ok }
    const { events } = await report(item)
    expect(await report(item)).toEqual({
      accepted: 0,
      events: [],
      ignored: [{ index: 0, reason: 'duplicate', event_id: events[0] }],
    })
    const other = { ...item, email_id: emailId() }
    expect(await report(other)).toMatchObject({ ignored: [{ reason: 'duplicate' }] })
    expect(await report({ ...other, outcome_id: `o-${newId()}` })).toMatchObject({ accepted: 1 })
  })

  test('a superseded report leaves its outcome_id free', async () => {
    const item = { email_id: emailId(), recipient: 'ann@example.org', reply: unknownUser }
    const outcome_id = `o-${newId()}`
    await report(item)
    expect(await report({ ...item, outcome_id })).toMatchObject({ ignored: [{ reason: 'superseded' }] })
    expect(await report({ ...item, email_id: emailId(), outcome_id })).toMatchObject({ accepted: 1 })
  })

  test('a complaint about a delivered email unsubscribes the recipient', async () => {
    const it = { email_id: emailId(), recipient: 'ann@example.org' }
    await report({ ...it, reply: ok })
    const { events } = await report({ ...it, disposition: 'complaint' })
    expect(await bodyOf(events[0])).toMatchObject({
      unsubscribe: { source: 'complaint', scope: { type: 'all' } },
    })
  })

  test('a repeated idempotency key gets the same response, including the ignored outcomes', async () => {
    const body = [
      { email_id: emailId(), recipient: 'ann@example.org', reply: { code: 451 } },
      { email_id: emailId(), recipient: 'ann@example.org', reply: unknownUser },
    ]
    const headers = { 'idempotency-key': randomKey() }
    const first = await report(body, headers)
    expect(first).toMatchObject({ accepted: 1, ignored: [{ index: 0, reason: 'temporary' }] })
    expect(await report(body, headers)).toEqual(first)
  })

  test('an error names the path in the report, and nothing of the report is stored', async () => {
    const good = { email_id: emailId(), recipient: 'ann@example.org', reply: unknownUser }
    for (const [bad, path] of [
      [{ ...good, recipient: 'ann' }, '/1/recipient'],
      [{ ...good, reply: { code: 999 } }, '/1/reply/code'],
      [{ ...good, disposition: 'bounced' }, '/1/disposition'],
      [{ ...good, subject: 'x'.repeat(999) }, '/1/subject'],
      [{ ...good, surprise: 1 }, '/1/surprise'],
    ] as const) {
      const answer = await call(app, 'POST', '/v1/outcomes', { as: customer.apiKey, json: [good, bad] })
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ path }] } })
    }
    expect(await report(good)).toMatchObject({ accepted: 1 })
  })

  test('the operator must name an existing account, even if the outcome would be ignored', async () => {
    const body = {
      account_id: 'acct_01kaf8j6g0e8xr4c3rgr5qd3mf',
      email_id: 'a',
      recipient: 'ann@example.org',
    }
    for (const code of [451, 550]) {
      const answer = await call(app, 'POST', '/v1/outcomes', {
        as: operatorToken,
        json: { ...body, reply: { code } },
      })
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: '/account_id' }] } })
    }
  })
})

describe.each(serverBackends())('two processes on $name', backend => {
  test('the same outcomes reported to both at once give each recipient one final outcome', async () => {
    await using db = await openTestDatabase(backend)
    await using app = await openTestApp(db, {})
    const { accountUuid: accountId } = await newCustomer(app)
    const processes = [newIntake(db), newIntake(db)]
    const recipients = Array.from({ length: 20 }, (_, n) => `r${n}@example.org`)
    const outcome = (type: 'email.delivered' | 'email.bounced' | 'email.failed', recipient: string) => ({
      accountId,
      type,
      data: { email_id: 'a1', to: [recipient], occurred_at: '2026-11-21T04:00:00.000Z' },
      outcomeId: null,
      isOncePerRecipient: true,
    })
    const sets = [recipients, recipients.toReversed()]
    await Promise.all(
      Array.from({ length: 24 }, async (_, n) => {
        const type = n % 3 === 0 ? 'email.delivered' : n % 3 === 1 ? 'email.bounced' : 'email.failed'
        const all = (sets[n % 2] ?? []).map(recipient => outcome(type, recipient))
        await processes[n % 2]?.group(all)
      }),
    )
    const rows = await db.query<{ recipient: string; ends: number; deliveries: number }>(
      `select convert_from(body, 'UTF8')::jsonb #>> '{data,to,0}' as recipient,
         count(*) filter (where type <> 'email.delivered')::int as ends,
         count(*) filter (where type = 'email.delivered')::int as deliveries
       from event where account_id = $1 group by 1`,
      [accountId],
    )
    expect(rows).toHaveLength(20)
    expect(rows.every(row => row.ends === 1 && row.deliveries <= 1)).toBe(true)
  })

  test('one outcome_id reported to both at once creates one event, whether the outcome is raw or decided', async () => {
    await using db = await openTestDatabase(backend)
    await using app = await openTestApp(db, {})
    const { accountUuid: accountId } = await newCustomer(app)
    const processes = [newIntake(db), newIntake(db)]
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, async (_, n) => {
          const to = [`r${n}@example.org`]
          return await processes[n % 2]?.group([
            {
              accountId,
              type: 'email.bounced',
              data: { email_id: `b${round}`, to, occurred_at: '2026-11-21T04:00:00.000Z' },
              outcomeId: `same ${round}`,
              ...(n % 4 !== 0 && { isOncePerRecipient: true }),
            },
          ])
        }),
      )
      expect(answers.reduce((sum, answer) => sum + (answer?.accepted ?? 0), 0)).toBe(1)
      const states = await db.query('select event_id from recipient_state')
      const orphans = await db.query(
        'select s.event_id from recipient_state s where not exists (select from event e where e.id = s.event_id)',
      )
      expect([states.length <= round + 1, orphans]).toEqual([true, []])
    }
  })
})
