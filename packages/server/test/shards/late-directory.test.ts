import { randomUUID } from 'node:crypto'
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

test('a report follows an account whose place the front does not know yet', async () => {
  const [first, second] = shards.shards
  const id = randomUUID()
  const account = { id, name: 'Moved', max_endpoints: 5 }
  const accountId = typeId('acct', id)
  expect((await first?.ask('POST', '/internal/placements', { account_id: id, shard: 0 }))?.status).toBe(200)
  await second?.ask('POST', '/internal/accounts', account)
  // the directory is wrong, so no shard stores anything
  const wrong = [outcome(bob.accountId, 'wrong-0'), outcome(accountId, 'wrong-1')]
  expect(await report<Problem>(wrong)).toMatchObject({
    status: 422,
    body: { errors: [{ path: '/1/account_id' }] },
  })

  const directory = await first?.ask<{ version: number }>('GET', '/internal/directory?after=0')
  const corrected = { version: directory?.body.version, changes: [{ account_id: id, shard: 1 }] }
  expect((await first?.ask('POST', '/internal/directory', corrected))?.status).toBe(200)
  const right = [outcome(ann.accountId, 'right-0'), outcome(accountId, 'right-1')]
  expect(await report(right)).toMatchObject({ status: 202, body: { accepted: 2 } })
  expect((await report([outcome(accountId, 'right-2')])).body.accepted).toBe(1)
  expect((await report(wrong)).body.accepted).toBe(2)
})
