import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from '@posthorn/contract'
import { expect, onTestFinished, test } from 'vitest'
import { type Running, posthorn, spawnPosthorn } from '../cli/posthorn-process.ts'
import { connectApi, newCustomer, type Page } from '../support/api.ts'
import { type DatabasePlace, newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'

test('two shards and a front start as docs/run/shards.md says', async () => {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-front-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const common = {
    POSTHORN_PORT: '0',
    POSTHORN_ADMIN_TOKEN: `pha_${randomBytes(24).toString('hex')}`,
    POSTHORN_MASTER_KEYS: `first:${randomBytes(32).toString('base64')}`,
    POSTHORN_SHARD_KEYS: `first:${randomBytes(32).toString('base64')}`,
    POSTHORN_PUBLIC_URL: 'https://posthorn.example.com',
  }
  const startShard = async (): Promise<string> => {
    const place: DatabasePlace = opened.use(await newDatabasePlace(newestServer()))
    const env = { ...common, DATABASE_URL: place.databaseUrl ?? '', POSTHORN_DATA_DIR: place.dataDir }
    return await opened.use(spawnPosthorn(['start'], { env })).url()
  }
  const [first, second] = [await startShard(), await startShard()]

  const env = { ...common, POSTHORN_SHARDS: `0=${first},1=${second}` }
  const added = await posthorn(['shards', 'add', '1'], { env })
  expect([added.code, added.stderr]).toEqual([0, ''])

  const dataDir = join(folder, 'data')
  const front: Running = spawnPosthorn(['start'], {
    env: { ...env, POSTHORN_ROLE: 'front', POSTHORN_DATA_DIR: dataDir },
  })
  const url = await front.url()
  await until('the front is ready', async () => (await fetch(`${url}/readyz`)).ok)
  const operator = connectApi(url, common.POSTHORN_ADMIN_TOKEN)
  const customers = [await newCustomer(url, operator), await newCustomer(url, operator)]
  for (const customer of customers) expect(await customer.report(2)).toHaveLength(2)
  expect((await operator.get<Page<Account>>('/v1/accounts')).body.data).toHaveLength(2)

  // the doctor looks for no database
  const checked = await posthorn(['doctor', '--url', url], { env: { ...env, POSTHORN_ROLE: 'front' } })
  expect(checked.stdout).toMatch(/ok +Service +ready/)
  expect(checked.stdout).not.toMatch(/Database|Disk/)

  // a front has no files, and a stop loses no request
  expect(existsSync(dataDir)).toBe(false)
  const late = customers[0]?.report(3)
  expect(await front.end('SIGTERM')).toBe(0)
  expect(await late).toHaveLength(3)
})
