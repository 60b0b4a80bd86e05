import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { AppError } from '../../src/errors.ts'
import type { OnceAnswer } from '../../src/idempotency/once-request.ts'
import { runOnce } from '../../src/idempotency/run-once.ts'
import { verbBackends, newestServer, openTestDatabase } from '../support/test-database.ts'
import { newAccount, verbContext } from '../verbs/verb-context.ts'
import { call, newCustomer, openTestApp, operatorToken, randomKey, type TestApp } from './test-app.ts'

describe.each(verbBackends())('Idempotency-Key on $name', backend => {
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

  const create = (as: string, key: string, json: object = { url: 'https://a.example/' }) =>
    call(app, 'POST', '/v1/webhooks', { as, json, headers: { 'idempotency-key': key } })

  test('a repeated request gets the same response, takes effect once, and shows its secret once', async () => {
    const { apiKey } = await newCustomer(app)
    const key = randomKey()
    const first = await create(apiKey, key)
    const again = await create(apiKey, key)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(first.body.secret).toMatch(/^whsec_/)
    expect(first.headers['idempotency-replayed']).toBeUndefined()
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.body).toEqual({ ...first.body, secret: null })
    const list = await call(app, 'GET', '/v1/webhooks', { as: apiKey })
    expect(list.body.data).toHaveLength(1)
  })

  test('no stored response contains a secret or an API key', async () => {
    const { accountId } = await newCustomer(app)
    const made = await call(app, 'POST', `/v1/accounts/${accountId}/api-keys`, {
      as: operatorToken,
      json: { name: 'x', scopes: ['read'] },
      headers: { 'idempotency-key': randomKey() },
    })
    expect(made.body.api_key).toMatch(/^phk_/)
    const kept = await db.query<{ response: string }>('select response from idempotency_key')
    expect(kept.length).toBeGreaterThan(0)
    for (const { response } of kept) expect(response).not.toMatch(/phk_\w{36}|whsec_\w{44}/)
  })

  test('a different request with the same key is rejected', async () => {
    const { apiKey } = await newCustomer(app)
    const key = randomKey()
    await create(apiKey, key)
    const other = await create(apiKey, key, { url: 'https://b.example/' })
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused'])
    const elsewhere = await call(app, 'POST', '/v1/outcomes', {
      as: apiKey,
      json: { type: 'email.delivered', data: { email_id: 'a', to: ['a@b.c'] } },
      headers: { 'idempotency-key': key },
    })
    expect(elsewhere.body.code).toBe('idempotency_key_reused')
  })

  test('a key applies only to its account', async () => {
    const key = randomKey()
    const [one, two] = [await newCustomer(app), await newCustomer(app)]
    const answers = [await create(one.apiKey, key), await create(two.apiKey, key)]
    expect(answers.map(answer => answer.status)).toEqual([201, 201])
    expect(answers[0]?.body.id).not.toBe(answers[1]?.body.id)
  })

  test('a rejected request may be repeated with its key', async () => {
    const { apiKey, accountId } = await newCustomer(app)
    const limit = (max_endpoints: number) =>
      call(app, 'PATCH', `/v1/accounts/${accountId}`, { as: operatorToken, json: { max_endpoints } })
    const key = randomKey()
    await limit(0)
    expect((await create(apiKey, key)).body.code).toBe('endpoint_limit_reached')
    await limit(1)
    const second = await create(apiKey, key)
    expect(second.status).toBe(201)
    expect(second.headers['idempotency-replayed']).toBeUndefined()
  })

  test('a key can be used again after a day', async () => {
    const { apiKey } = await newCustomer(app)
    const key = randomKey()
    const first = await create(apiKey, key)
    await db.query(
      `update idempotency_key set created_at = created_at - interval '23 hours 59 minutes' where key = $1`,
      [key],
    )
    expect((await create(apiKey, key)).body.id).toBe(first.body.id)
    await db.query(
      `update idempotency_key set created_at = created_at - interval '1 minute' where key = $1`,
      [key],
    )
    const second = await create(apiKey, key)
    expect(second.body.id).not.toBe(first.body.id)
    expect(second.body.secret).toMatch(/^whsec_/)
    expect((await create(apiKey, key)).body.id).toBe(second.body.id)
  })

  test('of thirty concurrent requests one takes effect, and all get its response', async () => {
    const { apiKey } = await newCustomer(app)
    const key = randomKey()
    const answers = await Promise.all(Array.from({ length: 30 }, () => create(apiKey, key)))
    expect(answers.map(answer => answer.status)).toEqual(Array(30).fill(201))
    expect(new Set(answers.map(answer => answer.body.id)).size).toBe(1)
    expect(answers.filter(answer => answer.body.secret !== null)).toHaveLength(1)
  })

  test('requests without a payload can be repeated too, and an early repetition waits for the grace period', async () => {
    const { apiKey } = await newCustomer(app)
    const { body: webhook } = await create(apiKey, randomKey())
    const post = (path: string, key: string) =>
      call(app, 'POST', `/v1/webhooks/${webhook.id}/signing-keys/${path}`, {
        as: apiKey,
        headers: { 'idempotency-key': key },
      })
    const staged = await post('stage', randomKey())
    app.waits.length = 0
    const key = randomKey()
    const [promoted, again] = [
      await post(`${staged.body.key_id}/promote`, key),
      await post(`${staged.body.key_id}/promote`, key),
    ]
    expect([promoted.status, again.status]).toEqual([200, 200])
    expect(again.body).toEqual(promoted.body)
    expect(app.waits).toEqual([1010, 1010])
    await db.query(
      `update idempotency_key set created_at = created_at - interval '2 minutes' where key = $1`,
      [key],
    )
    await post(`${staged.body.key_id}/promote`, key)
    expect(app.waits).toEqual([1010, 1010])
  })
})

describe('a key that is in use', () => {
  let db: Database
  beforeAll(async () => {
    db = await openTestDatabase(newestServer())
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  test.each(['one process', 'two processes'])(
    'makes the second request wait, then rejects it, in %s',
    async where => {
      const ctx = verbContext(db)
      const accountId = await newAccount(ctx)
      // another context object acts like another process for locks within a process
      const other = where === 'one process' ? ctx : { ...ctx, db: { ...db } }
      const request = { accountId, key: 'k', method: 'POST', path: '/x', body: new Uint8Array() }
      const { promise: finish, resolve } = Promise.withResolvers<OnceAnswer>()
      const { promise: started, resolve: start } = Promise.withResolvers<void>()
      const first = runOnce(ctx, request, async () => {
        start()
        return await finish
      })
      await started
      const neverRuns = () => Promise.reject(new Error('the second must not run'))
      const refused = await runOnce(other, request, neverRuns, { waitMsMax: 100 }).catch(
        (error: unknown) => error,
      )
      expect(refused).toMatchObject({ name: 'AppError', code: 'idempotency_key_in_use' })
      const patient = runOnce(other, request, neverRuns)
      resolve({ status: 200, body: { done: true } })
      expect(await first).toEqual({ answer: { status: 200, body: { done: true } }, replayedAfterMs: null })
      expect(await patient).toMatchObject({
        answer: { body: { done: true } },
        replayedAfterMs: expect.any(Number),
      })
    },
  )

  test('holds no connection during work outside the transaction, and both processes return the first stored response', async () => {
    const ctx = verbContext(db)
    const accountId = await newAccount(ctx)
    // another context object acts like another process for locks within a process
    const other = { ...ctx, db: { ...db } }
    const request = { accountId, key: 'o', method: 'POST', path: '/x', body: new Uint8Array() }
    const { promise: slowAnswer, resolve: finish } = Promise.withResolvers<OnceAnswer>()
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const slow = runOnce(
      ctx,
      request,
      async within => {
        expect(within.db).toBe(ctx.db)
        start()
        return await slowAnswer
      },
      { outsideTransaction: true },
    )
    await started
    const answer = { status: 200, body: { from: 'the other process' } }
    const quick = await runOnce(other, request, async () => await Promise.resolve(answer), {
      outsideTransaction: true,
      waitMsMax: 100,
    })
    expect(quick).toEqual({ answer, replayedAfterMs: null })
    finish({ status: 200, body: { from: 'this process' } })
    expect(await slow).toEqual({ answer, replayedAfterMs: expect.any(Number) })
  })

  test('wakes the dispatchers only after the commit', async () => {
    const ctx = verbContext(db)
    const request = {
      accountId: await newAccount(ctx),
      key: 'w',
      method: 'POST',
      path: '/x',
      body: new Uint8Array(),
    }
    await runOnce(ctx, request, async within => {
      within.outside.wakeDispatchers()
      expect(ctx.wakes.count).toBe(0)
      return { status: 200, body: {} }
    })
    expect(ctx.wakes.count).toBe(1)
  })

  test('is free again when the work fails', async () => {
    const ctx = verbContext(db)
    const request = {
      accountId: await newAccount(ctx),
      key: 'f',
      method: 'POST',
      path: '/x',
      body: new Uint8Array(),
    }
    const failing = runOnce(ctx, request, () => Promise.reject(new AppError('not_found', 'nothing')))
    await expect(failing).rejects.toMatchObject({ code: 'not_found' })
    const second = await runOnce(ctx, request, () => Promise.resolve({ status: 201, body: {} }))
    expect(second.replayedAfterMs).toBeNull()
  })
})
