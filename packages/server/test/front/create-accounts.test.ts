import type { Account } from '@posthorn/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../support/api.ts'
import { openShards, type TestInstallation } from '../support/shards.ts'
import { signInAt } from '../support/sign-in-at.ts'
import { until } from '../support/until.ts'

let installation: TestInstallation

beforeAll(async () => {
  installation = await openShards(2)
})

afterAll(async () => await installation[Symbol.asyncDispose]())

async function accountsOn(shard: number): Promise<number> {
  const described = await installation.shards[shard]?.ask<{ accounts: number }>('GET', '/internal/shard')
  return described?.body.accounts ?? Number.NaN
}

test('new accounts go to the shard with the fewest', async () => {
  for (let n = 0; n < 6; n++) {
    expectStatus(201, await installation.operator.post<Account>('/v1/accounts', { name: 'Acme' }))
  }
  expect([await accountsOn(0), await accountsOn(1)]).toEqual([3, 3])
})

test('a repeated Idempotency-Key gives the same account, through any front', async () => {
  await using other = await installation.openFront()
  const before = (await accountsOn(0)) + (await accountsOn(1))
  const create = async (url: string, name: string): Promise<Response> =>
    await fetch(`${url}/v1/accounts`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${installation.adminToken}`,
        'content-type': 'application/json',
        'idempotency-key': 'once',
      },
      body: JSON.stringify({ name }),
    })
  const answers = await Promise.all([
    create(installation.url, 'Acme'),
    create(other.url, 'Acme'),
    create(installation.url, 'Acme'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  const accounts = (await Promise.all(answers.map(answer => answer.json()))) as Account[]
  expect(new Set(accounts.map(({ id }) => id)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(2)
  expect((await accountsOn(0)) + (await accountsOn(1))).toBe(before + 1)

  const reused = await create(other.url, 'Another name')
  expect([reused.status, ((await reused.json()) as { code: string }).code]).toEqual([
    409,
    'idempotency_key_reused',
  ])
})

test('a closed shard gets no new accounts', async () => {
  await installation.shards[0]?.ask('POST', '/internal/shards', { number: 1, state: 'closed' })
  const before = await accountsOn(1)
  for (let n = 0; n < 3; n++) {
    expectStatus(201, await installation.operator.post<Account>('/v1/accounts', { name: 'Acme' }))
  }
  expect(await accountsOn(1)).toBe(before)
  await installation.shards[0]?.ask('POST', '/internal/shards', { number: 1, state: 'open' })
})

test('a place whose account was never created disturbs nobody', async () => {
  const place = { account_id: '01890a5d-ac96-774b-bcce-b302099a8057', shard: 1 }
  expect((await installation.shards[0]?.ask('POST', '/internal/placements', place))?.status).toBe(200)
  const path = '/v1/accounts/acct_01h455vb4pex5vsknk084sn02q'
  await until('the front knows the place', async () => (await installation.operator.get(path)).status === 404)
  expectStatus(201, await installation.operator.post<Account>('/v1/accounts', { name: 'Acme' }))
})

test('only the operator creates accounts, and only with a valid name', async () => {
  const customer = await installation.customerOn(1)
  expect((await customer.api.post('/v1/accounts', { name: 'Mine' })).status).toBe(403)
  const anonymous = await fetch(`${installation.url}/v1/accounts`, { method: 'POST', body: '{"name":"x"}' })
  expect(anonymous.status).toBe(401)
  expect((await installation.operator.post('/v1/accounts', { name: '' })).status).toBe(422)
  expect((await installation.operator.post('/v1/accounts', '{"name":')).status).toBe(400)

  const session = await signInAt(installation.url, installation.adminToken)
  const init = { method: 'POST', body: '{"name":"From the dashboard"}' }
  const json = { 'content-type': 'application/json' }
  const created = await fetch(`${installation.url}/v1/accounts`, {
    ...init,
    headers: { ...session, ...json },
  })
  expect(created.status).toBe(201)
  const { 'x-csrf-token': _, ...without } = session
  const refused = await fetch(`${installation.url}/v1/accounts`, {
    ...init,
    headers: { ...without, ...json },
  })
  expect(refused.status).toBe(403)
})
