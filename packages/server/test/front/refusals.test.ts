import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShards, type TestInstallation } from '../support/shards.ts'
import { until } from '../support/until.ts'

let installation: TestInstallation
let urls: [string, string]

beforeAll(async () => {
  installation = await openShards(2)
  urls = installation.shards.map(({ url }) => url) as [string, string]
})

afterAll(async () => await installation[Symbol.asyncDispose]())

test.each<[string, () => Record<string, string>, RegExp]>([
  ['without shards', () => ({ POSTHORN_SHARDS: '' }), /needs POSTHORN_SHARDS/],
  ['without keys', () => ({ POSTHORN_SHARD_KEYS: '' }), /needs POSTHORN_SHARD_KEYS/],
  ['without shard 0', () => ({ POSTHORN_SHARDS: `1=${urls[1]}` }), /shard 0 is missing/],
  [
    'with two URLs of one shard',
    () => ({ POSTHORN_SHARDS: `0=${urls[0]},1=${urls[1]},1=http://127.0.0.1:9` }),
    /shard 1 has two URLs/,
  ],
  [
    'with one database under two numbers',
    () => ({
      POSTHORN_SHARDS: `0=${urls[0]},1=${urls[1]},2=${urls[1].replace('127.0.0.1', 'localhost')}`,
    }),
    /Shard 2 .* it is shard 1: correct POSTHORN_SHARDS/,
  ],
  [
    'with exchanged numbers',
    () => ({ POSTHORN_SHARDS: `0=${urls[1]},1=${urls[0]}` }),
    /Shard 0 .* it is shard 1: correct POSTHORN_SHARDS/,
  ],
  [
    'with other keys',
    () => ({ POSTHORN_SHARD_KEYS: `first:${randomBytes(32).toString('base64')}` }),
    /does not accept the signature: compare POSTHORN_SHARD_KEYS/,
  ],
  [
    'with a URL that is not a shard',
    () => ({ POSTHORN_SHARDS: `0=${urls[0]},1=${installation.url}` }),
    /without a valid signature/,
  ],
])('a front %s refuses to start and says what to do', async (_, settings, message) => {
  await expect(async () => await installation.openFront(settings())).rejects.toThrow(message)
})

test('a front refuses a shard of another installation', async () => {
  await using other = await openShards(2, { keys: installation.keys })
  const shards = `0=${urls[0]},1=${other.shards[1]?.url}`
  await expect(installation.openFront({ POSTHORN_SHARDS: shards })).rejects.toThrow(
    /belongs to another installation/,
  )
})

test('a front refuses a database until it is a shard of the installation', async () => {
  const shard = await installation.openDatabase(2)
  const settings = { POSTHORN_SHARDS: `0=${urls[0]},1=${urls[1]},2=${shard.url}` }
  await expect(installation.openFront(settings)).rejects.toThrow(/it is shard 0: .* posthorn shards add/)

  const { body } = await shard.ask<{ installation_id: string }>('GET', '/internal/shard').catch(() => ({
    body: { installation_id: '' },
  }))
  expect(body.installation_id).toBe('')
  await installation.join(shard)
  await using front = await installation.openFront(settings)
  await until('the front knows all shards', async () => (await fetch(`${front.url}/readyz`)).ok)
})

test('a front refuses a shard with accounts that the directory does not place there', async () => {
  const shard = await installation.openDatabase(3)
  await installation.join(shard)
  const settings = { POSTHORN_SHARDS: `0=${urls[0]},1=${urls[1]},3=${shard.url}` }
  await (await installation.openFront(settings)).drain()

  const account = { id: '01890a5d-ac96-774b-bcce-b302099a8057', name: 'Stray', max_endpoints: 1 }
  expect((await shard.ask('POST', '/internal/accounts', account)).status).toBe(201)
  await expect(installation.openFront(settings)).rejects.toThrow(
    /shard 3 has 1 accounts, but the directory in shard 0 places 0 there: run posthorn directory check/,
  )
})

test('a front that starts before its shards becomes ready when shard 0 answers', async () => {
  const [first, second] = installation.shards
  await first?.stop()
  await second?.stop()
  await using front = await installation.openFront()
  const notReady = await fetch(`${front.url}/readyz`)
  expect([notReady.status, await notReady.json()]).toEqual([
    503,
    expect.objectContaining({ code: 'shard_unavailable' }),
  ])
  expect((await fetch(`${front.url}/healthz`)).status).toBe(200)
  await first?.start()
  await until('the front is ready', async () => (await fetch(`${front.url}/readyz`)).ok)
  await second?.start()
})
