import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { OutcomesAccepted, Problem } from '@posthorn/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { typeId } from '../../src/domain/type-id.ts'
import { allEvents, type Customer, expectStatus } from '../support/api.ts'
import { openShards, type TestInstallation } from '../support/shards.ts'
import { ask, outcome } from './report-at.ts'

let shards: TestInstallation
let ann: Customer
let bob: Customer

beforeAll(async () => {
  shards = await openShards(2)
  ann = await shards.customerOn(0)
  bob = await shards.customerOn(1)
})
afterAll(async () => await shards[Symbol.asyncDispose]())

const report = async <T = OutcomesAccepted>(items: unknown) => await ask<T>(shards, '/v1/outcomes', items)

test('a report that names a deleted account stores nothing on any shard', async () => {
  const gone = await shards.customerOn(1)
  const items = [ann, bob, gone].map(({ accountId }, n) => outcome(accountId, `deleted-${n}`))
  expect((await report(items)).body.accepted).toBe(3)
  expectStatus(204, await shards.operator.delete(`/v1/accounts/${gone.accountId}`))

  const later = [ann, bob, gone].map(({ accountId }, n) => outcome(accountId, `after-${n}`))
  expect(await report<Problem>(later)).toMatchObject({
    status: 422,
    body: { errors: [{ path: '/2/account_id', message: 'names an account that does not exist' }] },
  })
  for (const { api } of [ann, bob]) {
    const emails = (await allEvents(api)).map(({ data }) => data.email_id)
    expect(emails.filter(email => email.startsWith('after-'))).toEqual([])
  }
})

/** An account that both shards have, and the directory places on shard 0. */
async function accountOnBoth(): Promise<{
  id: string
  accountId: string
  place: (shard: number) => Promise<void>
}> {
  const [first, second] = shards.shards
  const id = randomUUID()
  expect((await first?.ask('POST', '/internal/placements', { account_id: id, shard: 0 }))?.status).toBe(200)
  for (const shard of [first, second]) {
    const made = await shard?.ask('POST', '/internal/accounts', { id, name: 'Moved', max_endpoints: 5 })
    expect(made?.status).toBe(201)
  }
  const place = async (shard: number): Promise<void> => {
    const directory = await first?.ask<{ version: number }>('GET', '/internal/directory?after=0')
    const corrected = { version: directory?.body.version, changes: [{ account_id: id, shard }] }
    expect((await first?.ask('POST', '/internal/directory', corrected))?.status).toBe(200)
  }
  return { id, accountId: typeId('acct', id), place }
}

/** Takes an account out of a shard, as a move does. */
async function takeOut(shard: number, accountId: string): Promise<void> {
  const client = new pg.Client(shards.shards[shard]?.place.databaseUrl ?? '')
  await client.connect()
  try {
    await client.query('delete from account where id = $1', [accountId])
  } finally {
    await client.end()
  }
}

test('a part follows an account that moves after the front has found it', async () => {
  const { id, accountId, place } = await accountOnBoth()
  expect((await report([outcome(bob.accountId, 'm-0'), outcome(accountId, 'm-1')])).body.accepted).toBe(2)
  await takeOut(0, id)
  await place(1)
  // the front still believes that shard 0 has it
  const mixed = [outcome(ann.accountId, 'm-2'), outcome(accountId, 'm-3'), outcome(bob.accountId, 'm-4')]
  expect(await report(mixed)).toMatchObject({ status: 202, body: { accepted: 3 } })
})

test('a report of one shard follows its account', async () => {
  const { id, accountId, place } = await accountOnBoth()
  expect((await report([outcome(accountId, 's-0')])).body.accepted).toBe(1)
  await takeOut(0, id)
  await place(1)
  expect((await report([outcome(ann.accountId, 's-1'), outcome(accountId, 's-2')])).body.accepted).toBe(2)
})

test('a report for an account that the directory places wrongly is refused, until it is corrected', async () => {
  const { id, accountId, place } = await accountOnBoth()
  await takeOut(0, id)
  const items = [outcome(bob.accountId, 'wrong-0'), outcome(accountId, 'wrong-1')]
  expect(await report<Problem>(items)).toMatchObject({
    status: 422,
    body: { errors: [{ path: '/1/account_id' }] },
  })
  expect((await allEvents(bob.api)).map(({ data }) => data.email_id)).not.toContain('wrong-0')
  await place(1)
  expect((await report(items)).body.accepted).toBe(2)
})
