import type { Replay, ReplayDryRun } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { type DatabasePlace, embedded, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { posthorn, type Running, spawnPosthorn } from './posthorn-process.ts'

let place: DatabasePlace
let service: ServiceProcess

beforeAll(async () => {
  place = await newDatabasePlace(embedded)
  service = await startService(newInstallation(place), { POSTHORN_RETRY_BASE_SECONDS: '86400' })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await place[Symbol.asyncDispose]()
})

describe('replay', () => {
  test('counts with --dry-run, and otherwise sends failed deliveries again and shows progress', async () => {
    const customer = await newCustomer(service.url, service.operator)
    await using receiver = await startReceiver(() => 503)
    const { id } = await customer.newWebhook({ url: receiver.url() })
    const events = await customer.report(20)
    await until('all have failed', async () => (await customer.deliveries(id, '&state=failed')).length === 20)
    receiver.respondWith(() => 204)

    const dryRun = await run(['replay', id, '--since', '1h', '--dry-run', '--json'], customer)
    expect(JSON.parse(dryRun.stdout) as ReplayDryRun).toMatchObject({ dry_run: true, count: 20 })
    const ended = await run(['replay', id, '--since', '1h'], customer)

    expect(ended.code).toBe(0)
    expect(ended.stderr).toMatch(/100 % {2}20 of 20\n$/)
    expect(ended.stdout).toMatch(
      /^The replay rpl_\w+ is done: 20 of 20 sent again, 20 delivered, 0 failed\.\n$/,
    )
    expect(await customer.deliveries(id, '&state=delivered')).toHaveLength(20)
    expect([...receiver.counts().keys()].toSorted()).toEqual(events.toSorted())
  })

  test('exits with 1 if any delivery failed, and says how many', async () => {
    const customer = await newCustomer(service.url, service.operator)
    await using receiver = await startReceiver(() => 503)
    const { id } = await customer.newWebhook({ url: receiver.url() })
    const [lucky] = await customer.report(5)
    await until('all have failed', async () => (await customer.deliveries(id, '&state=failed')).length === 5)
    receiver.respondWith(({ eventId }) => (eventId === lucky ? 204 : 503))

    const ended = await run(['replay', id, '--since', '1h'], customer)

    expect(ended.code).toBe(1)
    expect(ended.stdout).toMatch(
      /5 of 5 sent again, 1 delivered, 4 failed\. The service retries the failed ones\.\n$/,
    )
  })

  test('says what to check if there is nothing to replay', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const { id } = await customer.newWebhook({ url: 'http://127.0.0.1:9/' })

    for (const options of [[], ['--dry-run'], ['--detach']]) {
      const ended = await run(['replay', id, '--since', '1h', ...options], customer)
      expect(ended).toMatchObject({ code: 0, stderr: '' })
      expect(ended.stdout).toMatch(/^Nothing to replay: .+ Check --since, --until, --states .+\n$/)
    }
  })

  test('stops waiting when the endpoint is disabled', async () => {
    const customer = await newCustomer(service.url, service.operator)
    await using receiver = await startReceiver(() => 503)
    const { id } = await customer.newWebhook({ url: receiver.url(), rate_limit_per_second: 1 })
    await customer.report(30)
    await until('one has failed', async () => (await customer.deliveries(id, '&state=failed')).length > 0)
    // the receiver never answers, so these deliveries stay in flight
    receiver.respondWith(() => undefined)

    await using running = start(['replay', id, '--since', '1h'], customer)
    await until('it waits', () => running.stderr().includes('100 %'))
    await customer.api.patch(`/v1/webhooks/${id}`, { enabled: false })

    await until('it ends', () => running.child.exitCode !== null)
    expect(running.child.exitCode).toBe(1)
    expect(running.stdout()).toContain('the others not tried yet')
  })

  test('does not wait with --detach, and names the option that is wrong', async () => {
    const customer = await newCustomer(service.url, service.operator)
    const { id } = await customer.newWebhook({ url: 'http://127.0.0.1:9/' })

    const detached = await run(['replay', id, '--since', '1h', '--detach', '--json'], customer)
    expect(JSON.parse(detached.stdout) as Replay).toMatchObject({ webhook_id: id })
    for (const [option, value] of [
      ['--since', 'yesterday'],
      ['--states', 'lost'],
      ['--types', 'email.opened'],
    ] as const) {
      const args = option === '--since' ? [option, value] : ['--since', '1h', option, value]
      const refused = await run(['replay', id, ...args], customer)
      expect(refused).toMatchObject({ code: 2, stdout: '' })
      expect(refused.stderr).toContain(option)
    }
  })
})

function start(args: readonly string[], customer: Customer): Running {
  return spawnPosthorn(args, { env: envOf(customer) })
}

async function run(args: readonly string[], customer: Customer) {
  return await posthorn(args, { env: envOf(customer) })
}

function envOf(customer: Customer): Record<string, string> {
  return { POSTHORN_URL: service.url, POSTHORN_API_KEY: customer.apiKey }
}
