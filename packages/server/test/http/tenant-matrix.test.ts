import type { EmailAccepted } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectApi, type Customer, expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { type DatabasePlace, newDatabasePlace } from '../support/test-database.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { until } from '../support/until.ts'

/** What the matrix needs of the document that the running service publishes. */
interface Operation {
  operationId: string
  security?: Array<Record<string, string[]>>
  requestBody?: object
}

let place: DatabasePlace
let receiver: Receiver
let sink: SmtpSink
let service: ServiceProcess
let owner: Customer
let stranger: Customer
let operations: Array<{ method: string; path: string; operation: Operation }>
/** Ids of the owner's things, by the place in a path where they stand. */
let ids: Record<string, string>

beforeAll(async () => {
  place = await newDatabasePlace({ name: 'PGlite', serverUrl: null })
  receiver = await startReceiver()
  sink = await startSmtpSink()
  service = await startService(newInstallation(place), { POSTHORN_SMTP_URL: sink.url })
  owner = await newCustomer(service.url, service.operator)
  stranger = await newCustomer(service.url, service.operator)
  ids = await everything(owner)
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await sink[Symbol.asyncDispose]()
  await place[Symbol.asyncDispose]()
})

/** One of each thing that has an id. */
async function everything(customer: Customer): Promise<Record<string, string>> {
  const webhook = await customer.newWebhook({ url: receiver.url() })
  const staged = expectStatus(
    201,
    await customer.api.post<{ key_id: string }>(`/v1/webhooks/${webhook.id}/signing-keys/stage`),
  )
  const [eventId] = await customer.report(1)
  const [delivery] = await until('it is delivered', async () => {
    const found = await customer.deliveries(webhook.id, '&state=delivered')
    return found.length === 1 ? found : undefined
  })
  const optional = async (path: string, body: object): Promise<string> => {
    const answer = await customer.api.post<{ id?: string }>(path, body)
    return answer.body?.id ?? ''
  }
  const mail = { from: 'a@acme.example', to: ['b@example.org'], subject: 'Hi', text: 'Hi' }
  const { email_id: emailId } = expectStatus(202, await customer.api.post<EmailAccepted>('/v1/emails', mail))
  return {
    accounts: customer.accountId,
    emails: emailId,
    webhooks: webhook.id,
    'signing-keys': staged.key_id,
    events: eventId ?? '',
    deliveries: delivery?.id ?? '',
    replays: await optional(`/v1/webhooks/${webhook.id}/replays`, { since: '2026-01-01T00:00:00.000Z' }),
    suppressions: await optional('/v1/suppressions', { address: 'somebody@example.org' }),
    domains: await optional('/v1/domains', { name: 'mail.acme.example' }),
    erasures: await optional('/v1/erasures', { recipient: 'nobody@example.org' }),
  }
}

/** Bodies that pass every check but the one for the owner; an operation that takes one must be here. */
const bodies: Record<string, object> = {
  updateWebhook: { description: 'mine now' },
  createReplay: { since: '2026-01-01T00:00:00.000Z' },
  sendTestEvent: { type: 'email.delivered' },
}

/** `/v1/webhooks/{id}/signing-keys/{key_id}` with the owner's ids, each by the word before it. */
function ownersPath(path: string): string {
  return path.replaceAll(/([a-z-]+)\/\{\w+\}/g, (_, word: string) => `${word}/${ids[word] ?? 'nothing'}`)
}

const customersOwn = ({ path, operation }: (typeof operations)[number]): boolean =>
  path.includes('{') && (operation.security ?? []).some(scheme => 'apiKey' in scheme)

describe('from the document that the service publishes', () => {
  test('another account’s id is a 404 on every route, and the thing stays as it was', async () => {
    const before = await snapshot()
    const routes = operations.filter(customersOwn)
    expect(routes.length).toBeGreaterThan(10)
    for (const { method, path, operation } of routes) {
      const takesBody = operation.requestBody !== undefined
      if (takesBody && !(operation.operationId in bodies)) {
        throw new Error(`the matrix has no body for ${operation.operationId}`)
      }
      const response = await fetch(service.url + ownersPath(path), {
        method,
        headers: {
          authorization: `Bearer ${stranger.apiKey}`,
          ...(takesBody && { 'content-type': 'application/json' }),
        },
        ...(takesBody && { body: JSON.stringify(bodies[operation.operationId]) }),
      })
      expect([method, path, response.status]).toEqual([method, path, 404])
    }
    expect(await snapshot()).toEqual(before)
  })

  test('its owner reads each of them with the same path', async () => {
    for (const route of operations.filter(customersOwn)) {
      if (route.method !== 'GET' || ownersPath(route.path).endsWith('/')) continue
      const answer = await owner.api.get(ownersPath(route.path))
      expect([route.path, answer.status]).toEqual([route.path, 200])
    }
  })

  test('no route but the public ones answers a credential that it does not name', async () => {
    const nobody = connectApi(service.url, 'phk_nobody')
    for (const { method, path, operation } of operations) {
      if ((operation.security ?? []).length === 0) continue
      const target = ownersPath(path)
      const asNobody = await fetch(service.url + target, {
        method,
        headers: { authorization: 'Bearer phk_nobody' },
      })
      expect([method, path, asNobody.status]).toEqual([method, path, 401])
      const names = operation.security?.flatMap(scheme => Object.keys(scheme)) ?? []
      for (const [scheme, api] of [
        ['operatorToken', service.operator],
        ['apiKey', stranger.api],
      ] as const) {
        if (names.includes(scheme) || method !== 'GET') continue
        expect([path, scheme, (await api.get(target)).status]).toEqual([path, scheme, 403])
      }
    }
    expect((await nobody.get('/v1/webhooks')).status).toBe(401)
  })
})

/** What the owner sees of its own. */
async function snapshot(): Promise<unknown[]> {
  const paths = [
    `/v1/webhooks/${ids['webhooks']}`,
    `/v1/webhooks/${ids['webhooks']}/signing-keys`,
    `/v1/events/${ids['events']}`,
    `/v1/deliveries/${ids['deliveries']}`,
    '/v1/suppressions',
    '/v1/domains',
  ]
  return await Promise.all(paths.map(async path => (await owner.api.get(path)).body))
}
