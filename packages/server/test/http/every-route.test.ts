import { type AccountAuth, errorCodes, type Route, routes, type Scope, scopes } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { typeId } from '../../src/domain/type-id.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'
import { openPortal } from './sign-in.ts'
import { type Answer, call, newCustomer, openTestApp, operatorToken, type TestApp } from './test-app.ts'

let db: Database
let app: TestApp
let allScopes: string
/** Keys that lack only what the operation needs. */
let lacking: Record<AccountAuth, string[]>
let customer: { accountId: string; apiKey: string }
/** The token of a portal in a frame. After a sign-out a new one is needed. */
let sessionToken: string

beforeAll(async () => {
  db = await openTestDatabase(embedded)
  app = await openTestApp(db)
  customer = await newCustomer(app)
  allScopes = customer.apiKey
  sessionToken = await openPortal(app, customer.accountId)
  const without = async (scope: Scope): Promise<string> =>
    (
      await newCustomer(
        app,
        scopes.filter(other => other !== scope),
      )
    ).apiKey
  const [send, keys] = [await without('send'), await without('keys')]
  lacking = {
    read: [await without('read')],
    send: [send],
    ingest: [await without('ingest')],
    send_and_keys: [send, keys],
  }
})

afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

const all = Object.values<Route>(routes)
const named = (list: readonly Route[]) => list.map(route => [`${route.method} ${route.path}`, route] as const)
const guarded = all.filter(route => route.auth !== 'public')
/** Mail and CSV bodies accept any bytes. Their own tests check what is refused. */
const takesOther = ({ body }: Route): boolean =>
  body !== undefined && !body.mediaTypes.includes('application/json')

/** The path with ids that do not exist. */
function pathOf(route: Route): string {
  return Object.entries(route.params ?? {}).reduce(
    (path, [name, prefix]) =>
      path.replace(`{${name}}`, typeId(prefix, '01890a5d-ac96-774b-bcce-b302099a8057')),
    route.path,
  )
}

/** The queries of routes that need one. */
const neededQueries: Readonly<Record<string, string>> = { findAddresses: '?prefix=ann@' }

/** A caller who may use the route. */
function rightful(route: Route): string {
  if (route.auth === 'session') return sessionToken
  return route.auth === 'operator' ? operatorToken : allScopes
}

function expectProblem(answer: Answer, code: keyof typeof errorCodes): void {
  expect(answer.body).toMatchObject({ code, status: errorCodes[code], title: expect.any(String) })
  expect(answer.status).toBe(errorCodes[code])
  expect(answer.headers['content-type']).toBe('application/problem+json')
  expect(answer.headers['x-request-id']).toBe(answer.body.request_id)
}

describe.each(named(guarded))('%s', (_, route) => {
  test('without a valid credential returns 401 before any other error', async () => {
    const wrong = [
      undefined,
      'Basic abc',
      'Bearer',
      'Bearer ',
      'Bearer nobody',
      `Bearer ${allScopes}x`,
      `Bearer phk_${'0'.repeat(36)}`,
    ]
    for (const authorization of wrong) {
      const headers = authorization === undefined ? {} : { authorization }
      const answer = await call(app, route.method, `${pathOf(route)}?nonsense=1`, { headers, payload: '{' })
      expectProblem(answer, 'unauthorized')
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    }
  })

  test('without the required permission returns 403 before any other error', async () => {
    const wrong: string[] = []
    if (route.auth === 'operator') wrong.push(allScopes)
    else if (route.auth === 'operator_or_ingest') wrong.push(...lacking.ingest)
    else if (route.auth === 'operator_or_read') wrong.push(...lacking.read)
    else if (route.auth === 'operator_or_send') wrong.push(...lacking.send)
    else if (route.auth === 'session') wrong.push(operatorToken, allScopes)
    else if (route.auth !== 'public') wrong.push(operatorToken, ...lacking[route.auth])
    for (const as of wrong) {
      expectProblem(await call(app, route.method, pathOf(route), { as, payload: '{' }), 'insufficient_scope')
    }
  })

  test('with an unknown query parameter returns 422 before 404', async () => {
    if (route.operationId === 'reportOutcomes' || takesOther(route)) return
    const payload =
      route.body === undefined ? undefined : { name: 'x', scopes: ['read'], url: 'https://a.example/' }
    const answer = await call(app, route.method, `${pathOf(route)}?nonsense=1`, {
      as: rightful(route),
      ...(payload !== undefined && { json: payload }),
    })
    expectProblem(answer, 'validation_failed')
    expect(answer.body.errors).toContainEqual({ path: '/nonsense', message: expect.any(String) })
  })
})

describe.each(named(guarded.filter(route => route.params !== undefined && route.body === undefined)))(
  '%s',
  (_, route) => {
    test('with an unknown or malformed id returns 404', async () => {
      const wrong = [
        pathOf(route),
        route.path.replaceAll(/\{\w+\}/g, 'x'),
        route.path.replaceAll(/\{\w+\}/g, '%00'),
        route.path.replaceAll(/\{\w+\}/g, '%F0%9F%93%AF'),
        route.path.replaceAll(/\{\w+\}/g, '..%2f'),
        route.path.replaceAll(/\{\w+\}/g, 'x'.repeat(200)),
        route.path.replaceAll(/\{\w+\}/g, 'x'.repeat(2000)),
        route.path.replaceAll(/\{\w+\}/g, '%ZZ'),
      ]
      for (const url of wrong)
        expectProblem(await call(app, route.method, url, { as: rightful(route) }), 'not_found')
    })
  },
)

describe.each(named(guarded.filter(route => route.body === undefined)))('%s', (_, route) => {
  test('accepts no payload except {}', async () => {
    const isThere = route.params === undefined && route.errors?.includes('not_found') !== true
    const outcome = isThere ? route.success.status : 404
    const fine: object[] = [
      {},
      { headers: { 'content-type': 'text/html' } },
      { headers: { 'content-type': 'nonsense' } },
      { payload: '{}' },
      { payload: ' { }\n', headers: { 'content-type': 'application/json' } },
    ]
    for (const options of fine) {
      sessionToken = await openPortal(app, customer.accountId)
      const url = `${pathOf(route)}${neededQueries[route.operationId] ?? ''}`
      expect((await call(app, route.method, url, { as: rightful(route), ...options })).status).toBe(outcome)
    }
    sessionToken = await openPortal(app, customer.accountId)
    for (const payload of ['{"a":1}', '[]', 'null', 'x', `{}${' '.repeat(100)}x`]) {
      const answer = await call(app, route.method, pathOf(route), { as: rightful(route), payload })
      expectProblem(answer, 'validation_failed')
    }
  })
})

describe.each(named(guarded.filter(route => route.body !== undefined && !takesOther(route))))(
  '%s',
  (_, route) => {
    const send = (payload: string | Buffer, contentType: string | undefined): Promise<Answer> =>
      call(app, route.method, pathOf(route), {
        as: rightful(route),
        payload,
        headers: contentType === undefined ? {} : { 'content-type': contentType },
      })

    test('with a body that is too large returns 413 before its media type is checked', async () => {
      const payload = Buffer.alloc((route.body?.bytesMax ?? 0) + 1, 'x')
      expectProblem(await send(payload, 'text/plain'), 'body_too_large')
    })

    test('with another media type returns 415 before its syntax is checked', async () => {
      for (const type of [
        'text/plain',
        undefined,
        'nonsense',
        'application/json; charset=latin1',
        'application/xml',
      ])
        expectProblem(await send('{', type), 'unsupported_media_type')
      const compressed = await call(app, route.method, pathOf(route), {
        as: rightful(route),
        payload: '{}',
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      })
      expectProblem(compressed, 'unsupported_media_type')
    })

    test('with malformed JSON returns 400', async () => {
      for (const payload of [
        '',
        '{',
        '{"a":1,}',
        "{'a':1}",
        '\uFEFF{}',
        Buffer.from([0x22, 0xff, 0x22]),
        '{"a":NaN}',
      ])
        expectProblem(await send(payload, 'application/json; charset=UTF-8'), 'malformed_json')
    })

    test('with JSON other than an object returns 422', async () => {
      for (const payload of ['5', '"x"', 'null', 'true', '[[]]', '[]'])
        expectProblem(await send(payload, 'application/json'), 'validation_failed')
    })

    test('with an unknown field returns 422 and names the field', async () => {
      // reportOutcomes refuses in the terms of the outcome's type, and reportKumomta accepts additional fields
      if (route.operationId === 'reportOutcomes' || route.operationId === 'reportKumomta') return
      const answer = await send('{"no/such~field":1,"__proto__":{}}', 'application/json')
      expectProblem(answer, 'validation_failed')
      expect(answer.body.errors?.map(error => error.path)).toContain('/no~1such~0field')
    })
  },
)

test.each(named(guarded.filter(route => route.method === 'POST' && !takesOther(route))))(
  '%s returns 422 if the Idempotency-Key is empty or too long',
  async (_, route) => {
    for (const key of ['', 'k'.repeat(256)]) {
      const payload =
        route.body === undefined
          ? undefined
          : { type: 'email.delivered', data: { email_id: 'a', to: ['a@b.c'] } }
      const answer = await call(app, 'POST', pathOf(route), {
        as: rightful(route),
        ...(payload !== undefined && { json: payload }),
        headers: { 'idempotency-key': key },
      })
      expectProblem(answer, 'validation_failed')
    }
  },
)

describe('methods', () => {
  const paths = [...new Set(all.map(route => route.path))]
  const patternOf = ({ path }: Route): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/{}]+')}$`)

  test.each(paths)('%s returns 405 with Allow for methods that it does not support', async path => {
    // suppressions/import also matches suppressions/{id}
    const routesOfPath = all.filter(one => one.path === path || patternOf(one).test(path))
    const route = all.find(one => one.path === path)
    const taken = routesOfPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      if (taken.includes(method) || route === undefined) continue
      const answer = await call(app, method, pathOf(route))
      expect([answer.status, answer.headers.allow]).toEqual([405, taken.join(', ')])
      expect(answer.body.code).toBe('method_not_allowed')
    }
  })

  test('an unknown path returns 404', async () => {
    for (const url of [
      '/',
      '/v1',
      '/v1/nothing',
      '/v1/webhooks/',
      '/v2/webhooks',
      '//',
      '/%',
      '/v1/%ZZ',
      '/v1/accounts/%E0%A4%A',
    ])
      expect((await call(app, 'GET', url, { as: operatorToken })).status, url).toBeOneOf([403, 404])
    expectProblem(await call(app, 'GET', '/v1/nothing'), 'not_found')
    expectProblem(await call(app, 'GET', '/%'), 'not_found')
  })
})

test('lists reject limits out of range and invalid cursors', async () => {
  for (const route of all.filter(one => one.query?.shape['limit'] !== undefined)) {
    const queries = [
      'limit=0',
      'limit=251',
      'limit=x',
      'limit=',
      'limit=1.5',
      'limit=1&limit=2',
      'cursor=',
      'cursor=!',
      'cursor=e30',
    ]
    for (const query of queries) {
      const answer = await call(app, 'GET', `${pathOf(route)}?${query}`, { as: rightful(route) })
      expect(answer.body.code, `${route.path}?${query}`).toBe('validation_failed')
      expect(answer.body.errors?.[0]?.path).toMatch(/^\/(limit|cursor)/)
    }
  }
})

test('invalid filter values are rejected', async () => {
  const wrong = [
    'type=x',
    'type=email.delivered,',
    'since=yesterday',
    'until=2026-02-30T00:00:00Z',
    'recipient=ann',
    'email_id=%00',
    'recipient=%00@x.y',
  ]
  for (const path of ['/v1/events', '/v1/deliveries']) {
    for (const query of wrong) {
      const answer = await call(app, 'GET', `${path}?${query}`, { as: allScopes })
      expect(answer.body.code, query).toBe('validation_failed')
    }
  }
  for (const query of ['state=sent', 'error_code=500', 'webhook_id=wh_1', 'event_id=em_1']) {
    const answer = await call(app, 'GET', `/v1/deliveries?${query}`, { as: allScopes })
    expect(answer.body.code, query).toBe('validation_failed')
  }
  const fine = await call(
    app,
    'GET',
    '/v1/events?type=email.delivered,email.failed&since=2026-01-01T00:00:00Z&recipient=Ann@EXAMPLE.org',
    { as: allScopes },
  )
  expect(fine.status).toBe(200)
})

test('the server logs no error', () => {
  expect(app.logged).toEqual([])
})
