import { defaultEventTypes, sampleEvent } from '@posthorn/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import type { DecidedOutcome } from '../../src/domain/decided-outcome.ts'
import { typeId } from '../../src/domain/type-id.ts'
import { AppError } from '../../src/errors.ts'
import type { OutcomeIntake } from '../../src/outcomes/intake.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'
import {
  type Answer,
  call,
  newCustomer,
  openTestApp,
  operatorToken,
  randomKey,
  type TestApp,
} from './test-app.ts'

const eventId = typeId('evt', '01890a5d-ac96-774b-bcce-b302099a8057')
const nobody = typeId('acct', '01890a5d-ac96-774b-bcce-b302099a8057')

/** The outcomes that reached the intake. A refused report must not reach it. */
let stored: DecidedOutcome[] = []
let committed = 0
let refusal: AppError | null = null
/** Resolves when bulk reports may be stored. */
let bulkMayBeStored = Promise.resolve()

const intake: OutcomeIntake = {
  group: async outcomes => {
    if (refusal !== null) throw refusal
    if (outcomes.length > 100) await bulkMayBeStored
    stored.push(...outcomes)
    return { accepted: outcomes.length, events: outcomes.map(() => eventId), ignored: [] }
  },
  within: async (_tx, outcomes) => ({
    answer: await intake.group(outcomes),
    afterCommit: () => void committed++,
  }),
  runInLane: async (_outcomes, _bytes, transaction) => await transaction(),
}

let db: Database
let app: TestApp
let customer: Awaited<ReturnType<typeof newCustomer>>

beforeAll(async () => {
  db = await openTestDatabase(embedded)
  app = await openTestApp(db, { intake })
  customer = await newCustomer(app)
})

afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

beforeEach(() => {
  stored = []
  committed = 0
  refusal = null
})

const delivered = { type: 'email.delivered', data: { email_id: 'a1', to: ['ann@example.org'] } }

const report = (json: unknown, as = customer.apiKey): Promise<Answer> =>
  call(app, 'POST', '/v1/outcomes', { as, json })

const lines = (payload: string): Promise<Answer> =>
  call(app, 'POST', '/v1/outcomes', {
    as: customer.apiKey,
    payload,
    headers: { 'content-type': 'application/x-ndjson' },
  })

test('one object, an array and NDJSON lines are accepted', async () => {
  const answers = [
    await report(delivered),
    await report([delivered, delivered]),
    await lines(`${JSON.stringify(delivered)}\n\n${JSON.stringify(delivered)}\r\n`),
  ]
  expect(answers.map(answer => [answer.status, answer.body.accepted])).toEqual([
    [202, 1],
    [202, 2],
    [202, 2],
  ])
  expect(stored).toHaveLength(5)
  expect(stored[0]).toMatchObject({
    accountId: customer.accountUuid,
    type: 'email.delivered',
    outcomeId: null,
  })
})

test('the operator can report for any account, an API key only for its own', async () => {
  expect((await report({ ...delivered, account_id: customer.accountId }, operatorToken)).status).toBe(202)
  expect((await report({ ...delivered, account_id: customer.accountId })).status).toBe(202)
  expect(stored.map(outcome => outcome.accountId)).toEqual([customer.accountUuid, customer.accountUuid])
  const other = await report([delivered, { ...delivered, account_id: nobody }, { nonsense: true }])
  expect([other.status, other.body.code]).toEqual([403, 'account_mismatch'])
})

test('occurred_at comes from the data, else from the report, else from the arrival', async () => {
  await report({
    ...delivered,
    occurred_at: '2026-01-01T00:00:00Z',
    data: { ...delivered.data, occurred_at: '2026-01-02T00:00:00Z' },
  })
  await report({ ...delivered, occurred_at: '2026-01-01T00:00:00Z' })
  await report(delivered)
  expect(stored.map(outcome => outcome.data.occurred_at.slice(0, 10))).toEqual([
    '2026-01-02',
    '2026-01-01',
    new Date().toISOString().slice(0, 10),
  ])
})

test.each(['2016-12-31T23:59:60Z', '2016-12-31t23:59:60z', '2017-01-01t00:00:00.000z'])(
  'occurred_at may be written as %s',
  async occurred_at => {
    const answer = await report({
      ...delivered,
      occurred_at,
      data: { ...delivered.data, sent_at: occurred_at },
    })
    expect([answer.status, answer.body]).toEqual([202, expect.objectContaining({ accepted: 1 })])
    const [{ data }] = stored as [(typeof stored)[number]]
    expect([data.occurred_at, data['sent_at']]).toEqual(Array(2).fill('2017-01-01T00:00:00.000Z'))
  },
)

test.each(defaultEventTypes)('the sample of %s is accepted unchanged', async type => {
  const { data } = sampleEvent(type)
  expect((await report({ type, data, outcome_id: 'o1' })).status).toBe(202)
  expect(stored).toEqual([{ accountId: customer.accountUuid, type, data, outcomeId: 'o1' }])
})

const refused: [string, unknown, number, string, string[]][] = [
  ['an empty array', [], 422, 'validation_failed', ['']],
  ['a number', 5, 422, 'validation_failed', ['']],
  ['a null among others', [delivered, null], 422, 'validation_failed', ['/1']],
  ['data without a type', { data: { email_id: 'a', to: ['a@b.c'] } }, 422, 'validation_failed', ['/type']],
  [
    'raw outcomes of nobody',
    [{}, { email_id: 'a' }],
    422,
    'validation_failed',
    ['/0/email_id', '/0/recipient', '/1/recipient'],
  ],
  [
    'an unknown type',
    [delivered, { ...delivered, type: 'email.opened' }],
    422,
    'validation_failed',
    ['/1/type'],
  ],
  ['a type that is no text', { ...delivered, type: 7 }, 422, 'validation_failed', ['/type']],
  ['no data', { type: 'email.delivered' }, 422, 'validation_failed', ['/data']],
  ['an unknown field', { ...delivered, at: 1 }, 422, 'validation_failed', ['/at']],
  [
    'a bad address at its place',
    Array.from({ length: 4 }, (_, i) =>
      i === 3 ? { ...delivered, data: { email_id: 'a', to: ['ann'] } } : delivered,
    ),
    422,
    'validation_failed',
    ['/3/data/to/0'],
  ],
  [
    'an unknown field of data',
    { ...delivered, data: { ...delivered.data, clicked: 1 } },
    422,
    'validation_failed',
    ['/data/clicked'],
  ],
  [
    'an account id of another kind',
    { ...delivered, account_id: 7 },
    422,
    'validation_failed',
    ['/account_id'],
  ],
  [
    'an infinite number',
    '{"type":"email.delivered","data":{"email_id":"a","to":["a@b.c"],"metadata":{"n":1e999}}}',
    422,
    'validation_failed',
    ['/data/metadata/n'],
  ],
  [
    'a name that no map can keep',
    '{"type":"email.delivered","data":{"email_id":"a","to":["a@b.c"],"tags":{"__proto__":"x"},"metadata":{"__proto__":1}}}',
    422,
    'validation_failed',
    ['/data/tags/__proto__', '/data/metadata/__proto__'],
  ],
  [
    'the same in a raw outcome',
    '[{"email_id":"a","recipient":"a@b.c","disposition":"accepted","tags":{"__proto__":"x"}}]',
    422,
    'validation_failed',
    ['/0/tags/__proto__'],
  ],
]

test.each(refused)('%s is rejected and nothing is stored', async (_, json, status, code, paths) => {
  const answer =
    typeof json === 'string'
      ? await call(app, 'POST', '/v1/outcomes', {
          as: customer.apiKey,
          payload: json,
          headers: { 'content-type': 'application/json' },
        })
      : await report(json)
  expect([answer.status, answer.body.code]).toEqual([status, code])
  expect(answer.body.errors?.map(error => error.path)).toEqual(paths)
  expect(stored).toEqual([])
})

test('a line that is not JSON is rejected with its number, and a report without lines is rejected', async () => {
  const broken = await lines(`${JSON.stringify(delivered)}\n{"type"\n`)
  expect([broken.status, broken.body.code]).toEqual([400, 'malformed_json'])
  expect(broken.body.detail).toContain('Line 2')
  for (const none of ['', '\n\n', ' \r\n']) expect((await lines(none)).body.code).toBe('validation_failed')
  const wrong = await lines(`${JSON.stringify(delivered)}\n{"type":"email.delivered"}`)
  expect(wrong.body.errors?.map(error => error.path)).toEqual(['/1/data'])
  expect(stored).toEqual([])
})

test('a thousand outcomes are accepted, and one more is rejected', async () => {
  expect((await report(Array(1000).fill(delivered))).body.accepted).toBe(1000)
  stored = []
  const answers = [
    await report(Array(1001).fill(delivered)),
    await lines(`${JSON.stringify(delivered)}\n`.repeat(1001)),
  ]
  for (const answer of answers) expect([answer.status, answer.body.code]).toEqual([413, 'batch_too_large'])
  expect(stored).toEqual([])
})

test('the operator must name existing accounts', async () => {
  const missing = await report([delivered], operatorToken)
  expect(missing.body.errors?.map(error => error.path)).toEqual(['/0/account_id'])
  // the intake knows only that an account is missing
  refusal = new AppError('validation_failed', 'no such account', [
    { path: '/account_id', message: 'no such account' },
  ])
  const known = { ...delivered, account_id: customer.accountId }
  const unknown = { ...delivered, account_id: nobody }
  expect((await report([known, known, unknown], operatorToken)).body).toMatchObject({
    code: 'validation_failed',
    errors: [{ path: '/2/account_id' }],
  })
  expect((await report(unknown, operatorToken)).body.errors?.[0]?.path).toBe('/account_id')
})

test('errors of the intake about a single object have no index', async () => {
  refusal = new AppError('event_too_large', 'too large', [{ path: '/0/data', message: 'too large' }])
  expect((await report(delivered)).body.errors?.[0]?.path).toBe('/data')
  expect((await report([delivered])).body.errors?.[0]?.path).toBe('/0/data')
})

test('a full intake returns 503 with Retry-After', async () => {
  refusal = new AppError('overloaded', 'try again')
  const answer = await report(delivered)
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1'])
})

test('a report with an Idempotency-Key is stored once', async () => {
  const key = randomKey()
  const send = (): Promise<Answer> =>
    call(app, 'POST', '/v1/outcomes', {
      as: customer.apiKey,
      json: delivered,
      headers: { 'idempotency-key': key },
    })
  const [first, again] = [await send(), await send()]
  expect([first.status, again.status]).toEqual([202, 202])
  expect(again.body).toEqual(first.body)
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect([stored.length, committed]).toEqual([1, 1])
})

test('a report with __proto__ as a name is rejected and changes no prototype', async () => {
  const payload =
    '{"type":"email.delivered","data":{"email_id":"a","to":["a@b.c"],"tags":{"__proto__":"x","constructor":"y"}},"__proto__":{"account_id":"x"}}'
  const answer = await call(app, 'POST', '/v1/outcomes', {
    as: customer.apiKey,
    payload,
    headers: { 'content-type': 'application/json' },
  })
  expect(answer.body.code).toBe('validation_failed')
  expect(({} as Record<string, unknown>).account_id).toBeUndefined()
})

const longOutcome = {
  type: 'email.delivered',
  data: { email_id: 'em_1', to: ['reader@example.org'], subject: 'a'.repeat(400) },
}

test('many concurrent long reports each get the right status', async () => {
  const answers = await Promise.all(
    Array.from({ length: 9 }, async (_, n) => {
      const last = n % 3 === 0 ? { type: 'email.lost' } : longOutcome
      const json = [...Array.from({ length: 599 }, () => longOutcome), last]
      return await call(app, 'POST', '/v1/outcomes', { as: customer.apiKey, json })
    }),
  )
  expect(answers.map(answer => answer.status)).toEqual([422, 202, 202, 422, 202, 202, 422, 202, 202])
  expect(stored.length).toBe(6 * 600)
})

test('a short report does not wait until long ones are read and stored', async () => {
  const gate = Promise.withResolvers<void>()
  bulkMayBeStored = gate.promise
  const report = async (count: number): Promise<number> => {
    const json = Array.from({ length: count }, () => longOutcome)
    return (await call(app, 'POST', '/v1/outcomes', { as: customer.apiKey, json })).status
  }
  const long = Promise.all(Array.from({ length: 5 }, async () => await report(600)))
  expect(await report(100)).toBe(202)
  expect(stored.length).toBe(100)
  gate.resolve()
  expect(await long).toEqual([202, 202, 202, 202, 202])
})
