import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Customer } from '../support/api.ts'
import { openShards, type TestInstallation } from '../support/shards.ts'
import { until } from '../support/until.ts'

interface Init extends Omit<RequestInit, 'headers'> {
  headers?: Record<string, string>
}

let installation: TestInstallation
let on0: Customer
let on1: Customer

beforeAll(async () => {
  installation = await openShards(2)
  on0 = await installation.customerOn(0)
  on1 = await installation.customerOn(1)
})

afterAll(async () => await installation[Symbol.asyncDispose]())

/** Sends a request once, without the repetitions of the test client. */
async function once(
  customer: Pick<Customer, 'apiKey'>,
  path: string,
  init: Init = {},
): Promise<{ status: number; body: Record<string, unknown>; retryAfter: string | null }> {
  const headers = { authorization: `Bearer ${customer.apiKey}`, 'content-type': 'application/json' }
  const response = await fetch(installation.url + path, { ...init, headers: { ...headers, ...init.headers } })
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    retryAfter: response.headers.get('retry-after'),
  }
}

const outcome = { type: 'email.delivered', data: { email_id: 'em_1', to: ['ann@example.org'] } }

test('the accounts of a stopped shard get 503 within seconds, and the others work', async () => {
  const [, second] = installation.shards
  await second?.stop()
  const beganMs = performance.now()
  const [away, report] = await Promise.all([
    once(on1, '/v1/webhooks'),
    once(on1, '/v1/outcomes', { method: 'POST', body: JSON.stringify(outcome) }),
  ])
  expect(away).toMatchObject({ status: 503, retryAfter: '2' })
  expect(away.body).toMatchObject({ code: 'shard_unavailable' })
  expect(away.body['detail']).toMatch(/^Shard 1 of this installation does not respond/)
  expect(report.body).toMatchObject({ code: 'shard_unavailable' })
  expect(performance.now() - beganMs).toBeLessThan(8_000)

  expect((await once(on0, '/v1/webhooks')).status).toBe(200)
  expect(await on0.report(2)).toHaveLength(2)
  // after some seconds, nobody waits for the shard any more
  const againMs = performance.now()
  expect((await once(on1, '/v1/webhooks')).status).toBe(503)
  expect(performance.now() - againMs).toBeLessThan(1_000)
  // new accounts go to the other one
  const operator = { apiKey: installation.adminToken }
  const created = await once(operator, '/v1/accounts', { method: 'POST', body: '{"name":"Late"}' })
  expect(created.status).toBe(201)

  await second?.start()
  await until('its accounts work again', async () => (await once(on1, '/v1/webhooks')).status === 200)
})

test('a request waits for a shard that restarts', async () => {
  const [, second] = installation.shards
  await second?.stop()
  const waiting = once(on1, '/v1/webhooks')
  await second?.start()
  expect((await waiting).status).toBe(200)
})

test('while shard 0 is down, known accounts of other shards work and new accounts wait', async () => {
  const [first] = installation.shards
  await first?.stop()
  expect((await once(on1, '/v1/webhooks')).status).toBe(200)
  expect(await on1.report(1)).toHaveLength(1)
  const operator = { apiKey: installation.adminToken }
  expect((await once(operator, `/v1/accounts/${on1.accountId}`)).status).toBe(200)
  const created = await once(operator, '/v1/accounts', { method: 'POST', body: '{"name":"Early"}' })
  expect(created).toMatchObject({ status: 503, body: { code: 'shard_unavailable' } })
  expect((await once(on0, '/v1/webhooks')).status).toBe(503)
  const unknown = { apiKey: on1.apiKey.replace(/.{12}$/, 'zzzzzzzzzzzz') }
  expect((await once(unknown, '/v1/webhooks')).status).toBe(503)
  // the front stays ready, because it knows where its accounts are
  expect((await fetch(`${installation.url}/readyz`)).status).toBe(200)
  await first?.start()
  await until('its accounts work again', async () => (await once(on0, '/v1/webhooks')).status === 200)
  expect((await once(unknown, '/v1/webhooks')).status).toBe(401)
})

/** A TCP proxy to a shard. While it stalls, it forwards nothing and closes nothing, like a machine that hangs. */
async function startProxy(url: string) {
  const sockets = new Set<Socket>()
  let isStalled = false
  const server = createServer(client => {
    const shard = connect(Number(new URL(url).port), '127.0.0.1')
    for (const [from, to] of [
      [client, shard],
      [shard, client],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (isStalled) from.pause()
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stall: () => {
      isStalled = true
      for (const socket of sockets) socket.pause()
    },
    go: () => {
      isStalled = false
      for (const socket of sockets) socket.resume()
    },
    [Symbol.dispose]: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

test('a shard that hangs delays only its own accounts, and only for seconds', async () => {
  const [first, second] = installation.shards
  using proxy = await startProxy(second?.url ?? '')
  await using front = await installation.openFront({
    POSTHORN_SHARDS: `0=${first?.url},1=${proxy.url}`,
  })
  const ask = async ({ apiKey }: Customer): Promise<number> =>
    (await fetch(`${front.url}/v1/webhooks`, { headers: { authorization: `Bearer ${apiKey}` } })).status
  expect([await ask(on0), await ask(on1)]).toEqual([200, 200])

  proxy.stall()
  const beganMs = performance.now()
  const hanging = ask(on1)
  for (let n = 0; n < 20; n++) expect(await ask(on0)).toBe(200)
  expect(performance.now() - beganMs).toBeLessThan(4_000)
  expect(await hanging).toBe(503)
  expect(performance.now() - beganMs).toBeLessThan(15_000)

  proxy.go()
  await until('its accounts work again', async () => (await ask(on1)) === 200)
})
