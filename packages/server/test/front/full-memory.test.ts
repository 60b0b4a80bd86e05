import { Readable } from 'node:stream'
import type { Problem } from '@posthorn/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openFront } from '../../src/front/open-front.ts'
import { createLog } from '../../src/log.ts'
import type { Service } from '../../src/service.ts'
import { type Asked, ask, outcome } from '../shards/report-at.ts'
import type { Customer } from '../support/api.ts'
import { openShards, type TestInstallation } from '../support/shards.ts'

// A front that may keep so little that every body is too much, as if many large requests were under way.

let installation: TestInstallation
let front: Service
let customer: Customer

beforeAll(async () => {
  installation = await openShards(2)
  customer = await installation.customerOn(1)
  const { config } = readConfig(installation.frontSettings)
  front = await openFront(config, createLog('silent'), { heldBytesMax: 5 })
})

afterAll(async () => {
  await front[Symbol.asyncDispose]()
  await installation[Symbol.asyncDispose]()
})

async function post(
  path: string,
  body: unknown,
  credential = installation.adminToken,
): Promise<Asked<Problem>> {
  return await ask<Problem>({ url: front.url, adminToken: credential }, path, body)
}

const overloaded = { status: 503, body: { code: 'overloaded' } }

test('requests that the front need not read pass through', async () => {
  expect((await post('/v1/webhooks', { url: 'https://example.com/' }, customer.apiKey)).status).toBe(201)
  const { account_id: _, ...own } = outcome(customer.accountId, 'passed')
  expect((await post('/v1/outcomes', own, customer.apiKey)).status).toBe(202)
})

test('requests whose body names the account are not taken for requests without one', async () => {
  expect(await post('/v1/portal-sessions', { account_id: customer.accountId })).toMatchObject(overloaded)
  const erasure = { account_id: customer.accountId, address: 'ann@example.org' }
  expect(await post('/v1/erasures', erasure)).toMatchObject(overloaded)
  expect(await post('/v1/sessions', { credential: customer.apiKey })).toMatchObject(overloaded)
})

test('a report without a known length is not called too large', async () => {
  const body = JSON.stringify([outcome(customer.accountId, 'chunked')])
  const answer = await fetch(`${front.url}/v1/outcomes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${installation.adminToken}`, 'content-type': 'application/json' },
    body: Readable.toWeb(Readable.from([Buffer.from(body)])) as ReadableStream,
    duplex: 'half',
  } as RequestInit)
  expect({ status: answer.status, body: await answer.json() }).toMatchObject(overloaded)
})
