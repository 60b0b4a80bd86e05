import { type Route, routes } from '@posthorn/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Customer } from '../support/api.ts'
import { openShards, type TestInstallation } from '../support/shards.ts'
import { newPortalLinkAt, type SessionHeaders, signInAt } from '../support/sign-in-at.ts'

let installation: TestInstallation
let customers: Customer[]
/** The operator's ids of each shard, by prefix. */
let ids: Array<Record<string, string>>
let session: SessionHeaders

beforeAll(async () => {
  installation = await openShards(2)
  customers = [await installation.customerOn(0), await installation.customerOn(1)]
  ids = await Promise.all(
    customers.map(async ({ accountId, api }) => ({
      acct: accountId,
      key: (await api.get<{ data: Array<{ id: string }> }>('/v1/api-keys')).body.data[0]?.id ?? '',
      wh: (await api.post<{ id: string }>('/v1/webhooks', { url: 'http://127.0.0.1:9/hook' })).body.id,
      pses: (await newPortalLinkAt(installation.operator, accountId)).id,
      src: (
        await installation.operator.post<{ id: string }>(`/v1/accounts/${accountId}/sources`, {
          kind: 'mailgun',
          key: 'a-webhook-signing-key',
        })
      ).body.id,
      era: (await api.post<{ id: string }>('/v1/erasures', { recipient: 'no@body.example' })).body.id,
    })),
  )
  session = await signInAt(installation.url, installation.adminToken)
})

afterAll(async () => await installation[Symbol.asyncDispose]())

/** Operations of the operator with an id in the path, except those that concern only shard 0. Those that delete come last, and accounts at the very end. */
const operations = Object.values<Route>(routes)
  .filter(
    ({ auth, front, path, params }) =>
      auth.startsWith('operator') && front !== 'caller' && path.includes('{') && params !== undefined,
  )
  .toSorted((a, b) => orderOf(a) - orderOf(b))

function orderOf({ method, operationId }: Route): number {
  return Number(method === 'DELETE') + Number(operationId === 'deleteAccount')
}

/** Operations that need a valid body before they look for the account. */
const bodies: Record<string, object> = {
  permitLoopback: { url: 'http://127.0.0.1:8080/' },
}

function pathOf({ path, params = {} }: Route, of: Record<string, string>): string {
  return Object.entries(params).reduce(
    (filled, [name, prefix]) => filled.replace(`{${name}}`, of[prefix] ?? 'nothing'),
    path,
  )
}

async function ask(route: Route, of: Record<string, string>, headers: object): Promise<number> {
  const hasBody = route.body !== undefined
  const response = await fetch(installation.url + pathOf(route, of), {
    method: route.method,
    headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: JSON.stringify(bodies[route.operationId] ?? {}) }),
  })
  return response.status
}

test('a session of the operator may do on each shard what the operator token may, but not without its CSRF token', async () => {
  expect(operations.length).toBeGreaterThan(5)
  const token = { authorization: `Bearer ${installation.adminToken}` }
  const { 'x-csrf-token': _, ...forged } = session
  for (const route of operations.filter(({ method }) => method !== 'DELETE')) {
    for (const of of ids) {
      const status = await ask(route, of, token)
      expect([route.operationId, status]).toEqual([route.operationId, expect.toBeOneOf([200, 201, 204, 422])])
      expect([route.operationId, await ask(route, of, session)]).toEqual([route.operationId, status])
      if (route.method !== 'GET') {
        expect([route.operationId, await ask(route, of, forged)]).toEqual([route.operationId, 403])
      }
    }
  }
})

test('a named operator works on each shard as far as their role allows, and its audit log names them', async () => {
  const newOperator = async (name: string, role: string) => {
    const { body } = await installation.operator.post<{ id: string; token: string }>('/v1/operators', {
      name,
      role,
    })
    return { id: body.id, authorization: `Bearer ${body.token}` }
  }
  const [viewer, changer] = [await newOperator('vera', 'view'), await newOperator('chris', 'change')]
  for (const of of ids) {
    const account = `${installation.url}/v1/accounts/${of['acct'] ?? ''}`
    const rename = async (authorization: string, forged = {}): Promise<number> =>
      (
        await fetch(account, {
          method: 'PATCH',
          headers: { authorization, 'content-type': 'application/json', ...forged },
          body: JSON.stringify({ name: `renamed ${Math.random()}` }),
        })
      ).status
    expect((await fetch(account, { headers: { authorization: viewer.authorization } })).status).toBe(200)
    expect(await rename(viewer.authorization)).toBe(403)
    expect(await rename(viewer.authorization, { 'x-posthorn-operator': 'token;change;boss' })).toBe(403)
    expect(await rename(changer.authorization)).toBe(200)
    const { body } = await installation.operator.get<{ data: Array<{ actor: object }> }>(
      `/v1/audit-log?account_id=${of['acct'] ?? ''}&action=account.updated&limit=1`,
    )
    expect(body.data).toMatchObject([{ actor: { operator: { name: 'chris', method: 'token' } } }])
  }
  const create = async (authorization: string) =>
    await fetch(`${installation.url}/v1/accounts`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'New' }),
    })
  expect((await create(viewer.authorization)).status).toBe(403)
  const created = await create(changer.authorization)
  expect(created.status).toBe(201)
  const { id } = (await created.json()) as { id: string }
  const { body } = await installation.operator.get<{ data: object[] }>(`/v1/audit-log?account_id=${id}`)
  expect(body.data).toMatchObject([{ action: 'account.created', actor: { operator: { name: 'chris' } } }])
  await installation.operator.delete(`/v1/operators/${changer.id}`)
  expect((await create(changer.authorization)).status).toBe(401)
})

test('ids of two shards in one path give 404, and nothing is deleted', async () => {
  const [of0 = {}, of1 = {}] = ids
  for (const headers of [{ authorization: `Bearer ${installation.adminToken}` }, session]) {
    for (const [own, other] of [
      [of0, of1],
      [of1, of0],
    ] as const) {
      for (const route of operations.filter(({ params = {} }) => Object.keys(params).length > 1)) {
        expect([route.operationId, await ask(route, { ...other, acct: own['acct'] ?? '' }, headers)]).toEqual(
          [route.operationId, 404],
        )
      }
    }
  }
  for (const { api } of customers) expect((await api.get('/v1/webhooks')).status).toBe(200)
})

test('deletions reach the right shard only', async () => {
  for (const [n, of] of ids.entries()) {
    const other = customers[1 - n]
    for (const route of operations.filter(({ method }) => method === 'DELETE')) {
      expect([route.operationId, await ask(route, of, session)]).toEqual([route.operationId, 204])
    }
    if (n === 0) expect((await other?.api.get('/v1/webhooks'))?.status).toBe(200)
    expect((await customers[n]?.api.get('/v1/webhooks'))?.status).toBe(401)
  }
})
