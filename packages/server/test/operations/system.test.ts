import { hostname } from 'node:os'
import { routes, type System, type SystemHealth } from '@posthorn/contract'
import { describe, expect, test } from 'vitest'
import { connectApi, type Customer, expectStatus, newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { verbBackends, newDatabasePlace, verbServers } from '../support/test-database.ts'
import { until } from '../support/until.ts'

const system = async ({ operator }: ServiceProcess): Promise<System> =>
  expectStatus(200, await operator.get<System>('/v1/system'))
const health = async ({ operator }: ServiceProcess): Promise<SystemHealth> =>
  expectStatus(200, await operator.get<SystemHealth>('/v1/system/health'))

describe.each(verbBackends())('the operator on $name', backend => {
  test('sees versions, partitions and every setting in force, but no secret', async () => {
    await using place = await newDatabasePlace(backend)
    const installation = newInstallation(place)
    await using service = await startService(installation, { POSTHORN_RETENTION_DAYS: '12.5' })
    const found = await system(service)
    expect(routes.getSystem.success.schema.safeParse(found).error).toBeUndefined()
    const isEmbedded = place.databaseUrl === null
    expect(found).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      node_version: expect.stringMatching(/^\d+\./),
      database: {
        kind: isEmbedded ? 'embedded' : 'postgresql',
        version: expect.stringContaining(isEmbedded ? '.' : (backend.name.split(' ')[1] ?? '')),
      },
      schema_version: expect.any(Number),
      processes: [{ host: hostname(), role: 'all', version: found.version, started_at: found.started_at }],
      retention_days: 12.5,
    })
    expect(found.database.size_bytes).toBeGreaterThan(1_000_000)
    expect(Date.now() - Date.parse(found.started_at)).toBeLessThan(120_000)

    const today = new Date().toISOString().slice(0, 10)
    const tables = ['attempt', 'delivery', 'email', 'email_recipient', 'event']
    const ofToday = found.partitions.filter(({ day }) => day === today)
    expect(ofToday.map(({ table }) => table)).toEqual(tables)
    expect(ofToday.every(({ size_bytes }) => size_bytes > 0)).toBe(true)
    expect(found.partitions.filter(({ day }) => day > today).every(one => one.is_empty)).toBe(true)
    // for yesterday, today and the next two days
    expect(found.partitions).toHaveLength(4 * tables.length)

    const settings = new Map(found.settings.map(({ name, ...rest }) => [name, rest]))
    expect(settings.get('POSTHORN_RETENTION_DAYS')).toEqual({ value: '12.5', source: 'environment' })
    expect(settings.get('POSTHORN_LEASE_SECONDS')).toEqual({ value: '20', source: 'default' })
    expect(settings.get('POSTHORN_ADMIN_TOKEN')).toEqual({ value: '***', source: 'environment' })
    expect(settings.get('DATABASE_URL')).toEqual(
      isEmbedded ? { value: 'unset', source: 'default' } : { value: '***', source: 'environment' },
    )
    expect(settings.has('POSTHORN_API_KEY')).toBe(false)
    const text = JSON.stringify(found)
    const masterKey = installation.masterKeys.split(':')[1] ?? ''
    for (const secret of [installation.adminToken, masterKey, place.databaseUrl ?? masterKey]) {
      expect(text).not.toContain(secret)
    }
  })

  test('sees the throughput, the pending deliveries and the worst endpoints', async () => {
    await using place = await newDatabasePlace(backend)
    await using service = await startService(newInstallation(place), { POSTHORN_RETRY_BASE_SECONDS: '80000' })
    expect(await health(service)).toMatchObject({
      accepted_per_second: 0,
      waiting: 0,
      oldest_due_seconds: 0,
      disabled_endpoints: 0,
      failing_endpoints: 0,
      worst: [],
    })
    const acme = await newCustomer(service.url, service.operator)
    await using well = await startReceiver()
    await using failing = await startReceiver(() => 500)
    await using leaving = await startReceiver(() => 410)
    await acme.newWebhook({ url: well.url() })
    const { id: failingId } = await acme.newWebhook({ url: failing.url() })
    const { id: gone } = await acme.newWebhook({ url: leaving.url() })
    const paused = await acme.newWebhook({ url: well.url(), enabled: false })
    await acme.report(4)
    const found = await until('all of it is seen', async () => {
      const now = await health(service)
      // the figures of a process are a moment old, so a delivery whose attempt has just started counts as waiting
      const isAllBack = now.worst.find(one => one.state === 'failing')?.waiting === 4
      return now.worst.length === 2 &&
        isAllBack &&
        now.unsettled + now.in_flight === 0 &&
        now.failed_per_second > 0 &&
        now.delivered_per_second > 0
        ? now
        : undefined
    })
    expect(found.accepted_per_second).toBeGreaterThan(0)
    expect(found.database_ms).toBeGreaterThan(0)
    expect(Math.abs(found.clock_skew_ms)).toBeLessThan(1_000)
    // 4 failed ones, 4 for the paused endpoint, and what the stopped process had not sent
    expect(found.waiting).toBeGreaterThanOrEqual(8)
    expect(found).toMatchObject({ disabled_endpoints: 2, failing_endpoints: 1 })
    const host = (url: string): string => new URL(url).host
    expect(found.worst.toSorted((a, b) => (a.state < b.state ? -1 : 1))).toMatchObject([
      { account_id: acme.accountId, webhook_id: gone, url_host: host(leaving.url()), state: 'disabled' },
      {
        account_name: 'Acme',
        webhook_id: failingId,
        url_host: host(failing.url()),
        state: 'failing',
        failing_since: expect.any(String),
        waiting: 4,
        last_error_code: 'status_not_2xx',
      },
    ])
    expect(found.worst.map(one => one.webhook_id)).not.toContain(paused.id)
  })

  test('alone sees it: a customer gets 403', async () => {
    await using place = await newDatabasePlace(backend)
    await using service = await startService(newInstallation(place))
    const { apiKey }: Customer = await newCustomer(service.url, service.operator)
    for (const path of ['/v1/system', '/v1/system/health']) {
      expect((await connectApi(service.url, apiKey).get(path)).status).toBe(403)
    }
  })
})

describe.each(verbServers())('several processes on $name', backend => {
  test('each reports all of them, and one that stopped is no longer listed', async () => {
    await using place = await newDatabasePlace(backend)
    const installation = newInstallation(place)
    await using api = await startService(installation, { POSTHORN_ROLE: 'api' })
    await using sender = await startService(installation, { POSTHORN_ROLE: 'dispatcher' })
    const roles = async (): Promise<string[]> => (await system(api)).processes.map(({ role }) => role)
    expect(await roles()).toEqual(['api', 'dispatcher'])

    const held: Array<() => void> = []
    await using receiver = await startReceiver((_, response) => {
      held.push(() => response.writeHead(204).end())
      return undefined
    })
    const acme = await newCustomer(api.url, api.operator)
    await acme.newWebhook({ url: receiver.url() })
    await acme.report(3)
    await receiver.waitForEvents(3)
    // the sending process reports it with its next heartbeat; the answering process sends nothing itself
    await until('three are under way', async () => (await health(api)).in_flight === 3)
    for (const answer of held) answer()
    await until('they are delivered', async () => (await health(api)).delivered_per_second > 0)
    expect(await health(api)).toMatchObject({ in_flight: 0, waiting: 0 })

    expect(await sender.stop()).toBe(0)
    expect(await roles()).toEqual(['api'])
  })

  test('the attempts of one that was killed are no longer counted once it is silent', async () => {
    await using place = await newDatabasePlace(backend)
    const installation = newInstallation(place)
    await using first = await startService(installation)
    await using second = await startService(installation)
    await using receiver = await startReceiver(() => undefined)
    const acme = await newCustomer(second.url, second.operator)
    await acme.newWebhook({ url: receiver.url() })
    await acme.report(2)
    await until('two are under way', async () => (await health(first)).in_flight === 2)
    await second.kill()
    await until('nothing is said to be under way', async () => (await health(first)).in_flight === 0)
  })
})
