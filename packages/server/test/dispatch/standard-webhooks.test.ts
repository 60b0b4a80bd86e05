import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { EndpointCheck, Webhook } from '@posthorn/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireTestProgram } from '../../../../tools/test-programs/test-programs.ts'
import { type Customer, expectStatus, newCustomer } from '../support/api.ts'
import { canRun } from '../support/can-run.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { type DatabasePlace, newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'

let place: DatabasePlace
let service: ServiceProcess
let acme: Customer
beforeAll(async () => {
  place = await newDatabasePlace(newestServer())
  service = await startService(newInstallation(place))
  acme = await newCustomer(service.url, service.operator)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await place[Symbol.asyncDispose]()
})

const standardHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

test('the libraries of Standard Webhooks accept each attempt with every current secret, also in a rotation', async () => {
  await using receiver = await startReceiver()
  const { id, secret } = await acme.newWebhook({ url: receiver.url() })
  const next = async (): Promise<Received> => {
    const count = receiver.received.length
    await acme.report(1)
    await receiver.waitForEvents(count + 1)
    return receiver.received.at(-1) as Received
  }
  const plain = await next()
  for (const name of standardHeaders) expect(plain.headers[name]).toBeUndefined()

  const on = await acme.api.patch<Webhook>(`/v1/webhooks/${id}`, { standard_webhooks: true })
  expect(expectStatus(200, on).standard_webhooks).toBe(true)
  const before = await next()
  const keys = `/v1/webhooks/${id}/signing-keys`
  const staged = expectStatus(201, await acme.api.post<{ key_id: string; secret: string }>(`${keys}/stage`))
  const during = await next()
  expectStatus(200, await acme.api.post(`${keys}/${staged.key_id}/promote`))
  const after = await next()

  expect(before.headers['webhook-id']).toBe(before.eventId)
  expect(before.headers['webhook-timestamp']).toBe(/^t=(\d+)/.exec(before.signature)?.[1])
  const requests = [
    [before, secret],
    [during, secret],
    [during, staged.secret],
    [after, staged.secret],
    [after, secret],
    [{ ...after, body: Buffer.from('{}') }, staged.secret],
  ] as const
  for (const { name, verdicts } of librariesHere()) {
    const found = verdicts(requests.map(([one, with_]) => asked(one, with_)))
    expect(found.slice(0, 4), name).toEqual(Array(4).fill('accepted'))
    expect(
      found.slice(4).filter(verdict => /no matching signature/i.test(verdict)),
      name,
    ).toHaveLength(2)
  }

  const delivery = await until('the attempt is stored', async () =>
    (await acme.deliveries(id, '&state=delivered')).find(one => one.event_id === during.eventId),
  )
  const { attempts } = (await acme.api.get<Detail>(`/v1/deliveries/${delivery.id}`)).body
  const sent = Object.fromEntries(standardHeaders.map(name => [name, during.headers[name]]))
  expect(attempts[0]).toMatchObject({
    request_headers: { ...sent, 'X-Service-Signature': during.signature },
  })
})

test('the check of an endpoint whose receiver has only a library of Standard Webhooks finds no fault', async () => {
  await using receiver = await startReceiver()
  const { id, secret } = await acme.newWebhook({ url: receiver.url(), standard_webhooks: true })
  receiver.respondWith(one => (inJavaScript([asked(one, secret)])[0] === 'accepted' ? 204 : 401))
  const check = expectStatus(200, await acme.api.post<EndpointCheck>(`/v1/webhooks/${id}/check`))
  expect(check).toMatchObject({ ok: true, verifies: true })
})

interface Detail {
  readonly attempts: readonly object[]
}

/** What a library is asked about: see `receivers/python/tests/standard_webhooks.py`. */
interface Asked {
  readonly secret: string
  readonly headers: Record<string, string>
  readonly body: string
}

function asked({ headers, body }: Received, secret: string): Asked {
  const own = standardHeaders.map(name => [name, String(headers[name])])
  return { secret, headers: Object.fromEntries(own), body: body.toString('base64') }
}

type Verdicts = (requests: readonly Asked[]) => string[]

/** The libraries that are installed here. The run names the others; with `CI` set, they are here or the test fails. */
function librariesHere(): { name: string; verdicts: Verdicts }[] {
  const receivers = fileURLToPath(new URL('../../../../receivers/', import.meta.url))
  const python = [`${receivers}python/.venv/bin/python`, `${receivers}python/tests/standard_webhooks.py`]
  const all = [
    { name: 'JavaScript', isHere: true, install: '', verdicts: inJavaScript },
    {
      name: 'Python',
      isHere: spawnSync(python[0] ?? '', ['-c', 'import standardwebhooks']).status === 0,
      install: 'python3-venv, and run receivers/python/tests/install.sh',
      verdicts: inProgram(python),
    },
    {
      name: 'Go',
      isHere: spawnSync(`${receivers}go/tests/build.sh`).status === 0,
      install: 'golang-go, and run receivers/go/tests/install.sh',
      verdicts: inProgram([`${receivers}go/tests/.bin/standardwebhooks`]),
    },
  ]
  return all.filter(({ name, isHere, install }) =>
    canRun(`the library of Standard Webhooks in ${name}`, isHere, install),
  )
}

const inProgram =
  ([program = '', ...args]: readonly string[]): Verdicts =>
  requests => {
    const input = requests.map(request => JSON.stringify(request)).join('\n')
    return execFileSync(program, args, { input, encoding: 'utf8' }).trimEnd().split('\n')
  }

function inJavaScript(requests: readonly Asked[]): string[] {
  const { Webhook: Library } = requireTestProgram<StandardWebhooks>('standardwebhooks')
  return requests.map(({ secret, headers, body }) => {
    try {
      new Library(secret).verify(Buffer.from(body, 'base64'), headers)
      return 'accepted'
    } catch (error) {
      return String(error)
    }
  })
}

interface StandardWebhooks {
  readonly Webhook: new (secret: string) => { verify(body: Buffer, headers: Record<string, string>): unknown }
}
