import { createHmac } from 'node:crypto'
import type { Account, ApiKey, Erasure, Session, Webhook } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allEvents, connectApi, type Customer, expectStatus, type Page } from '../support/api.ts'
import { openShards, type TestInstallation } from '../support/shards.ts'
import { newPortalLinkAt, openPortalAt, signInAt } from '../support/sign-in-at.ts'

let installation: TestInstallation
let customers: [Customer, Customer]

beforeAll(async () => {
  installation = await openShards(2)
  customers = [await installation.customerOn(0), await installation.customerOn(1)]
})

afterAll(async () => await installation[Symbol.asyncDispose]())

/** Sends a request to the front as it is. */
async function send(path: string, init: RequestInit = {}): Promise<Response> {
  return await fetch(installation.url + path, init)
}

test('the operator signs in and manages accounts of every shard', async () => {
  const headers = { ...(await signInAt(installation.url, installation.adminToken)) }
  const json = { 'content-type': 'application/json' }
  for (const { accountId } of customers) {
    const path = `/v1/accounts/${accountId}`
    expect((await send(path, { headers })).status).toBe(200)
    const body = '{"name":"From the dashboard"}'
    const renamed = await send(path, { method: 'PATCH', headers: { ...headers, ...json }, body })
    expect(renamed.status).toBe(200)
    const { 'x-csrf-token': _, ...without } = headers
    const forged = await send(path, { method: 'PATCH', headers: { ...without, ...json }, body })
    expect([forged.status, ((await forged.json()) as { code: string }).code]).toEqual([403, 'csrf_failed'])
    const elsewhere = { ...headers, ...json, origin: 'https://evil.example' }
    expect((await send(path, { method: 'PATCH', headers: elsewhere, body })).status).toBe(403)
  }
  expect((await send('/v1/session', { method: 'DELETE', headers })).status).toBe(204)
  // the sign-out has effect at once, on every shard
  for (const { accountId } of customers) {
    expect((await send(`/v1/accounts/${accountId}`, { headers })).status).toBe(401)
  }
})

describe.each([0, 1])('an account of shard %s', shard => {
  const customer = (): Customer => customers[shard] as Customer

  test('gets the reports of its mail provider', async () => {
    const key = 'a-webhook-signing-key'
    const source = expectStatus(
      201,
      await installation.operator.post<{ report_url: string }>(
        `/v1/accounts/${customer().accountId}/sources`,
        { kind: 'mailgun', key },
      ),
    )
    const { search } = new URL(source.report_url)
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const report = async (token: string, size: number): Promise<Response> => {
      const event = { event: 'delivered', id: `${shard}-${size}`, recipient: 'ann@example.org' }
      const payload = {
        signature: {
          timestamp,
          token,
          signature: createHmac('sha256', key).update(`${timestamp}good`).digest('hex'),
        },
        'event-data': { ...event, 'user-variables': { posthorn_email_id: event.id }, size: 'x'.repeat(size) },
      }
      const body = JSON.stringify(payload)
      return await send(`/v1/sources/mailgun${search}`, { method: 'POST', body })
    }
    for (const size of [0, 100_000]) {
      const answer = await report('good', size)
      expect([answer.status, await answer.json()]).toMatchObject([200, { accepted: 1 }])
    }
    const events = await allEvents(customer().api)
    expect(events.map(({ data }) => data.email_id)).toEqual(
      expect.arrayContaining([`${shard}-0`, `${shard}-100000`]),
    )
    expect((await report('wrong', 0)).status).toBe(401)
    expect((await send('/v1/sources/mailgun?token=phr_nobody', { method: 'POST', body: '{}' })).status).toBe(
      401,
    )
  })

  test('is managed by the operator', async () => {
    const path = `/v1/accounts/${customer().accountId}`
    expect(expectStatus(200, await installation.operator.get<Account>(path)).id).toBe(customer().accountId)
    expectStatus(200, await installation.operator.patch(path, { name: `Renamed on ${shard}` }))
    const keys = expectStatus(200, await installation.operator.get<Page<ApiKey>>(`${path}/api-keys`))
    expect(keys.data).toHaveLength(1)
    const log = expectStatus(
      200,
      await installation.operator.get<Page<{ action: string }>>(
        `/v1/audit-log?account_id=${customer().accountId}`,
      ),
    )
    expect(log.data.map(({ action }) => action)).toContain('account.updated')
  })

  test('uses its key', async () => {
    const webhook = await customer().newWebhook({ url: 'http://127.0.0.1:9/hook' })
    const events = await customer().report(3)
    expect(events).toHaveLength(3)
    expect(await customer().deliveries(webhook.id)).toHaveLength(3)
    expect((await customer().api.get(`/v1/webhooks/${customers[1 - shard]?.accountId}`)).status).toBe(404)
  })

  test('signs in and uses the dashboard', async () => {
    const headers = await signInAt(installation.url, customer().apiKey)
    const session = (await (await send('/v1/session', { headers: { ...headers } })).json()) as Session
    expect(session.account?.id).toBe(customer().accountId)
    const body = JSON.stringify({ url: 'http://127.0.0.1:9/second' })
    const json = { 'content-type': 'application/json' }
    const created = await send('/v1/webhooks', { method: 'POST', headers: { ...headers, ...json }, body })
    expect(created.status).toBe(201)
    const { 'x-csrf-token': _, ...without } = headers
    const refused = await send('/v1/webhooks', { method: 'POST', headers: { ...without, ...json }, body })
    expect(refused.status).toBe(403)
    expect((await send('/v1/session', { method: 'DELETE', headers: { ...headers } })).status).toBe(204)
    expect((await send('/v1/session', { headers: { ...headers } })).status).toBe(401)
  })

  test('opens a portal link in a frame', async () => {
    const token = await openPortalAt(installation.url, installation.operator, customer().accountId)
    const portal = connectApi(installation.url, token)
    expect(expectStatus(200, await portal.get<Page<Webhook>>('/v1/webhooks')).data.length).toBeGreaterThan(0)
  })

  test('has a portal page that says who may frame it', async () => {
    const created = await installation.operator.post<{ id: string }>('/v1/portal-sessions', {
      account_id: customer().accountId,
      allowed_origins: ['https://acme.example'],
    })
    const { id } = expectStatus(201, created)
    const page = await send(`/portal/${id}`, { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-security-policy')).toContain('frame-ancestors https://acme.example')
    const other = await send('/', { headers: { accept: 'text/html' } })
    expect(other.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test('has a portal link that the operator revokes', async () => {
    const link = await newPortalLinkAt(installation.operator, customer().accountId)
    expect((await installation.operator.delete(`/v1/portal-sessions/${link.id}`)).status).toBe(204)
    const exchange = { token: link.token, embedded: true }
    const ended = await installation.operator.post(`/v1/portal-sessions/${link.id}/exchange`, exchange)
    expect(ended.status).toBe(410)
  })

  test('erases a recipient for the operator', async () => {
    const created = await installation.operator.post<Erasure>('/v1/erasures', {
      account_id: customer().accountId,
      recipient: 'ann@example.org',
    })
    const { id } = expectStatus(202, created)
    expect(expectStatus(200, await installation.operator.get<Erasure>(`/v1/erasures/${id}`)).id).toBe(id)
  })
})
