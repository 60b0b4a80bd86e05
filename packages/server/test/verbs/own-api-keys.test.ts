import type { ApiKey } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { call, newCustomer, openTestApp, operatorToken, type TestApp } from '../http/test-app.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'

describe.each(verbBackends())('API keys of the own account on $name', backend => {
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

  const list = async (as: string, query = ''): Promise<{ data: ApiKey[]; next_cursor: string | null }> => {
    const { status, body } = await call(app, 'GET', `/v1/api-keys${query}`, { as })
    expect(status).toBe(200)
    return body as never
  }

  test('are listed in pages, including revoked ones, and without the keys themselves', async () => {
    const acme = await newCustomer(app, ['read'])
    await newCustomer(app)
    const path = `/v1/accounts/${acme.accountId}/api-keys`
    const json = { name: 'worker', scopes: ['ingest'] }
    const { body: second } = await call(app, 'POST', path, { as: operatorToken, json })
    expect((await call(app, 'DELETE', `${path}/${second.id}`, { as: operatorToken })).status).toBe(204)

    const { data } = await list(acme.apiKey)
    expect(data).toMatchObject([
      { id: second.id, name: 'worker', scopes: ['ingest'], revoked_at: expect.any(String) },
      { id: acme.keyId, scopes: ['read'], revoked_at: null },
    ])
    expect(JSON.stringify(data)).not.toContain(acme.apiKey)
    const first = await list(acme.apiKey, '?limit=1')
    expect(first.data).toEqual(data.slice(0, 1))
    const rest = await list(acme.apiKey, `?limit=1&cursor=${first.next_cursor}`)
    expect(rest.data.map(({ id }) => id)).toEqual([acme.keyId])
  })

  test('are forbidden to a key without the read scope, and to the operator', async () => {
    const sender = await newCustomer(app, ['send', 'ingest'])
    for (const as of [sender.apiKey, operatorToken]) {
      expect((await call(app, 'GET', '/v1/api-keys', { as })).status).toBe(403)
    }
  })
})
