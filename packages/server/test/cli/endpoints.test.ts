import type { SigningKey, Webhook } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAdapter } from '../support/adapter.ts'
import { type Customer, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { type DatabasePlace, embedded, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { type Ended, posthorn, type Running, spawnPosthorn } from './posthorn-process.ts'

let place: DatabasePlace
let service: ServiceProcess
let customer: Customer

beforeAll(async () => {
  place = await newDatabasePlace(embedded)
  service = await startService(newInstallation(place))
  customer = await newCustomer(service.url, service.operator)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await place[Symbol.asyncDispose]()
})

test('update changes only what it names, and get shows the result without header values', async () => {
  const { secret: _, ...before } = await customer.newWebhook({
    url: 'http://127.0.0.1:9/a',
    description: 'first',
    headers: { 'X-Old': 'old', 'X-Kept': 'kept' },
  })

  const changed = await json<Webhook>(
    'endpoints',
    'update',
    before.id,
    '--target=http://127.0.0.1:9/b',
    '--events=email.bounced',
    '--header=X-New: secret: value',
    '--remove-header=X-Old',
    '--rate-limit=7',
    '--standard-webhooks=on',
    '--retry-base=60',
    '--timeout=2.5',
  )

  expect(changed).toEqual({
    ...before,
    url: 'http://127.0.0.1:9/b',
    events: ['email.bounced'],
    headers: { 'X-Kept': '***', 'X-New': '***' },
    rate_limit_per_second: 7,
    standard_webhooks: true,
    retry_base_seconds: 60,
    attempt_timeout_seconds: 2.5,
    updated_at: expect.any(String),
  })
  expect(await json<Webhook>('endpoints', 'get', before.id)).toEqual(changed)
  const shown = (await run('endpoints', 'get', before.id)).stdout
  expect(shown).toMatch(/^URL +http:\/\/127\.0\.0\.1:9\/b$/m)
  expect(shown).toMatch(/^Headers +X-Kept, X-New$/m)
  expect(shown).not.toContain('secret: value')

  const unlimited = await json<Webhook>('endpoints', 'update', before.id, '--rate-limit', 'none')
  expect(unlimited).toMatchObject({ rate_limit_per_second: null, url: 'http://127.0.0.1:9/b' })
  for (const [args, says] of [
    [[], 'nothing to change: add at least one option'],
    [['--header', 'no value'], '--header must be "name: value"'],
    [['--timeout', 'never'], '--timeout must be a number of seconds or "default"'],
    [['--rate-limit', 'fast'], '--rate-limit must be a whole number'],
  ] as const) {
    expect(await run('endpoints', 'update', before.id, ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(says),
    })
  }
})

test('a disabled endpoint gets its events once it is enabled, and a deleted one is not found', async () => {
  await using receiver = await startReceiver()
  const own = await newCustomer(service.url, service.operator)
  const { id } = await own.newWebhook({ url: receiver.url() })

  expect(await runAs(own, 'endpoints', 'disable', id)).toMatchObject({ code: 0, stderr: '' })
  const [event] = await own.report(1)
  expect(receiver.received).toEqual([])
  expect(await runAs(own, 'endpoints', 'enable', id)).toMatchObject({ code: 0, stderr: '' })
  await receiver.waitForEvents(1)
  expect(receiver.received[0]?.eventId).toBe(event)

  const deleted = await runAs(own, 'endpoints', 'delete', id, '--yes')
  expect(deleted).toMatchObject({ code: 0, stdout: `Deleted ${id}.\n`, stderr: '' })
  const gone = await runAs(own, 'endpoints', 'get', id)
  expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('(not_found)') })
})

test('delete names the URL and asks for a yes, unless --yes is given', async () => {
  const { id } = await customer.newWebhook({ url: 'http://127.0.0.1:9/mail' })
  const args = ['endpoints', 'delete', id]

  for (const stdin of ['n\n', '']) {
    const refused = await posthorn(args, { env: envOf(customer), stdin })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('Delete http://127.0.0.1:9/mail? Its pending deliveries are abandoned.')
    expect(refused.stderr).toContain('nothing was deleted')
  }
  const asJson = await run(...args, '--json')
  expect(asJson).toMatchObject({ code: 1, stderr: expect.stringContaining('add --yes') })
  expect(await json<Webhook>('endpoints', 'get', id)).toMatchObject({ status: 'enabled' })

  const deleted = await posthorn(args, { env: envOf(customer), stdin: 'y\n' })
  expect(deleted).toMatchObject({ code: 0, stdout: `Deleted ${id}.\n` })
})

describe('rotate', () => {
  test('promotes the new secret once the receiver has verified with it, and continues after Ctrl-C', async () => {
    await using receiver = await openAdapter([`whsec_${'0'.repeat(44)}`])
    const { id, secret: old } = await customer.newWebhook({ url: receiver.url })
    receiver.configure([old])

    const first = spawnAs(customer, 'endpoints', 'rotate', id)
    const next = await until('the secret is shown', () => /whsec_\w{44}/.exec(first.stdout())?.[0])
    expect(next).not.toBe(old)
    await until('it waits for the proof', () => first.stderr().includes('0 of 1 events'))
    expect(await first.end('SIGINT')).toBe(1)
    expect(first.stdout()).toContain(`npx posthorn endpoints rotate ${id}`)
    expect((await keysOf(id)).map(({ state }) => state)).toEqual(['staged', 'primary'])

    await using second = spawnAs(customer, 'endpoints', 'rotate', id, '--send-tests')
    await until('it goes on', () => second.stdout().includes('Continuing with the secret'))
    await until('an event was verified with the old secret only', async () =>
      (await keysOf(id)).some(({ state, verified_count: count }) => state === 'primary' && count > 0),
    )
    expect((await keysOf(id)).map(({ state }) => state)).toEqual(['staged', 'primary'])
    expect(second.stdout()).not.toContain(next)

    receiver.configure([old, next])
    await customer.api.post(`/v1/webhooks/${id}/test`, { type: 'email.delivered' })
    await until('it is done', () => second.child.exitCode !== null)
    expect({ code: second.child.exitCode, out: second.stdout() }).toMatchObject({
      code: 0,
      out: expect.stringContaining('Promoted whk_'),
    })
    const [primary, retired] = await keysOf(id)
    expect([primary?.state, retired?.state]).toEqual(['primary', 'retired'])
    expect(next.startsWith(primary?.secret_prefix ?? '?')).toBe(true)
  })

  test('--without-proof promotes only a secret that was staged before, and --discard replaces a lost one', async () => {
    const { id } = await customer.newWebhook({ url: 'http://127.0.0.1:9/' })
    const rotate = ['endpoints', 'rotate', id, '--without-proof']

    expect(await run(...rotate)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`npx posthorn ${rotate.join(' ')}`),
    })
    const again = await run(...rotate, '--discard', '--json')
    expect(again.code).toBe(1)
    const [staged, waiting] = again.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(staged).toMatchObject({ step: 'staged', secret: expect.stringMatching(/^whsec_/) })
    expect(waiting).toEqual({ step: 'waiting', key_id: staged.key_id })

    const promoted = await run(...rotate)
    expect(promoted).toMatchObject({ code: 0, stderr: expect.stringContaining('No receiver has proved yet') })
    expect(await keysOf(id)).toMatchObject([
      { state: 'primary', key_id: staged.key_id },
      { state: 'retired' },
      { state: 'retired' },
    ])
  })

  test('rejects a disabled endpoint and names the command that enables it', async () => {
    const { id } = await customer.newWebhook({ url: 'http://127.0.0.1:9/', enabled: false })

    const refused = await run('endpoints', 'rotate', id)

    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`endpoints enable ${id}`) })
  })
})

async function keysOf(id: string): Promise<SigningKey[]> {
  return await customer.signingKeys(id)
}

async function run(...args: string[]): Promise<Ended> {
  return await runAs(customer, ...args)
}

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as T
}

async function runAs(who: Customer, ...args: string[]): Promise<Ended> {
  return await posthorn(args, { env: envOf(who) })
}

function spawnAs(who: Customer, ...args: string[]): Running {
  return spawnPosthorn(args, { env: envOf(who) })
}

function envOf(who: Customer): Record<string, string> {
  return { POSTHORN_URL: service.url, POSTHORN_API_KEY: who.apiKey }
}
