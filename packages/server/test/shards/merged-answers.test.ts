import type { Account, AuditEntry, PortalSession, Problem, System, SystemHealth } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { check } from '../deploy/checkers.ts'
import { type Customer, expectStatus, type Page } from '../support/api.ts'
import { canRun, hasProgram } from '../support/can-run.ts'
import { openShards, type TestInstallation } from '../support/shards.ts'
import { signInAt } from '../support/sign-in-at.ts'
import { until } from '../support/until.ts'

let shards: TestInstallation
let customers: Customer[]

beforeAll(async () => {
  shards = await openShards(3)
  customers = await Promise.all([0, 1, 2, 1].map(async shard => await shards.customerOn(shard)))
})
afterAll(async () => await shards[Symbol.asyncDispose]())

type Listed<T> = Page<T> & { unavailable_shards?: number[] }

const get = async <T>(path: string): Promise<T> => expectStatus(200, await shards.operator.get<T>(path))

/** All items of a list, page after page. `between` runs before each page but the first. */
async function walk<T>(path: string, limit: number, between = async () => {}): Promise<T[]> {
  const all: T[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page<T> = await get<Page<T>>(`${path}limit=${limit}${cursor && `&cursor=${cursor}`}`)
    expect(page.data.length).toBeLessThanOrEqual(limit)
    all.push(...page.data)
    cursor = page.next_cursor
    if (cursor !== null) await between()
  }
  return all
}

const newestFirst = (ids: readonly string[]): string[] => [...ids].sort().reverse()

describe('a list over all shards', () => {
  test('has each account once, newest first, while accounts are created', async () => {
    const before = (await walk<Account>('/v1/accounts?', 250)).map(({ id }) => id)
    expect(before).toEqual(expect.arrayContaining(customers.map(({ accountId }) => accountId)))
    for (const limit of [1, 2, 250]) {
      const walked = await walk<Account>('/v1/accounts?', limit, async () => {
        expectStatus(201, await shards.operator.post('/v1/accounts', { name: 'Meanwhile' }))
      })
      const ids = walked.map(({ id }) => id)
      expect(ids).toEqual(newestFirst(ids))
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids).toEqual(expect.arrayContaining(before))
    }
  })

  test('has the portal sessions of all accounts, and of one', async () => {
    const made: string[] = []
    for (const { accountId } of [...customers, ...customers]) {
      const link = { account_id: accountId }
      made.push(expectStatus(201, await shards.operator.post<PortalSession>('/v1/portal-sessions', link)).id)
    }
    const ids = async (query: string): Promise<string[]> =>
      (await walk<PortalSession>(`/v1/portal-sessions?${query}`, 3)).map(({ id }) => id)
    expect(await ids('')).toEqual(newestFirst(made))
    const own = await walk<PortalSession>(`/v1/portal-sessions?account_id=${customers[1]?.accountId}&`, 3)
    expect(own.map(({ account_id }) => account_id)).toEqual(Array(2).fill(customers[1]?.accountId))
  })

  test('has the changes of the installation, which each shard records', async () => {
    for (const shard of [0, 2]) {
      expectStatus(200, await shards.operator.post(`/v1/system/confirm-clock?shard=${shard}`))
    }
    const confirmed = await walk<AuditEntry>('/v1/audit-log?action=clock.confirmed&', 1)
    expect(confirmed.map(({ target }) => target)).toEqual(['clock', 'clock'])
    expect(confirmed.map(({ id }) => id)).toEqual(newestFirst(confirmed.map(({ id }) => id)))
  })

  test('refuses what a shard refuses', async () => {
    for (const query of ['limit=0', 'limit=x', 'cursor=x', 'nothing=1']) {
      const { status, body } = await shards.operator.get<Problem>(`/v1/accounts?${query}`)
      expect([status, body.code, body.errors?.[0]?.path]).toEqual([
        422,
        'validation_failed',
        `/${query.split('=')[0]}`,
      ])
    }
    const asCustomer = await customers[1]?.api.get<Problem>('/v1/accounts')
    expect(asCustomer?.body.code).toBe('insufficient_scope')
  })

  test('is open to a session of the operator', async () => {
    const { cookie } = await signInAt(shards.url, shards.adminToken)
    const answer = await fetch(`${shards.url}/v1/accounts?limit=2`, { headers: { cookie } })
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as Page<Account>).data).toHaveLength(2)
  })
})

describe('the state of the installation', () => {
  test('shows every shard, and each one alone', async () => {
    const system = await get<System>('/v1/system')
    expect(system.shard).toBe(0)
    expect(system.shards).toEqual(
      [0, 1, 2].map(number => ({
        number,
        state: 'up',
        problem: null,
        version: system.version,
        schema_version: system.schema_version,
        database_size_bytes: expect.any(Number),
        process_count: 1,
      })),
    )
    expect(await get<System>('/v1/system?shard=2')).toMatchObject({ shard: 2, processes: [{}] })
    const unknown = await shards.operator.get<Problem>('/v1/system?shard=7')
    expect(unknown).toMatchObject({ status: 422, body: { errors: [{ path: '/shard' }] } })
  })

  test('sums the health of all shards', async () => {
    for (const customer of customers) await customer.report(10)
    await until('the reports are counted', async () => {
      const health = await get<SystemHealth>('/v1/system/health')
      const rates = (health.shards ?? []).map(shard => shard.accepted_per_second ?? 0)
      const sum = rates.reduce((total, rate) => total + rate, 0)
      expect(health.accepted_per_second).toBeCloseTo(sum, 1)
      return rates.every(rate => rate > 0)
    })
  })

  test('is confirmed or backed up only shard by shard', async () => {
    for (const path of ['/v1/system/confirm-clock', '/v1/system/confirm-clock?shard=7']) {
      const { status, body } = await shards.operator.post<Problem>(path)
      expect([status, body.errors?.[0]?.path]).toEqual([422, '/shard'])
    }
    expect(await shards.operator.get<Problem>('/v1/backup')).toMatchObject({ status: 422 })
    expect(await shards.operator.get<Problem>('/v1/backup?shard=1')).toMatchObject({
      status: 404,
      body: { detail: expect.stringMatching('tools of PostgreSQL') },
    })
  })

  test('has metrics of every shard with its label', async () => {
    const metrics = await metricsOf(shards.url)
    for (const shard of [0, 1, 2]) {
      expect(metrics).toMatch(new RegExp(`^posthorn_shard_up{shard="${shard}"} 1$`, 'm'))
      expect(metrics).toMatch(new RegExp(`^posthorn_events_accepted_total{shard="${shard}"} \\d+$`, 'm'))
    }
    expect(metrics.match(/^# TYPE posthorn_events_accepted_total counter$/gm)).toHaveLength(1)
  })

  test.runIf(canRun('the metrics of a front', hasProgram('promtool'), 'prometheus'))(
    'has metrics that promtool accepts, and promtool rejects broken ones',
    async () => {
      const metrics = await metricsOf(shards.url)
      const checked = (text: string) => check('promtool', ['check', 'metrics'], text)
      expect(checked(metrics)).toEqual({ passed: true, said: '' })
      expect(checked(metrics.replace('{shard="0"}', '{shard=0}'))).toMatchObject({ passed: false })
    },
  )
})

test('a shard that is down is named, and the others are shown', async () => {
  const [, , last] = shards.shards
  await last?.stop()
  try {
    await until('the front notices it', async () =>
      (await metricsOf(shards.url)).includes('posthorn_shard_up{shard="2"} 0'),
    )
    const page = await get<Listed<Account>>('/v1/accounts?limit=250')
    expect(page.unavailable_shards).toEqual([2])
    const ids = page.data.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([customers[0]?.accountId, customers[1]?.accountId]))
    expect(ids).not.toContain(customers[2]?.accountId)

    const down = { number: 2, state: 'down', problem: expect.stringMatching(/^Shard 2 .*is not available/) }
    const system = await get<System>('/v1/system')
    expect(system.shards?.map(({ state }) => state)).toEqual(['up', 'up', 'down'])
    expect(system.shards?.[2]).toMatchObject({ ...down, version: null, process_count: null })
    const health = await get<SystemHealth>('/v1/system/health')
    expect(health.shards?.[2]).toMatchObject({ ...down, waiting: null })
    const chosen = await fetch(`${shards.url}/v1/system?shard=2`, {
      headers: { authorization: `Bearer ${shards.adminToken}` },
    })
    expect([chosen.status, ((await chosen.json()) as Problem).code]).toEqual([503, 'shard_unavailable'])

    const metrics = await metricsOf(shards.url)
    expect(metrics).toContain('posthorn_shard_up{shard="0"} 1')
    expect(metrics).not.toContain('posthorn_events_accepted_total{shard="2"}')
    await customers[1]?.report(1)
  } finally {
    await last?.start()
  }
  await until('the list is complete again', async () => {
    const page = await get<Listed<Account>>('/v1/accounts?limit=250')
    return page.unavailable_shards === undefined
  })
})

async function metricsOf(url: string): Promise<string> {
  return await (await fetch(`${url}/metrics`)).text()
}
