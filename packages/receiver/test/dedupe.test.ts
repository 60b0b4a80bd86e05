import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { Pool } from 'pg'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type DedupeStore,
  memoryStore,
  postgresStore,
  postgresStoreTable,
  processOnce,
  redisStore,
} from '../src/dedupe.ts'
import { canRun, hasProgram } from '../../server/test/support/can-run.ts'
import {
  type DatabasePlace,
  newDatabasePlace,
  newestServer,
} from '../../server/test/support/test-database.ts'
import { startRedis } from './redis-server.ts'
import { describeStore } from './store-suite.ts'
import { until } from './until.ts'

const redisRuns = canRun('redisStore', hasProgram('redis-server'), 'redis-server')

const memory = memoryStore()
describeStore('memoryStore', () => memory)

describe('memoryStore', () => {
  test('forgets the oldest done ids when it is full, but never those in progress', async () => {
    const store = memoryStore({ max: 2 })
    await store.claim('under way', 60_000)
    for (const id of ['a', 'b', 'c']) await store.complete(id, 60_000)
    expect(await store.claim('under way', 60_000)).toBe('in_progress')
    expect(await store.claim('c', 60_000)).toBe('done')
    expect(await store.claim('a', 60_000)).toBe('claimed')
  })
})

describe('processOnce', () => {
  const broken: DedupeStore = {
    claim: async () => 'claimed',
    complete: () => Promise.reject(new Error('away')),
    release: () => Promise.reject(new Error('away')),
  }

  test('D7 remembers a done id for 30 days by default', async () => {
    let nowMs = 0
    const store = memoryStore({ now: () => nowMs })
    await processOnce(store, 'evt_1', () => undefined)
    nowMs = 30 * 86_400_000 - 1
    expect(await store.claim('evt_1', 1)).toBe('done')
    nowMs += 1
    expect(await store.claim('evt_1', 1)).toBe('claimed')
  })

  test('D5 a changed body is logged to the console if there is no warning handler', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    try {
      const store = memoryStore()
      await processOnce(store, 'evt_1', () => undefined, { body: 'first body' })
      await processOnce(store, 'evt_1', () => undefined, { body: 'second body' })
      expect(warn.mock.calls).toEqual([[expect.objectContaining({ code: 'event_changed' })]])
    } finally {
      warn.mockRestore()
    }
  })

  test('D5 a store without digestOf, or whose digestOf fails, still deduplicates', async () => {
    const whole = memoryStore()
    const three: DedupeStore = {
      claim: (id, leaseMs) => whole.claim(id, leaseMs),
      complete: (id, ttlMs) => whole.complete(id, ttlMs),
      release: id => whole.release(id),
    }
    const failing = { ...memoryStore(), digestOf: () => Promise.reject(new Error('away')) }
    for (const store of [three, failing]) {
      const warnings: unknown[] = []
      const deliver = (body: string) =>
        processOnce(store, 'evt_1', () => 1, { body, onWarning: one => warnings.push(one) })
      expect(await deliver('first body')).toMatchObject({ status: 'processed' })
      expect(await deliver('second body')).toEqual({ status: 'duplicate' })
      expect(warnings).toEqual([])
    }
  })

  test('if the store fails after the handler succeeded, the result stands and is marked as not recorded', async () => {
    const warnings: unknown[] = []
    const onWarning = (warning: unknown): unknown => warnings.push(warning)
    expect(await processOnce(broken, 'evt_1', () => 1, { onWarning })).toEqual({
      status: 'processed',
      value: 1,
      recorded: false,
    })
    expect(warnings).toEqual([
      expect.objectContaining({
        code: 'store_unavailable',
        hint: 'evt_1 was processed, but not recorded',
        cause: expect.any(Error) as Error,
      }),
    ])
  })

  test('if the store fails after the handler failed, the handler’s error is still reported', async () => {
    const fail = processOnce(broken, 'evt_1', () => Promise.reject(new Error('the reason')))
    await expect(fail).rejects.toThrow('the reason')
  })

  test.each([{ ttlSeconds: 0 }, { ttlSeconds: -1 }, { leaseSeconds: 0 }, { leaseSeconds: Number.NaN }])(
    'times that would remember nothing are refused: %j',
    async times => {
      const run = vi.fn()
      await expect(processOnce(memoryStore(), 'evt_1', run, times)).rejects.toMatchObject({
        code: 'option_invalid',
      })
      expect(run).not.toHaveBeenCalled()
    },
  )

  test('a handler that outlived its lease does not release another process’s claim', async () => {
    const store = memoryStore()
    const late = processOnce(
      store,
      'evt_1',
      async () => {
        await expect.poll(() => store.claim('evt_1', 60_000), { interval: 5 }).toBe('claimed')
        throw new Error('late')
      },
      { leaseSeconds: 0.02 },
    )
    await expect(late).rejects.toThrow('late')
    expect(await store.claim('evt_1', 60_000)).toBe('in_progress')
  })
})

/** Runs a process that claims an id, and kills it before it has finished. */
async function crash(kind: 'redis' | 'postgres', address: string, id: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [new URL('crashing-receiver.ts', import.meta.url).pathname, kind, address, id],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await until(child.stdout, 'working')
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

describe.runIf(redisRuns)('on Redis', () => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let client: ReturnType<typeof createClient>
  let other: Redis
  beforeAll(async () => {
    server = await startRedis()
    client = createClient({ socket: { path: server.socket, tls: false } })
    await client.connect()
    other = new Redis(server.socket)
  })
  afterAll(async () => {
    client.destroy()
    other.disconnect()
    await server.stop()
  })

  describeStore('redisStore with redis', () => redisStore(client))
  describeStore('redisStore with ioredis', () => redisStore(other))

  test('D3 an event runs again after a process crashed between claim and complete', async () => {
    await crash('redis', server.socket, 'evt_crash')
    const again = () => processOnce(redisStore(client), 'evt_crash', () => 'again')
    expect(await again()).toEqual({ status: 'in_progress' })
    await expect
      .poll(again, { interval: 20, timeout: 5000 })
      .toMatchObject({ status: 'processed', value: 'again' })
  })

  test('D4 an unreachable Redis is reported as store_unavailable', async () => {
    const away = new Redis(`${server.socket}-away`, {
      maxRetriesPerRequest: 0,
      lazyConnect: true,
      retryStrategy: () => null,
    })
    away.on('error', () => undefined)
    await expect(processOnce(redisStore(away), 'evt_1', () => 1)).rejects.toMatchObject({
      code: 'store_unavailable',
    })
  })
})

describe('on PostgreSQL', () => {
  let place: DatabasePlace
  let pool: Pool
  beforeAll(async () => {
    place = await newDatabasePlace({ ...newestServer(), hasTemplate: false })
    pool = new Pool({ connectionString: place.databaseUrl ?? '', max: 20 })
    // `end` does not wait until connections are closed, and dropping the database ends those that are still open
    pool.on('error', () => undefined)
    await pool.query(postgresStoreTable())
  })
  afterAll(async () => {
    await pool.end()
    await place[Symbol.asyncDispose]()
  })

  describeStore('postgresStore', () => postgresStore((sql, values) => pool.query(sql, values)))

  test('D3 an event runs again after a process crashed between claim and complete', async () => {
    await crash('postgres', place.databaseUrl ?? '', 'evt_crash')
    const store = postgresStore((sql, values) => pool.query(sql, values))
    const again = () => processOnce(store, 'evt_crash', () => 'again')
    expect(await again()).toEqual({ status: 'in_progress' })
    await expect
      .poll(again, { interval: 20, timeout: 5000 })
      .toMatchObject({ status: 'processed', value: 'again' })
  })

  test('a table name that needs quoting is rejected', () => {
    const query = () => Promise.resolve({ rows: [] })
    expect(() => postgresStore(query, { table: 'x; drop table y' })).toThrow(
      expect.objectContaining({ code: 'option_invalid' }),
    )
  })
})
