import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/db/open-database.ts'
import type { ShardClient } from '../../src/shards/shard-client.ts'
import { openPlace } from '../support/open-place.ts'
import { until } from '../support/until.ts'
import { ask, clientOf, type RunningShard, shardKey, startShard } from './start-shard.ts'

const key = shardKey('first')
const opened = new AsyncDisposableStack()
let zero: ShardClient
let one: ShardClient
let shards: RunningShard[]
let installation: string

beforeAll(async () => {
  shards = await Promise.all([startShard(key), startShard(key)])
  for (const shard of shards) opened.use(shard)
  const [first, second] = shards
  zero = opened.use(clientOf(first ?? expect.unreachable(), 0, key))
  one = opened.use(clientOf(second ?? expect.unreachable(), 1, key))
  installation = String((await ask(zero, 'GET', '/internal/shard')).body['installation_id'])
})
afterAll(async () => await opened.disposeAsync())

let ids = 0
/** A UUID with this code. */
function accountId(code: string): string {
  return `01890a5d-ac96-774b-bcce-${String(++ids).padStart(4, '0')}${code}`
}

const join = async (client: ShardClient, shard: number, id = installation) =>
  await ask(client, 'POST', '/internal/join', { json: { installation_id: id, shard }, acceptsAnyShard: true })

describe('joining', () => {
  test('an empty database joins once, and from then on it answers as that shard', async () => {
    await expect(ask(one, 'GET', '/internal/shard')).rejects.toThrow('it is shard 0: correct POSTHORN_SHARDS')
    const joined = { status: 200, body: { installation_id: installation, shard: 1, accounts: 0, schema: 1 } }
    expect(await join(one, 1)).toMatchObject(joined)
    expect(await join(one, 1)).toMatchObject(joined)
    expect(await ask(one, 'GET', '/internal/shard')).toMatchObject(joined)
  })

  test.each([
    ['under a second number', 2, undefined, 'It is already shard 1 of installation'],
    [
      'another installation',
      1,
      '01890a5d-ac96-774b-bcce-b302099a8057',
      'It is already shard 1 of installation',
    ],
  ])('a shard does not join %s', async (_, number, id, detail) => {
    await join(one, 1)
    const refused = await join(one, number, id)
    expect(refused).toMatchObject({ status: 409, body: { code: 'shard_in_use' } })
    expect(refused.body['detail']).toContain(detail)
  })

  test('a database with accounts or with a directory does not join', async () => {
    await ask(zero, 'POST', '/internal/shards', { json: { number: 1, state: 'open' } })
    const other = '01890a5d-ac96-774b-bcce-b302099a8057'
    expect((await join(zero, 2, other)).body['detail']).toContain('It has the directory of an installation.')
    await ask(zero, 'POST', '/v1/accounts', { json: { name: 'Acme' } })
    expect((await join(zero, 2, other)).body['detail']).toContain('It has accounts.')
  })

  test('joining waits for an account that is being created', async () => {
    await using shard = await startShard(key)
    using client = clientOf(shard, 2, key)
    await using db = await openDatabase({
      url: shard.place.databaseUrl,
      dataDir: '',
      connectionsMax: 2,
      onLost: () => {},
    })
    const created = Promise.withResolvers<undefined>()
    const locked = Promise.withResolvers<undefined>()
    const creating = db.transaction(async tx => {
      await tx.query('update installation set directory_version = directory_version + 1')
      await tx.query(`insert into account (id, name, max_endpoints) values ($1, 'Acme', 1)`, [
        accountId('12121212'),
      ])
      locked.resolve(undefined)
      await created.promise
    })
    await locked.promise
    const joining = join(client, 2)
    await until('it waits for the lock', async () => {
      const waits = await db.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      return waits.length > 0
    })
    created.resolve(undefined)
    await creating
    expect((await joining).body['detail']).toContain('It has accounts.')
  })

  test('a shard does not start without the keys of its fronts', async () => {
    await join(one, 1)
    await ask(zero, 'POST', '/internal/shards', { json: { number: 1, state: 'open' } })
    for (const { place } of shards) {
      const start = startShard('', { place, settings: { POSTHORN_SHARD_KEYS: '' } })
      await expect(start).rejects.toThrow('set POSTHORN_SHARD_KEYS to the keys of its fronts')
    }
  })
})

describe('placements', () => {
  beforeAll(async () => {
    await join(one, 1)
    await ask(zero, 'POST', '/internal/shards', { json: { number: 1, state: 'open' } })
  })

  const reserve = async (account_id: string, shard: number) =>
    await ask(zero, 'POST', '/internal/placements', { json: { account_id, shard } })
  const create = async (client: ShardClient, id: string) =>
    await ask(client, 'POST', '/internal/accounts', { json: { id, name: 'Acme' } })

  test('a reserved account is created on its shard, and repeating both changes nothing', async () => {
    const id = accountId('11111111')
    const reserved = await reserve(id, 1)
    expect(reserved).toMatchObject({ status: 200, body: { account_id: id, shard: 1 } })
    expect(await reserve(id, 1)).toEqual(reserved)
    const made = await create(one, id)
    expect(made).toMatchObject({ status: 201, body: { name: 'Acme', max_endpoints: 10, endpoint_count: 0 } })
    expect(await create(one, id)).toEqual(made)
    const path = `/v1/accounts/${String(made.body['id'])}`
    expect(await ask(one, 'GET', path)).toMatchObject({ status: 200, body: made.body })
    expect(await ask(zero, 'GET', path)).toMatchObject({ status: 404 })
  })

  test('a code is given to one account only, and never that of the operator', async () => {
    const id = accountId('22222222')
    await reserve(id, 1)
    for (const [other, shard] of [
      [accountId('22222222'), 0],
      [id, 0],
      [accountId('00000000'), 1],
    ] as const) {
      expect(await reserve(other, shard)).toMatchObject({ status: 409, body: { code: 'code_taken' } })
    }
    await create(one, id)
    expect(await create(one, accountId('22222222'))).toMatchObject({
      status: 409,
      body: { code: 'code_taken' },
    })
  })

  test('simultaneous reservations of one code have one winner', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => await reserve(accountId('33333333'), 1)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body['code'] === 'code_taken')).toHaveLength(7)
  })

  test('an unknown or closed shard gets no new accounts, but a reservation stays valid', async () => {
    const id = accountId('44444444')
    await reserve(id, 1)
    expect(await reserve(accountId('55555555'), 7)).toMatchObject({ body: { code: 'shard_unknown' } })
    await ask(zero, 'POST', '/internal/shards', { json: { number: 1, state: 'closed' } })
    expect(await reserve(accountId('55555555'), 1)).toMatchObject({ body: { code: 'shard_closed' } })
    expect(await reserve(id, 1)).toMatchObject({ status: 200 })
    await ask(zero, 'POST', '/internal/shards', { json: { number: 1, state: 'open' } })
    expect(await reserve(accountId('55555555'), 1)).toMatchObject({ status: 200 })
  })

  test('shard 0 creates only accounts that it has placed, and has the only directory', async () => {
    expect(await create(zero, accountId('66666666'))).toMatchObject({ body: { code: 'placement_unknown' } })
    for (const [method, path, json] of [
      ['GET', '/internal/directory', undefined],
      ['POST', '/internal/placements', { account_id: accountId('77777777'), shard: 1 }],
      ['POST', '/internal/shards', { number: 1, state: 'open' }],
      ['POST', '/internal/directory', { version: 1, changes: [] }],
    ] as const) {
      expect(await ask(one, method, path, { json })).toMatchObject({
        status: 409,
        body: { code: 'not_shard_0' },
      })
    }
    expect(await ask(one, 'POST', '/v1/accounts', { json: { name: 'Acme' } })).toMatchObject({ status: 500 })
  })

  test('the directory gives what changed after a version, with every version once', async () => {
    const read = async (after = 0) =>
      (await ask(zero, 'GET', `/internal/directory?after=${after}`)).body as {
        version: number
        placements: { version: number }[]
      }
    const { version, ...all } = await read()
    expect(all).toMatchObject({
      installation_id: installation,
      epoch: expect.any(String),
      shards: [
        { number: 0, state: 'open' },
        { number: 1, state: 'open' },
      ],
      more: false,
    })
    const versions = all.placements.map(placement => placement.version)
    expect(new Set(versions).size).toBe(versions.length)
    expect(versions).toEqual(versions.toSorted((a, b) => a - b))
    expect(await read(version)).toMatchObject({ version, placements: [] })

    const id = accountId('88888888')
    await reserve(id, 1)
    const changed = await read(version)
    expect(changed.placements).toEqual([
      { account_id: id, shard: 1, moving: false, version: changed.version },
    ])
    expect(await ask(zero, 'GET', '/internal/directory?after=x')).toMatchObject({ status: 422 })
  })

  test('the epoch of the directory stays the same until the table is restored', async () => {
    const epoch = async () => (await ask(zero, 'GET', '/internal/directory')).body['epoch']
    const before = await epoch()
    await reserve(accountId('a9a9a9a9'), 1)
    expect(await epoch()).toBe(before)
    await using db = await openPlace(shards[0]?.place ?? expect.unreachable())
    await db.transaction(async tx => {
      await tx.query('create temporary table saved on commit drop as table placement')
      await tx.query('truncate placement')
      await tx.query('insert into placement table saved')
    })
    expect(await epoch()).not.toBe(before)
  })

  test('the directory is corrected only at the version that was read', async () => {
    const { version } = (await ask(zero, 'GET', '/internal/directory')).body as { version: number }
    const changes = [
      { account_id: accountId('99999999'), shard: 1 },
      { account_id: accountId('aaaaaaaa'), shard: 0 },
    ]
    const correct = async () => await ask(zero, 'POST', '/internal/directory', { json: { version, changes } })
    const { status, body } = await correct()
    expect([status, Number(body['version']) > version]).toEqual([200, true])
    expect(await correct()).toMatchObject({ status: 409, body: { code: 'directory_changed' } })
    const { placements } = (await ask(zero, 'GET', `/internal/directory?after=${version}`)).body as {
      placements: { version: number }[]
    }
    expect(placements).toMatchObject(changes)
    expect(placements.at(-1)?.version).toBe(body['version'])
  })
})
