import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { accountCode } from '../../src/domain/account-code.ts'
import { parseTypeId, typeId } from '../../src/domain/type-id.ts'
import { newId } from '../../src/new-id.ts'
import type { ShardClient } from '../../src/shards/shard-client.ts'
import { systemClock, systemRandom } from '../../src/system-clock.ts'
import { type Ended, posthorn, spawnPosthorn } from '../cli/posthorn-process.ts'
import { until } from '../support/until.ts'
import { ask, clientOf, type RunningShard, shardKey, startShard } from './start-shard.ts'

const key = shardKey('first')
const opened = new AsyncDisposableStack()
let shards: RunningShard[]
let zero: ShardClient
let dbs: Database[]

beforeAll(async () => {
  shards = await Promise.all([startShard(key), startShard(key), startShard(key)])
  for (const shard of shards) opened.use(shard)
  zero = opened.use(clientOf(at(0), 0, key))
  const open = async ({ place }: RunningShard): Promise<Database> =>
    await openDatabase({ url: place.databaseUrl, dataDir: '', connectionsMax: 2, onLost: () => {} })
  dbs = await Promise.all(shards.map(open))
  for (const db of dbs) opened.use(db)
})
afterAll(async () => await opened.disposeAsync())

function at(index: number): RunningShard {
  return shards[index] ?? expect.unreachable()
}

/** Runs a command that knows these shards. */
async function run(args: string, urls = [at(0).url, at(1).url]): Promise<Ended & { json: unknown }> {
  const ended = await posthorn(args.split(' '), { env: envOf(urls) })
  return {
    ...ended,
    json: args.endsWith('--json') && ended.code !== 2 ? JSON.parse(ended.stdout || ended.stderr) : null,
  }
}

function envOf(urls: readonly string[]): Record<string, string> {
  const listed = urls.map((url, number) => `${number}=${url}`).join(',')
  return { POSTHORN_SHARDS: listed, POSTHORN_SHARD_KEYS: key }
}

const accountId = (): string => newId({ clock: systemClock, random: systemRandom })

/** Ids of accounts, each with a code of its own, as an installation requires. */
function accountIds(count: number): string[] {
  const byCode = new Map<number, string>()
  while (byCode.size < count) {
    const id = accountId()
    byCode.set(accountCode(id), id)
  }
  return [...byCode.values()]
}

async function query(shard: number, text: string, values: unknown[] = []): Promise<unknown[]> {
  return (await dbs[shard]?.query(text, values)) ?? expect.unreachable()
}

const insertAccount = async (shard: number, id: string): Promise<unknown> =>
  await query(shard, `insert into account (id, name, max_endpoints) values ($1, 'Acme', 1)`, [id])
const insertPlacement = async (id: string, shard: number): Promise<unknown> =>
  await query(
    0,
    `with changed as (update installation set directory_version = directory_version + 1 returning directory_version)
     insert into placement (account_id, shard, version) select $1, $2, directory_version from changed`,
    [id, shard],
  )

describe('shards', () => {
  test('a new shard joins, and adding it again changes nothing', async () => {
    for (let times = 0; times < 2; times++) {
      expect(await run('shards add 1 --json')).toMatchObject({ code: 0, json: { number: 1, state: 'open' } })
    }
    expect((await run('shards list --json')).json).toMatchObject([
      { number: 0, state: 'open', url: at(0).url, schema: 1, problem: null },
      { number: 1, state: 'open', url: at(1).url, accounts: 0, problem: null },
    ])
  })

  test('a database that is a shard already joins under no second number and no other installation', async () => {
    const twin = at(1).url.replace('127.0.0.1', 'localhost')
    const twice = await run('shards add 2', [at(0).url, at(1).url, twin])
    expect(twice).toMatchObject({ code: 1, stdout: '' })
    expect(twice.stderr).toContain('It is already shard 1 of installation')
    const stolen = await run('shards add 1', [at(2).url, at(1).url])
    expect(stolen.stderr).toContain('It is already shard 1 of installation')
    expect(
      (await run('shards add 1', [at(0).url, at(0).url.replace('127.0.0.1', 'localhost')])).stderr,
    ).toContain('It has the directory of an installation')
  })

  test.each([0, 1])(
    'shard %i gets no new accounts from when it is closed until it is added again',
    async shard => {
      const reserve = async (): Promise<number> =>
        (await ask(zero, 'POST', '/internal/placements', { json: { account_id: accountId(), shard } })).status
      expect(await run(`shards close ${shard} --json`)).toMatchObject({ code: 0, json: { state: 'closed' } })
      expect(await reserve()).toBe(409)
      expect(await run(`shards add ${shard}`)).toMatchObject({ code: 0 })
      expect(await reserve()).toBe(200)
    },
  )

  test.each([
    ['shards add 7', 'POSTHORN_SHARDS has no shard 7'],
    ['shards close 2', 'the directory has no shard 2'],
    ['shards add x', 'must be a number from 0 to 999'],
  ])('%s is refused', async (args, message) => {
    const refused = await run(
      args,
      shards.map(({ url }) => url),
    )
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain(message)
  })

  test('without settings, or if a shard does not answer, the command says so', async () => {
    const { stderr } = await posthorn(['shards', 'list'])
    expect(stderr).toContain('set POSTHORN_SHARDS and POSTHORN_SHARD_KEYS')
    const nobody = 'http://127.0.0.1:9'
    const listed = await run('shards list', [at(0).url, nobody])
    expect(listed.stdout).toMatch(/^1 +open +http:\/\/127.0.0.1:9 .*ECONNREFUSED/m)
    expect((await run('directory check', [at(0).url, nobody])).stderr).toContain(
      `Shard 1 (${nobody}) is not available`,
    )
    expect((await run('directory rebuild', [at(0).url, nobody])).stderr).toContain('Shard 1')
    expect((await run('directory check', [at(0).url])).stderr).toContain('POSTHORN_SHARDS lacks shard 1')
  })
})

describe('the directory', () => {
  beforeAll(async () => {
    expect(await run('shards add 1')).toMatchObject({ code: 0 })
  })

  const hourAgo = (): string => accountId().replace(/^.{8}/, '01890a5d')

  test('it agrees with the shards, also about an account that was deleted or is being created', async () => {
    await ask(zero, 'POST', '/v1/accounts', { json: { name: 'Acme' } })
    const gone = await createOnOne()
    using one = clientOf(at(1), 1, key)
    await ask(one, 'DELETE', `/v1/accounts/${typeId('acct', gone)}`)
    await query(1, 'delete from account where id = $1', [gone])
    await ask(zero, 'POST', '/internal/placements', { json: { account_id: accountId(), shard: 1 } })

    expect(await run('directory check --json')).toMatchObject({
      code: 0,
      json: { disagreements: [], leftovers: 1, moving: 0 },
    })
    expect(await run('directory rebuild --json')).toMatchObject({
      json: { changes: [{ account_id: typeId('acct', gone), shard: null }] },
    })
    expect(await run('directory check --json')).toMatchObject({ code: 0, json: { leftovers: 0 } })
  })

  async function createOnOne(): Promise<string> {
    const id = accountId()
    await ask(zero, 'POST', '/internal/placements', { json: { account_id: id, shard: 1 } })
    using one = clientOf(at(1), 1, key)
    const { body } = await ask(one, 'POST', '/internal/accounts', { json: { id, name: 'Acme' } })
    return parseTypeId('acct', String(body['id'])) ?? expect.unreachable()
  }

  test('every disagreement is named, a dry run changes nothing, and a rebuild corrects all', async () => {
    const [unplaced, misplaced, lost] = [await createOnOne(), await createOnOne(), hourAgo()]
    await query(0, 'delete from placement where account_id = $1', [unplaced])
    await query(0, 'update placement set shard = 0 where account_id = $1', [misplaced])
    await insertPlacement(lost, 1)
    const disagreements = [
      { account_id: typeId('acct', unplaced), problem: 'not_placed', on: [1] },
      { account_id: typeId('acct', misplaced), problem: 'placed_elsewhere', on: [1], placed_on: 0 },
      { account_id: typeId('acct', lost), problem: 'no_account', on: [], placed_on: 1 },
    ]
    const changes = [
      { account_id: typeId('acct', lost), shard: null },
      { account_id: typeId('acct', unplaced), shard: 1 },
      { account_id: typeId('acct', misplaced), shard: 1 },
    ]
    expect(await run('directory check --json')).toMatchObject({ code: 1, json: { disagreements } })
    expect((await run('directory check')).stdout).toContain(
      `${typeId('acct', misplaced)} is on shard 1, but the directory places it on shard 0`,
    )
    expect((await run('directory rebuild --dry-run --json')).json).toMatchObject({ dry_run: true, changes })
    expect(await run('directory check --json')).toMatchObject({ code: 1, json: { disagreements } })
    expect((await run('directory rebuild --json')).json).toMatchObject({ dry_run: false, changes })
    expect(await run('directory check --json')).toMatchObject({ code: 0, json: { disagreements: [] } })
    expect((await run('directory rebuild')).stdout).toContain('nothing to change')
  })

  test('an account on two shards, or one that is moving, must be settled first', async () => {
    const id = await createOnOne()
    await insertAccount(0, id)
    const refused = await run('directory rebuild')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain(
      `${typeId('acct', id)} is on shard 0 and shard 1. Delete one of the two first`,
    )
    await query(0, 'delete from account where id = $1', [id])

    await query(0, 'update placement set moving = true, shard = 0 where account_id = $1', [id])
    expect((await run('directory rebuild')).stderr).toContain(`${typeId('acct', id)} is moving`)
    expect(await run('directory check --json')).toMatchObject({ code: 0, json: { moving: 1 } })
    await query(0, 'update placement set moving = false, shard = 1 where account_id = $1', [id])
  })

  test('a killed rebuild is completed by the next one, while accounts are created', async () => {
    const ids = accountIds(12_000)
    await query(1, `insert into account (id, name, max_endpoints) select unnest($1::uuid[]), 'Acme', 1`, [
      ids,
    ])
    const countPlaced = async (): Promise<number> => {
      const [row] = await query(0, 'select count(*) as count from placement')
      return (row as { count: number }).count
    }
    const before = await countPlaced()
    const killed = spawnPosthorn(['directory', 'rebuild'], { env: envOf([at(0).url, at(1).url]) })
    await until('the first placements are written', async () => (await countPlaced()) > before)
    await killed.end('SIGKILL')

    const [rebuilt, made] = await Promise.all([run('directory rebuild'), createOnOne()])
    expect(rebuilt).toMatchObject({ code: 0 })
    expect(await run('directory check --json')).toMatchObject({
      code: 0,
      json: { disagreements: [], leftovers: 0 },
    })
    expect(await countPlaced()).toBe(before + ids.length + 1)
    expect(await query(0, 'select shard from placement where account_id = $1', [made])).toEqual([
      { shard: 1 },
    ])
  })

  test('a shard that the directory has lost is added again', async () => {
    await query(0, 'delete from shard where number = 1')
    expect((await run('directory check')).stdout).toContain('shard 1 is not in the directory')
    expect((await run('directory rebuild --json')).json).toMatchObject({ added_shards: [1], changes: [] })
    expect(await run('directory check')).toMatchObject({ code: 0 })
  })

  test('a shard of another installation is refused', async () => {
    await query(1, 'update installation set id = $1', [randomUUID()])
    expect((await run('directory rebuild')).stderr).toContain('belongs to another installation than shard 0')
    expect((await run('directory check')).stderr).toContain('belongs to another installation than shard 0')
  })
})
