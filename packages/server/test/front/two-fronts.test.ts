import { randomUUID } from 'node:crypto'
import type { Session, Webhook } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Service } from '../../src/service.ts'
import {
  type Api,
  connectApi,
  type Customer,
  customerAt,
  expectStatus,
  newCustomer,
  type Page,
} from '../support/api.ts'
import { openShards, type TestInstallation } from '../support/shards.ts'
import { newPortalLinkAt, signInAt } from '../support/sign-in-at.ts'

let installation: TestInstallation
let second: Service
let operator: Api

beforeAll(async () => {
  installation = await openShards(2)
  second = await installation.openFront()
  operator = connectApi(second.url, installation.adminToken)
})

afterAll(async () => {
  await second.drain()
  await installation[Symbol.asyncDispose]()
})

test('what one front creates, another serves at once', async () => {
  for (let n = 0; n < 10; n++) {
    const { accountId, apiKey } = await newCustomer(installation.url, installation.operator)
    const there = customerAt(second.url, accountId, apiKey)
    const [id] = await there.report(1)
    expect((await there.api.get(`/v1/events/${id}`)).status).toBe(200)
    expect((await operator.get(`/v1/accounts/${accountId}`)).status).toBe(200)
  }
})

describe.each([0, 1])('for an account of shard %s', shard => {
  let customer: Customer
  beforeAll(async () => {
    customer = await installation.customerOn(shard)
  })

  test('a session works at both fronts, and a sign-out at one ends it at the other', async () => {
    for (const credential of [customer.apiKey, installation.adminToken]) {
      const headers = { ...(await signInAt(installation.url, credential)) }
      const shown = async (url: string): Promise<number> =>
        (await fetch(`${url}/v1/session`, { headers })).status
      expect([await shown(installation.url), await shown(second.url)]).toEqual([200, 200])
      const there = { ...headers, origin: second.url }
      const ended = await fetch(`${second.url}/v1/session`, { method: 'DELETE', headers: there })
      expect(ended.status).toBe(204)
      expect([await shown(installation.url), await shown(second.url)]).toEqual([401, 401])
    }
  })

  test('a portal link is exchanged once, at one of two fronts', async () => {
    const { id, token } = await newPortalLinkAt(installation.operator, customer.accountId)
    const exchange = async (api: Api): Promise<number> =>
      (await api.post<Session>(`/v1/portal-sessions/${id}/exchange`, { token, embedded: true })).status
    const statuses = await Promise.all([exchange(installation.operator), exchange(operator)])
    expect(new Set(statuses)).toEqual(new Set([200, 410]))
  })

  test('a repeated Idempotency-Key has one effect at both fronts together', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const body = { url: 'http://127.0.0.1:9/once' }
    const there = customerAt(second.url, customer.accountId, customer.apiKey)
    const answers = await Promise.all(
      [customer, there, customer].map(
        async ({ api }) => await api.post<Webhook>('/v1/webhooks', body, headers),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(answer => answer.body.id)).size).toBe(1)
    const { data } = expectStatus(200, await there.api.get<Page<Webhook>>('/v1/webhooks'))
    expect(data.filter(({ url }) => url === body.url)).toHaveLength(1)
  })
})
