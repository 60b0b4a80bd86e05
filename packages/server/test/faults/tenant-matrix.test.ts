import type { EmailAccepted, Replay } from '@posthorn/contract'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Customer, expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import {
  type Installation,
  newInstallation,
  type ServiceProcess,
  startService,
} from '../support/service-process.ts'
import { newPortalLinkAt, openPortalAt, signInAt } from '../support/sign-in-at.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { type DatabasePlace, embedded, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'

/** The parts of the running service's OpenAPI document that the matrix needs. */
interface Operation {
  operationId: string
  security?: Array<Record<string, string[]>>
  requestBody?: object
  parameters?: Array<{ name: string; in: string; required?: boolean }>
}

type Headers = Record<string, string>

let place: DatabasePlace
let receiver: Receiver
let sink: SmtpSink
let installation: Installation
let service: ServiceProcess
let owner: Customer
let stranger: Customer
let operations: Array<{ method: string; path: string; operation: Operation }>
/** The owner's ids, by the word before them in a path. */
let ids: Record<string, string>
let strangersIds: Record<string, string>
/** All ways to sign in as the stranger. */
let credentials: Record<string, Headers>

beforeAll(async () => {
  place = await newDatabasePlace(embedded)
  receiver = await startReceiver()
  sink = await startSmtpSink()
  installation = newInstallation(place)
  service = await startService(installation, {
    POSTHORN_SMTP_URL: sink.url,
    POSTHORN_NOTICES_FROM: 'posthorn@example.com',
  })
  owner = await newCustomer(service.url, service.operator)
  stranger = await newCustomer(service.url, service.operator)
  ids = await everything(owner, 'owner')
  strangersIds = await everything(stranger, 'stranger')
  credentials = {
    'API key': { authorization: `Bearer ${stranger.apiKey}` },
    session: { ...(await signInAt(service.url, stranger.apiKey)) },
    'portal session': {
      authorization: `Bearer ${await openPortalAt(service.url, service.operator, stranger.accountId)}`,
    },
  }
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

/** Creates one of each resource that has an id. */
async function everything(customer: Customer, name: string): Promise<Record<string, string>> {
  const webhook = await customer.newWebhook({ url: receiver.url(`/${name}`) })
  const path = `/v1/webhooks/${webhook.id}`
  const made = async (from: string, body?: object): Promise<string> =>
    expectStatus(201, await customer.api.post<{ id: string }>(from, body)).id
  const staged = expectStatus(201, await customer.api.post<{ key_id: string }>(`${path}/signing-keys/stage`))
  const [eventId] = await customer.report(1, {
    data: { email_id: `em_of_${name}`, to: [`reader@${name}.example`] },
  })
  const [delivery] = await until('it is delivered', async () => {
    const found = await customer.deliveries(webhook.id, '&state=delivered')
    return found.length === 1 ? found : undefined
  })
  const mail = { from: 'a@acme.example', to: [`b@${name}.example`], subject: 'Hi', text: 'Hi' }
  const { email_id: emailId } = expectStatus(202, await customer.api.post<EmailAccepted>('/v1/emails', mail))
  const aDayOfNothing = { since: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' }
  const replay = await customer.api.post<Replay>(`${path}/replays`, aDayOfNothing)
  const erasure = await customer.api.post<{ id: string }>('/v1/erasures', { recipient: 'no@body.example' })
  const keys = await customer.api.get<{ data: Array<{ id: string }> }>('/v1/api-keys')
  await customer.api.put('/v1/notice-email', { address: `ops@${name}.example` })
  return {
    accounts: customer.accountId,
    'api-keys': keys.body.data[0]?.id ?? '',
    emails: emailId,
    webhooks: webhook.id,
    'signing-keys': staged.key_id,
    events: eventId ?? '',
    deliveries: delivery?.id ?? '',
    replays: replay.body.id,
    suppressions: await made('/v1/suppressions', { address: `no@${name}.example` }),
    domains: await made('/v1/domains', { name: `mail.${name}.example` }),
    erasures: erasure.body.id,
  }
}

/** Bodies that pass every check except ownership. Every operation with an id in its path must be here. */
const bodies: Record<string, object> = {
  updateWebhook: { description: 'mine now' },
  createReplay: { since: '2026-01-01T00:00:00.000Z' },
  sendTestEvent: { type: 'email.delivered' },
  updateAccount: { name: 'mine now' },
  updateSendingDomain: { link_host: null },
  permitLoopback: { url: 'http://127.0.0.1:8080/' },
  createApiKey: { name: 'mine now', scopes: ['read'] },
}

/** Fills in `/v1/webhooks/{id}/signing-keys/{key_id}` with these ids, by the word before each of them. */
function filledIn(path: string, by: Record<string, string>): string {
  return path.replaceAll(/([a-z-]+)\/\{\w+\}/g, (_, word: string) => `${word}/${by[word] ?? 'nothing'}`)
}

const customersOwn = ({ path, operation }: (typeof operations)[number]): boolean =>
  path.includes('{') && (operation.security ?? []).some(scheme => 'apiKey' in scheme)

async function ask(
  { method, operation }: Pick<(typeof operations)[number], 'method' | 'operation'>,
  path: string,
  headers: Headers,
): Promise<{ status: number; text: string }> {
  const body = operation.requestBody === undefined ? undefined : bodies[operation.operationId]
  if (operation.requestBody !== undefined && body === undefined) {
    throw new Error(`the matrix has no body for ${operation.operationId}`)
  }
  const response = await fetch(service.url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

fault('G4', 'an id of another account gives 404 on every route with any credential', async seen => {
  const before = await snapshot()
  const routes = operations.filter(customersOwn)
  expect(routes.length).toBeGreaterThan(10)
  let asked = 0
  for (const route of routes) {
    // if a path has two ids, each may be the foreign one
    const mixed = Object.keys(ids).map(word => ({ ...strangersIds, [word]: ids[word] ?? '' }))
    const paths = new Set([ids, ...mixed].map(by => filledIn(route.path, by)))
    paths.delete(filledIn(route.path, strangersIds))
    for (const [name, headers] of Object.entries(credentials)) {
      for (const path of paths) {
        const { status } = await ask(route, path, headers)
        asked++
        expect([name, route.method, path, status]).toEqual([name, route.method, path, 404])
      }
    }
  }
  expect(await snapshot()).toEqual(before)
  seen(`${routes.length} routes, ${Object.keys(credentials).length} kinds of credentials, ${asked} requests`)
})

fault('G4', 'every account can read its own resources on the same routes', async () => {
  for (const route of operations.filter(one => customersOwn(one) && one.method === 'GET')) {
    for (const [name, headers] of Object.entries(credentials)) {
      const { status } = await ask(route, filledIn(route.path, strangersIds), headers)
      expect([name, route.path, status]).toEqual([name, route.path, 200])
    }
    const { status } = await ask(route, filledIn(route.path, ids), {
      authorization: `Bearer ${owner.apiKey}`,
    })
    expect([route.path, status]).toEqual([route.path, 200])
  }
})

fault('G4', 'no list shows anything of another account, with any filter', async seen => {
  const foreign: Record<string, string> = {
    webhook_id: ids['webhooks'] ?? '',
    account_id: owner.accountId,
    email_id: 'em_of_owner',
    recipient: 'reader@owner.example',
    address: 'no@owner.example',
    prefix: 'no@own',
    target: ids['webhooks'] ?? '',
  }
  const lists = operations.filter(({ method, path, operation }) => {
    const isOwn = (operation.security ?? []).some(scheme => 'apiKey' in scheme)
    return method === 'GET' && isOwn && !path.includes('{')
  })
  let asked = 0
  for (const route of lists) {
    const parameters = (route.operation.parameters ?? []).filter(one => one.in === 'query')
    const names = parameters.map(one => one.name)
    const queries = names.flatMap(name => (name in foreign ? [`?${name}=${foreign[name]}`] : []))
    if (!parameters.some(one => one.required)) queries.push('')
    const cursor = names.includes('cursor') ? await ownersCursor(route.path) : null
    if (cursor !== null) queries.push(`?limit=1&cursor=${cursor}`)
    for (const query of queries) {
      for (const [name, headers] of Object.entries(credentials)) {
        const { status, text } = await ask(route, route.path + query, headers)
        asked++
        expect([name, route.path + query, status]).toEqual([
          name,
          route.path + query,
          expect.toBeOneOf([200, 403, 404]),
        ])
        const shown = Object.values(ids).filter(id => text.includes(id))
        expect([name, route.path + query, shown, /owner\.example|em_of_owner/.test(text)]).toEqual([
          name,
          route.path + query,
          [],
          false,
        ])
      }
    }
  }
  seen(`${lists.length} lists, ${asked} requests`)
})

/** The cursor of the page after the owner's first item; null if there is no second item. */
async function ownersCursor(path: string): Promise<string | null> {
  const { body } = await owner.api.get<{ next_cursor?: string | null }>(`${path}?limit=1`)
  return body.next_cursor ?? null
}

fault('G4', 'an id of another account in a request body changes nothing in that account', async seen => {
  const before = await snapshot()
  const outcome = { type: 'email.delivered', data: { email_id: ids['emails'], to: ['b@owner.example'] } }
  // What names the account is refused. Addresses, domain names and email ids may be anyone's, and what happens then happens in
  // the caller's own account. A portal reports no outcomes, and existing items give 409.
  const tries: Array<[path: string, body: object, statuses: number[]]> = [
    ['/v1/outcomes', { ...outcome, account_id: owner.accountId }, [403]],
    ['/v1/erasures', { recipient: 'reader@owner.example', account_id: owner.accountId }, [403]],
    ['/v1/outcomes', outcome, [202, 403]],
    ['/v1/erasures', { recipient: 'reader@owner.example' }, [202]],
    ['/v1/suppressions', { address: 'b@owner.example' }, [200, 201]],
    ['/v1/domains', { name: 'mail.owner.example' }, [201, 409]],
  ]
  for (const [path, body, statuses] of tries) {
    for (const [name, headers] of Object.entries(credentials)) {
      const response = await fetch(service.url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect([name, path, response.status]).toEqual([name, path, expect.toBeOneOf(statuses)])
    }
  }
  const link = await newPortalLinkAt(service.operator, owner.accountId)
  const own = await newPortalLinkAt(service.operator, stranger.accountId)
  const exchanged = await fetch(`${service.url}/v1/portal-sessions/${link.id}/exchange`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: own.token, embedded: true }),
  })
  expect(exchanged.status).toBe(410)
  expect(await snapshot()).toEqual(before)
  seen(`${tries.length} bodies`)
})

fault('G4', 'every non-public route rejects credentials that it does not list', async () => {
  for (const { method, path, operation } of operations) {
    const names = operation.security?.flatMap(scheme => Object.keys(scheme)) ?? []
    if (names.length === 0) continue
    const target = filledIn(path, strangersIds)
    const asNobody = await fetch(service.url + target, {
      method,
      headers: { authorization: 'Bearer phk_nobody' },
    })
    expect([method, path, asNobody.status]).toEqual([method, path, 401])
    const wrong: Array<[string, Headers]> = []
    if (!names.includes('operatorToken'))
      wrong.push(['operator', { authorization: `Bearer ${installation.adminToken}` }])
    if (!names.includes('apiKey')) wrong.push(['API key', credentials['API key'] ?? {}])
    if (
      !names.includes('apiKey') &&
      operation.operationId !== 'deleteSession' &&
      operation.operationId !== 'getSession'
    )
      wrong.push(
        ['session', credentials['session'] ?? {}],
        ['portal session', credentials['portal session'] ?? {}],
      )
    for (const [name, headers] of wrong) {
      const answer = await fetch(service.url + target, { method, headers })
      expect([method, path, name, answer.status]).toEqual([method, path, name, 403])
    }
  }
})

/** Everything that the owner and the operator see of the owner's account. */
async function snapshot(): Promise<unknown[]> {
  const paths = [
    `/v1/webhooks/${ids['webhooks']}`,
    `/v1/webhooks/${ids['webhooks']}/signing-keys`,
    `/v1/webhooks/${ids['webhooks']}/deliveries`,
    `/v1/events/${ids['events']}`,
    `/v1/events?email_id=${ids['emails']}`,
    `/v1/emails/${ids['emails']}`,
    '/v1/suppressions',
    '/v1/domains',
    '/v1/replays',
    '/v1/notice-email',
    '/v1/branding',
    '/v1/api-keys',
  ]
  return await Promise.all(paths.map(async path => settled((await owner.api.get<object>(path)).body)))
}

/** Removes what changes without requests. */
function settled(body: object): unknown {
  return JSON.parse(JSON.stringify(body, (key, value: unknown) => (moving.has(key) ? null : value)))
}

const moving = new Set([
  'seconds_left',
  'last_used_at',
  'next_cursor',
  'state',
  'done',
  'delivered',
  'pending',
  'finished_at',
])
