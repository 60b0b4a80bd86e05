import { randomBytes } from 'node:crypto'
import type { Event, OutcomesAccepted, Problem } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService, type Service } from '../../src/service.ts'
import { allEvents, connectApi, type Customer, newCustomer } from '../support/api.ts'
import { openShards, type TestInstallation } from '../support/shards.ts'
import { type DatabasePlace, newDatabasePlace, newestServer } from '../support/test-database.ts'
import { type Asked, ask, outcome } from './report-at.ts'

let shards: TestInstallation
let ann: Customer
let bob: Customer

beforeAll(async () => {
  shards = await openShards(2)
  ann = await shards.customerOn(0)
  bob = await shards.customerOn(1)
})
afterAll(async () => await shards[Symbol.asyncDispose]())

const report = async <T = OutcomesAccepted>(body: unknown, headers = {}): Promise<Asked<T>> =>
  await ask<T>(shards, '/v1/outcomes', body, headers)

/** The email that each event is about, in the given order. */
async function emailsOf(events: readonly string[]): Promise<string[]> {
  const known = new Map<string, Event>()
  for (const { api } of [ann, bob]) for (const event of await allEvents(api)) known.set(event.id, event)
  return events.map(id => known.get(id)?.data.email_id ?? '')
}

async function countStored(): Promise<number> {
  return (await allEvents(ann.api)).length + (await allEvents(bob.api)).length
}

describe('a report for two shards', () => {
  test.each(['array', 'lines'])('is answered in the order of its outcomes: %s', async form => {
    const items = [bob, ann, ann, bob, ann].map(({ accountId }, n) => outcome(accountId, `${form}-${n}`))
    const isLines = form === 'lines'
    const { status, body } = await report(
      isLines ? items.map(item => JSON.stringify(item)).join('\n\n') : items,
      isLines ? { 'content-type': 'application/x-ndjson' } : {},
    )
    expect({ status, accepted: body.accepted, ignored: body.ignored }).toEqual({
      status: 202,
      accepted: 5,
      ignored: [],
    })
    expect(await emailsOf(body.events)).toEqual(items.map(item => item.data.email_id))
  })

  test('ignores outcomes that are not new or not final, at their places in the report', async () => {
    const raw = (account_id: string, id: string, code: number): object => ({
      account_id,
      outcome_id: id,
      email_id: id,
      recipient: 'ann@example.org',
      reply: { code },
    })
    const first = await report([outcome(bob.accountId, 'known'), outcome(ann.accountId, 'other')])
    const { body } = await report([
      raw(ann.accountId, 'raw-1', 451),
      outcome(bob.accountId, 'known'),
      raw(bob.accountId, 'raw-2', 550),
      raw(bob.accountId, 'raw-3', 421),
      outcome(ann.accountId, 'new'),
    ])
    expect(body).toEqual({
      accepted: 2,
      events: [expect.stringMatching(/^evt_/), expect.stringMatching(/^evt_/)],
      ignored: [
        { index: 0, reason: 'temporary' },
        { index: 1, reason: 'duplicate', event_id: first.body.events[0] },
        { index: 3, reason: 'temporary' },
      ],
    })
    expect(await emailsOf(body.events)).toEqual(['raw-2', 'new'])
  })

  test('stores nothing new when it is repeated, with and without an Idempotency-Key', async () => {
    const items = [ann, bob, ann].map(({ accountId }, n) => outcome(accountId, `repeated-${n}`))
    const headers = { 'idempotency-key': 'mixed-1' }
    const first = await report(items, headers)
    const stored = await countStored()

    const again = await report(items, headers)
    expect(again).toMatchObject({ status: 202, body: first.body })
    expect([first, again].map(one => one.headers.get('idempotency-replayed'))).toEqual([null, 'true'])

    const { events } = first.body
    const ignored = events.map((event_id, index) => ({ index, reason: 'duplicate', event_id }))
    expect((await report(items)).body).toEqual({ accepted: 0, events: [], ignored })
    expect(await countStored()).toBe(stored)

    const other = [...items.slice(1), outcome(ann.accountId, 'repeated-9')]
    expect(await report<Problem>(other, headers)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    })
  })

  test('needs an outcome_id in each outcome, unless POSTHORN_MIXED_REPORTS=any', async () => {
    const { outcome_id: _, ...without } = outcome(bob.accountId, 'without')
    const items = [outcome(ann.accountId, 'with'), without]
    const stored = await countStored()
    expect(await report<Problem>(items)).toMatchObject({
      status: 422,
      body: {
        code: 'validation_failed',
        errors: [
          { path: '/1/outcome_id', message: expect.stringMatching('only an outcome_id makes it safe') },
        ],
      },
    })
    expect(await countStored()).toBe(stored)
    // the accounts of one shard need none
    expect((await report([without, without])).body.accepted).toBe(2)

    await using lenient = await shards.openFront({ POSTHORN_MIXED_REPORTS: 'any' })
    const { body } = await ask<OutcomesAccepted>({ ...shards, url: lenient.url }, '/v1/outcomes', items)
    expect(await emailsOf(body.events)).toEqual(['with', 'without'])
  })

  test('finds the shard of an account that was created a moment ago', async () => {
    const customer = await shards.customerOn(1)
    const items = [outcome(ann.accountId, 'beside-new'), outcome(customer.accountId, 'of-new')]
    expect((await report(items)).body.accepted).toBe(2)
  })
})

describe('a report with a mistake', () => {
  let place: DatabasePlace
  let single: Service
  let adminToken: string
  let carl: Customer
  beforeAll(async () => {
    place = await newDatabasePlace(newestServer())
    adminToken = `pha_${randomBytes(24).toString('hex')}`
    const { config } = readConfig({
      POSTHORN_HOST: '127.0.0.1',
      POSTHORN_PORT: '0',
      POSTHORN_DATA_DIR: place.dataDir,
      DATABASE_URL: place.databaseUrl ?? '',
      POSTHORN_ADMIN_TOKEN: adminToken,
      POSTHORN_MASTER_KEYS: `test:${randomBytes(32).toString('base64')}`,
    })
    single = await openService(config, createLog('silent'))
    carl = await newCustomer(single.url, connectApi(single.url, adminToken))
  })
  afterAll(async () => {
    await single[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })

  const nobody = 'acct_01h455vb4pex5vsknk084sn02q'
  const lines = { 'content-type': 'application/x-ndjson' }
  /** Two good outcomes, for two accounts. */
  type Good = readonly [first: ReturnType<typeof outcome>, second: ReturnType<typeof outcome>]
  const mistakes: Array<[what: string, of: (good: Good) => unknown, headers?: Record<string, string>]> = [
    ['an unknown account', good => [...good, outcome(nobody, 'x')]],
    ['an unknown account alone', () => outcome(nobody, 'x')],
    ['an unknown account of an ignored outcome', good => [...good, temporary(nobody)]],
    [
      'two unknown accounts, of which one is ignored',
      good => [outcome(nobody, 'x'), ...good, temporary(nobody)],
    ],
    ['no account', good => [...good, { ...good[0], account_id: undefined }]],
    ['an account that is not an id', good => [...good, { ...good[0], account_id: 'acct_1' }]],
    ['an unknown type', good => [...good, { ...good[0], type: 'email.opened' }]],
    ['data without a type', good => [...good, { ...good[0], type: undefined }]],
    ['several wrong fields', good => [{ ...good[0], x: 1 }, good[1], { ...good[1], occurred_at: 'today' }]],
    ['an event that is too large', good => [...good, large(good[1])]],
    ['text that is not JSON', () => '[{'],
    ['a line that is not JSON', good => good.map(item => JSON.stringify(item)).join('\n{'), lines],
    ['a number that a double cannot hold', good => `[${JSON.stringify(good[0])},9007199254740993]`],
    ['no outcomes', () => []],
    ['too many outcomes', good => Array.from({ length: 1_001 }, () => good[0])],
    ['another media type', good => good, { 'content-type': 'text/plain' }],
    ['an Idempotency-Key that is too long', good => good, { 'idempotency-key': 'k'.repeat(256) }],
  ]

  test.each(mistakes)(
    'has the answer of a single service, and no shard stores it: %s',
    async (_, of, headers = {}) => {
      const stored = await countStored()
      const expected = await ask<Problem>(
        { url: single.url, adminToken },
        '/v1/outcomes',
        of([outcome(carl.accountId, 'good-1'), outcome(carl.accountId, 'good-2')]),
        headers,
      )
      const answered = await report<Problem>(
        of([outcome(ann.accountId, 'good-1'), outcome(bob.accountId, 'good-2')]),
        headers,
      )
      expect(expected.status).toBeGreaterThanOrEqual(400)
      expect({ ...answered.body, request_id: '' }).toEqual({ ...expected.body, request_id: '' })
      expect(answered.headers.get('content-type')).toBe(expected.headers.get('content-type'))
      expect(await countStored()).toBe(stored)
    },
  )

  test('has the answer of a single service if the body is too large', async () => {
    const body = `[${' '.repeat(10 * 1024 * 1024)}]`
    const expected = await ask<Problem>({ url: single.url, adminToken }, '/v1/outcomes', body)
    const answered = await report<Problem>(body)
    expect({ ...answered.body, request_id: '' }).toEqual({ ...expected.body, request_id: '' })
    expect(answered.status).toBe(413)
  })

  test('is refused without a valid credential before it is read', async () => {
    for (const credential of ['', 'pha_wrong', `phk_${'0'.repeat(36)}`]) {
      const answered = await ask<Problem>({ url: shards.url, adminToken: credential }, '/v1/outcomes', '[{')
      expect(answered).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    }
  })
})

function temporary(account_id: string): object {
  return { account_id, email_id: 'e', recipient: 'ann@example.org', reply: { code: 451 } }
}

function large(good: ReturnType<typeof outcome>): object {
  // many small values, because the contract limits the length of each
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`m${n}`, '\u00e9'.repeat(4_000)]))
  return { ...good, data: { ...good.data, metadata } }
}
