import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  newInstallation,
  startService,
  type ServiceProcess,
} from '../../server/test/support/service-process.ts'
import { type DatabasePlace, embedded, newDatabasePlace } from '../../server/test/support/test-database.ts'
import {
  ApiProblem,
  type Client,
  createClient,
  IncompleteListError,
  UnexpectedAnswerError,
} from '../src/index.ts'

let place: DatabasePlace
let service: ServiceProcess
let operator: Client

beforeAll(async () => {
  place = await newDatabasePlace(embedded)
  const installation = newInstallation(place)
  service = await startService(installation, { POSTHORN_API_RATE_LIMIT: '5' })
  operator = createClient({ url: service.url, credential: installation.adminToken })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await place[Symbol.asyncDispose]()
})

test('an endpoint can be created, read and deleted with methods named as in the contract', async () => {
  const customer = await newCustomer()

  const made = await customer.createWebhook({ body: { url: 'http://127.0.0.1:9/hook', enabled: false } })
  expect(made).toMatchObject({ status: 'disabled', secret: expect.stringMatching(/^whsec_/) })
  const { secret: _, ...record } = made
  expect(await customer.getWebhook({ params: { id: made.id } })).toEqual(record)
  expect(await customer.deleteWebhook({ params: { id: made.id } })).toBeUndefined()

  await expect(customer.getWebhook({ params: { id: made.id } })).rejects.toMatchObject({ code: 'not_found' })
})

test('wrong arguments of an operation do not compile', () => {
  const wrong = [
    // @ts-expect-error the id is missing
    async (client: Client) => await client.getWebhook(),
    // @ts-expect-error there is no such type of event
    async (client: Client) => await client.createWebhook({ body: { url: '', events: ['email.opened'] } }),
    // @ts-expect-error there is no such filter
    async (client: Client) => await client.listAccounts({ query: { name: 'Acme' } }),
    // @ts-expect-error it is no list
    (client: Client) => client.each('getReadiness'),
  ]
  expect(wrong).toHaveLength(4)
})

test('an API error carries its code, its status, each wrong field and the request id', async () => {
  const customer = await newCustomer()

  const refused = await customer
    .createWebhook({ body: { url: 'http://127.0.0.1:9/', rate_limit_per_second: 0 } })
    .catch((error: unknown) => error)

  expect(refused).toBeInstanceOf(ApiProblem)
  expect(refused).toMatchObject({
    code: 'validation_failed',
    status: 422,
    errors: [{ path: '/rate_limit_per_second', message: expect.any(String) }],
    requestId: expect.stringMatching(/./),
  })
})

test('every item of a list is returned, page after page', async () => {
  const names = ['one', 'two', 'three', 'four', 'five']
  for (const name of names) await operator.createAccount({ body: { name } })

  const listed: string[] = []
  for await (const { name } of operator.each('listAccounts', { query: { limit: 2 } })) listed.push(name)

  expect(listed.filter(name => names.includes(name))).toEqual(names.toReversed())
})

test('requests with the same idempotency key create one account and return it each time', async () => {
  const make = async () => await operator.createAccount({ body: { name: 'Once' } }, { idempotencyKey: 'k1' })

  expect(await make()).toEqual(await make())
  const accounts = await Array.fromAsync(operator.each('listAccounts'))
  expect(accounts.filter(({ name }) => name === 'Once')).toHaveLength(1)
})

test('a rate-limited read is retried until it succeeds; without retries the call fails with rate_limited', async () => {
  const { api_key: credential } = await newKey()
  const patient = createClient({ url: service.url, credential: String(credential) })
  const impatient = createClient({ url: service.url, credential: String(credential), retriesMax: 0 })

  const refused = await Promise.all(
    Array.from({ length: 12 }, async () => await impatient.listWebhooks().then(() => null, asProblem)),
  )
  expect(refused.filter(problem => problem !== null)[0]).toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: expect.any(Number),
  })

  expect(await patient.listWebhooks()).toEqual({ data: [], next_cursor: null })
})

describe('with an unavailable server', () => {
  const unavailable = JSON.stringify({
    type: 'about:blank',
    title: 'Service Unavailable',
    status: 503,
    detail: 'Try again.',
    code: 'overloaded',
    request_id: 'r1',
  })
  const problem = (response: ServerResponse) =>
    response
      .writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '0' })
      .end(unavailable)

  test('a change is retried only if it has an idempotency key', async () => {
    await using server = await serve((count, response) => {
      if (count <= 2) problem(response)
      else response.writeHead(204).end()
    })
    const client = createClient({ url: server.url, credential: 'x' })

    await expect(client.deleteAccount({ params: { id: 'a' } })).rejects.toMatchObject({ code: 'overloaded' })
    expect(server.count()).toBe(1)
    await client.deleteAccount({ params: { id: 'a' } }, { idempotencyKey: 'k' })
    expect(server.count()).toBe(3)
  })

  test('a call makes at most three requests', async () => {
    await using server = await serve((_, response) => problem(response))

    await expect(createClient({ url: server.url, credential: 'x' }).getHealth()).rejects.toMatchObject({
      code: 'overloaded',
    })
    expect(server.count()).toBe(3)
  })

  test('aborting a call ends its wait for the next retry', async () => {
    await using server = await serve((_, response) =>
      response.writeHead(503, { 'retry-after': '20' }).end(unavailable),
    )
    const giveUp = new AbortController()
    const call = createClient({ url: server.url, credential: 'x' }).getHealth({}, { signal: giveUp.signal })
    await server.answered
    giveUp.abort()

    await expect(call).rejects.toThrow(/abort/)
  })
})

test('a web page that answers 200 is not mistaken for the service', async () => {
  await using server = await serve((_, response) => response.writeHead(200).end('<html>'))

  const client = createClient({ url: server.url, credential: 'x' })
  await expect(client.listAccounts()).rejects.toBeInstanceOf(UnexpectedAnswerError)
})

test('a list that lacks the items of a shard fails instead of looking complete', async () => {
  const page = { data: [], next_cursor: null, unavailable_shards: [1] }
  await using server = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page)),
  )
  const client = createClient({ url: server.url, credential: 'x' })

  await expect(Array.fromAsync(client.each('listAccounts'))).rejects.toBeInstanceOf(IncompleteListError)
  expect(await client.listAccounts()).toEqual(page)
})

async function newKey() {
  const { id } = await operator.createAccount({ body: { name: 'Acme' } })
  return await operator.createApiKey({ params: { id }, body: { name: 'all', scopes: ['read', 'send'] } })
}

async function newCustomer(): Promise<Client> {
  return createClient({ url: service.url, credential: String((await newKey()).api_key) })
}

function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  throw error
}

interface CountingServer extends AsyncDisposable {
  url: string
  count(): number
  /** Resolves when the first response has been sent. */
  answered: Promise<void>
}

async function serve(answer: (count: number, response: ServerResponse) => void): Promise<CountingServer> {
  let count = 0
  const first = Promise.withResolvers<void>()
  const server = createServer((_, response) => {
    answer(++count, response)
    first.resolve()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    answered: first.promise,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
