import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { parseTypeId } from '../../src/domain/type-id.ts'
import { type Customer, expectStatus, type Page } from '../support/api.ts'
import { openPlace } from '../support/open-place.ts'
import { openShards, type TestInstallation } from '../support/shards.ts'

let installation: TestInstallation
const databases: Database[] = []

beforeAll(async () => {
  installation = await openShards(2)
  for (const shard of installation.shards) databases.push(await openPlace(shard.place))
})

afterAll(async () => {
  for (const database of databases) await database[Symbol.asyncDispose]()
  await installation[Symbol.asyncDispose]()
})

function at(shard: number): Database {
  return databases[shard] ?? expect.unreachable()
}

/** Changes a placement, as a move does. */
async function place(id: string, change: { shard: number; moving: boolean }): Promise<void> {
  await at(0).query(
    `with changed as (update installation set directory_version = directory_version + 1 returning directory_version)
     update placement set shard = $2, moving = $3, version = directory_version from changed where account_id = $1`,
    [id, change.shard, change.moving],
  )
}

/** Takes an account with its keys from one shard to the other. The front does not know it yet. */
async function carry(customer: Customer, from: number, to: number): Promise<string> {
  const id = parseTypeId('acct', customer.accountId) ?? ''
  for (const [table, column] of [
    ['account', 'id'],
    ['api_key', 'account_id'],
  ]) {
    const [found] = await at(from).query<{ rows: object[] }>(
      `select json_agg(t) as rows from ${table} t where ${column} = $1`,
      [id],
    )
    await at(to).query(
      `insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`,
      [JSON.stringify(found?.rows)],
    )
  }
  // what the source refuses from now on
  await at(from).query('delete from api_key where account_id = $1', [id])
  await at(from).query('delete from account where id = $1', [id])
  return id
}

test('a request that meets the old shard of an account is repeated at the new one', async () => {
  const customer = await installation.customerOn(0)
  const id = await carry(customer, 0, 1)
  await place(id, { shard: 1, moving: false })

  // 401 from the old shard for the key, 404 for the operator
  const webhook = await customer.newWebhook({ url: 'http://127.0.0.1:9/hook' })
  expectStatus(200, await installation.operator.get(`/v1/accounts/${customer.accountId}`))
  const rows = await at(1).query('select from endpoint where account_id = $1', [id])
  expect(rows).toHaveLength(1)
  expect((await customer.api.get<Page<unknown>>(`/v1/webhooks/${webhook.id}`)).status).toBe(200)
})

test('requests wait while an account moves, and get 503 if it takes long', async () => {
  const customer = await installation.customerOn(0)
  const id = parseTypeId('acct', customer.accountId) ?? ''
  await place(id, { shard: 0, moving: true })
  const ask = async (): Promise<Response> =>
    await fetch(`${installation.url}/v1/webhooks`, {
      headers: { authorization: `Bearer ${customer.apiKey}` },
    })
  let answer = await ask()
  // the front knows it after half a second
  while (answer.status === 200) answer = await ask()
  expect([
    answer.status,
    answer.headers.get('retry-after'),
    ((await answer.json()) as { code: string }).code,
  ]).toEqual([503, '1', 'account_moving'])

  const waiting = ask()
  await carry(customer, 0, 1)
  await place(id, { shard: 1, moving: false })
  expect((await waiting).status).toBe(200)
})

test('a refusal that is right is not delayed by the directory of a shard 0 that is down', async () => {
  const customer = await installation.customerOn(1)
  await installation.shards[0]?.stop()
  const unknown = `/v1/webhooks/${customer.accountId.replace('acct_', 'wh_')}`
  expect((await customer.api.get(unknown)).status).toBe(404)
  await installation.shards[0]?.start()
})
