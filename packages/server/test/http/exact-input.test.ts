import { idPrefixes, type Route, routes } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { typeId } from '../../src/domain/type-id.ts'
import { newIntake } from '../outcomes/new-intake.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'
import { loopback, openPortal } from './sign-in.ts'
import { type Answer, call, newCustomer, openTestApp, operatorToken, type TestApp } from './test-app.ts'

let db: Database
let app: TestApp
let customer: Awaited<ReturnType<typeof newCustomer>>
let sessionToken: string

beforeAll(async () => {
  db = await openTestDatabase(embedded)
  app = await openTestApp(db, { intake: newIntake(db) })
  customer = await newCustomer(app)
  sessionToken = await openPortal(app, customer.accountId)
})

afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

const unicode = 'must be valid Unicode: it has half of a surrogate pair. Send whole characters'
const unicodeName =
  'has a name that is not valid Unicode: it has half of a surrogate pair. Send whole characters'
const digits = 'does not fit exactly into a double (IEEE 754). Send it as a string'

const all = Object.values<Route>(routes)
const named = (list: readonly Route[]) => list.map(route => [`${route.method} ${route.path}`, route] as const)
const takesJson = (route: Route): boolean => route.body?.mediaTypes.includes('application/json') === true

/** Sends a payload or a query as an authorized caller. */
async function send(
  route: Route,
  { payload, query = '' }: { payload?: string; query?: string },
): Promise<Answer> {
  const path = Object.entries(route.params ?? {}).reduce(
    (text, [name, prefix]) => text.replace(`{${name}}`, typeId(prefix as keyof typeof idPrefixes, somebody)),
    route.path,
  )
  return await call(app, route.method, path + query, {
    ...(route.auth !== 'public' && { as: rightful(route) }),
    ...(payload !== undefined && { payload }),
    headers: { ...loopback, ...(payload !== undefined && { 'content-type': 'application/json' }) },
  })
}

const somebody = '01890a5d-ac96-774b-bcce-b302099a8057'

function rightful({ auth }: Route): string {
  if (auth === 'session') return sessionToken
  return auth === 'operator' ? operatorToken : customer.apiKey
}

/** Its records are of another program, so what Posthorn does not read may be anything. */
const isForgiving = ({ operationId }: Route): boolean => operationId === 'reportKumomta'

test.each(named(all.filter(route => takesJson(route) && !isForgiving(route))))(
  '%s rejects unpaired surrogates and numbers that would change, and names their paths',
  async (_, route) => {
    const answer = await send(route, {
      payload: '{"name":"x\\ud801","list":[{"\\ud802":"\\udc00"}],"n":9007199254740993,"m":1e400}',
    })
    const numbers = ['/n', '/m'].map(path => ({ path, message: digits }))
    expect(answer).toMatchObject({
      status: 422,
      body: {
        code: 'validation_failed',
        errors: [
          { path: '/name', message: unicode },
          { path: '/list/0/\ufffd', message: unicodeName },
          { path: '/list/0/\ufffd', message: unicode },
          ...numbers,
        ],
      },
    })
  },
)

describe.each(named(all.filter(takesJson)))('%s', (_, route) => {
  test('rejects an object with too many names', async () => {
    const payload = `{${Array.from({ length: (route.body?.bytesMax ?? 0) / 12 }, (_name, n) => `"k${n}":1`).join(',')}}`
    const answer = await send(route, { payload: payload.length < 300_000 ? '{}' : payload })
    expect(answer.status).toBeOneOf([400, 413, 422])
    if (payload.length > 300_000) expect(answer.body.code).toBe('malformed_json')
  })
})

test.each(named(all.filter(({ path }) => path.startsWith('/v1/') && !['reportOutcomes'].includes(path))))(
  '%s rejects a query that is not UTF-8, and says where',
  async (_, route) => {
    if (route.operationId === 'reportOutcomes') return
    const answer = await send(route, {
      query: '?%C3%A9=%ff&since=%E2%82&x=%zz',
      ...(takesJson(route) && { payload: '{}' }),
    })
    expect(answer.body.code).toBe('validation_failed')
    const message = 'must be UTF-8 in percent-encoding, such as %C3%A9 for é'
    for (const path of ['/é', '/since', '/x']) expect(answer.body.errors).toContainEqual({ path, message })
  },
)

test.each(named(all.filter(({ params, method }) => params !== undefined && method === 'GET')))(
  '%s treats a path that is not UTF-8 as not found',
  async (_, route) => {
    for (const id of ['%ff', 'a%00', '%ED%A0%81']) {
      const answer = await call(app, 'GET', route.path.replaceAll(/\{\w+\}/g, id), { as: rightful(route) })
      expect(answer.body.code).toBe('not_found')
    }
  },
)

const report = async (payload: string, type = 'application/json'): Promise<Answer> =>
  await call(app, 'POST', '/v1/outcomes', { as: customer.apiKey, payload, headers: { 'content-type': type } })

const delivered = (outcomeId: string, more = ''): string =>
  `{"type":"email.delivered","outcome_id":"${outcomeId}","data":{"email_id":"a","to":["ann@example.org"]${more}}}`

test('two outcomes whose ids differ only in an unpaired surrogate are rejected, not merged', async () => {
  const answer = await report(`[${delivered('x\\ud801')},${delivered('x\\ud802')}]`)
  expect(answer).toMatchObject({
    status: 422,
    body: {
      errors: [
        { path: '/0/outcome_id', message: unicode },
        { path: '/1/outcome_id', message: unicode },
      ],
    },
  })
  // a complete surrogate pair is fine
  const fine = await report(`[${delivered('x\\ud83d\\ude00')},${delivered('x\\ud83d\\ude01')}]`)
  expect(fine).toMatchObject({ status: 202, body: { accepted: 2, ignored: [] } })
})

test('the error path names a line of NDJSON or a late element of a long report', async () => {
  const lines = await report(`${delivered('l1')}\n\n${delivered('l2\\udc00')}`, 'application/x-ndjson')
  expect(lines.body.errors).toEqual([{ path: '/1/outcome_id', message: unicode }])
  const elements = Array.from({ length: 900 }, (_, n) => delivered(`far${n}`))
  elements[801] = delivered('far', ',"metadata":{"n":9007199254740993}')
  const long = await report(`[${elements.join(',')}]`)
  expect(long.body.errors).toEqual([{ path: '/801/data/metadata/n', message: digits }])
})

test('numbers in metadata reach the event exactly as written or are rejected', async () => {
  const kept = '{"whole":9007199254740991,"fraction":0.1,"small":1e-7,"minus":-12.5}'
  const answer = await report(delivered('numbers', `,"metadata":${kept}`))
  const [event] = answer.body['events'] as string[]
  const { payload } = await app.app.inject({
    url: `/v1/events/${event}`,
    headers: { authorization: `Bearer ${customer.apiKey}` },
  })
  expect(payload).toContain(`"metadata":${kept}`)
  for (const number of ['9007199254740993', '1e400', '0.12345678901234567890', '1152921504606846976']) {
    const refused = await report(delivered('numbers2', `,"metadata":{"n":${number}}`))
    expect(refused.body.errors, number).toEqual([{ path: '/data/metadata/n', message: digits }])
  }
})

test('an address with an unpaired surrogate cannot be reported, suppressed or erased', async () => {
  const raw = await report('{"email_id":"a","recipient":"ann\\ud801@example.org","reply":{"code":250}}')
  expect(raw.body.errors).toEqual([{ path: '/recipient', message: unicode }])
  for (const [path, field] of [
    ['/v1/erasures', 'recipient'],
    ['/v1/suppressions', 'address'],
  ] as const) {
    const answer = await call(app, 'POST', path, {
      as: customer.apiKey,
      json: { [field]: 'ann\ud801@example.org' },
    })
    expect(answer.body.errors).toEqual([{ path: `/${field}`, message: unicode }])
  }
})

test('a Postfix record with an unpaired surrogate is rejected, and of KumoMTA it becomes U+FFFD', async () => {
  const postfix = await call(app, 'POST', '/v1/sources/postfix', {
    as: customer.apiKey,
    json: { records: [{ line_id: 'x', recipient: 'ann\ud801@example.org' }] },
  })
  expect(postfix.body.errors).toEqual([{ path: '/records/0/recipient', message: unicode }])
  const kumomta = await call(app, 'POST', '/v1/sources/kumomta', {
    as: customer.apiKey,
    json: [
      { type: 'Delivery', id: 'x' },
      { type: 'Delivery', id: 'x', recipient: 'ann\ud801@example.org' },
    ],
  })
  expect(kumomta).toMatchObject({ status: 202, body: { accepted: 0, ignored: [{ index: 0 }, { index: 1 }] } })
})

test('a Postfix record whose address was not UTF-8 creates no event', async () => {
  const answer = await call(app, 'POST', '/v1/sources/postfix', {
    as: customer.apiKey,
    json: {
      records: ['ann\ufffd@example.org', 'ann@example.org'].map((recipient, n) => ({
        line_id: `utf8-${n}`,
        email_id: 'foreign-1',
        recipient,
        disposition: 'accepted',
        reply: '250 2.0.0 OK',
        occurred_at: '2026-11-21T04:00:00Z',
      })),
    },
  })
  expect(answer).toMatchObject({
    status: 202,
    body: { accepted: 1, ignored: [{ index: 0, reason: 'malformed' }] },
  })
})

test('the server logs no error', () => {
  expect(app.logged).toEqual([])
})
