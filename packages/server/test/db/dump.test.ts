import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, NoSpaceForCopyError } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { restoreEmbeddedDatabase } from '../../src/db/restore-embedded-database.ts'
import { openTestApp, operatorToken } from '../http/test-app.ts'
import { copyEmbeddedDatabase } from '../support/embedded-template.ts'
import { until } from '../support/until.ts'

let folder: string
let dataDir: string
let database: Database

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-dump-'))
  dataDir = join(folder, 'data')
  await copyEmbeddedDatabase(dataDir, 'schema')
  database = await open()
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

test('a dump holds what was committed before it, in small pieces, and nothing that came later', async () => {
  await addRows(2_000)
  const dumped = await dump()
  // nobody has read the dump yet, and the database works
  await addRows(1_000)

  const pieceBytes: number[] = []
  const pieces = Readable.from(
    (async function* () {
      for await (const piece of dumped) {
        pieceBytes.push((piece as Uint8Array).length)
        yield piece as Uint8Array
      }
    })(),
  )
  const restored = await restoreEmbeddedDatabase(
    join(folder, 'restored'),
    pieces,
    async copy => await count(copy),
  )

  expect(restored).toBe(2_000)
  expect(await count(database)).toBe(3_000)
  expect(pieceBytes.reduce((sum, bytes) => sum + bytes)).toBeGreaterThan(20e6)
  expect(Math.max(...pieceBytes)).toBeLessThanOrEqual(64 * 1024)
  expect(copies()).toEqual([])
})

test('a dump that is not read to its end leaves no copy on the disk, even after the process was killed', async () => {
  const dumped = await dump()
  expect(copies()).toHaveLength(1)
  dumped.destroy()
  await until('the copy is removed', () => copies().length === 0)

  await dump()
  await database[Symbol.asyncDispose]()
  expect(copies()).toHaveLength(1)
  database = await open()
  expect(copies()).toEqual([])
})

test('a backup that fails halfway is no complete answer', async () => {
  const begun = Promise.withResolvers<void>()
  const halfway = async function* () {
    yield randomBytes(5_000_000)
    await begun.promise
    await Promise.reject(new Error('a file of the copy cannot be read'))
  }
  const broken = async (): Promise<Readable> => await Promise.resolve(Readable.from(halfway()))
  await using stage = await openTestApp(database, { dump: broken })
  const url = await stage.app.listen({ host: '127.0.0.1', port: 0 })
  const answer = await fetch(`${url}/v1/backup`, { headers: { authorization: `Bearer ${operatorToken}` } })
  expect(answer.status).toBe(200)
  begun.resolve()
  await expect(answer.arrayBuffer()).rejects.toThrow()
})

test('without free space for a copy, the backup says how much to free', async () => {
  const full = async (): Promise<never> => await Promise.reject(new NoSpaceForCopyError(5_000_001))
  await using stage = await openTestApp(database, { dump: full })
  const answer = await stage.app.inject({
    url: '/v1/backup',
    headers: { authorization: `Bearer ${operatorToken}` },
  })
  expect(answer.statusCode).toBe(503)
  expect(answer.json()).toMatchObject({
    code: 'database_unavailable',
    detail: expect.stringContaining('Free 6 MB'),
  })
})

const open = async (): Promise<Database> =>
  await openDatabase({ url: null, dataDir, connectionsMax: 1, onLost: () => {} })

async function dump(): Promise<Readable> {
  const dumped = await database.dump?.()
  if (dumped === undefined) throw new Error('the embedded database has a dump')
  return dumped
}

async function addRows(rows: number): Promise<void> {
  await database.query(`create table if not exists row_of_test as select 1 as one, '' as text where false`)
  await database.query(
    `insert into row_of_test select 1, md5(random()::text) from generate_series(1, $1::int)`,
    [rows],
  )
}

async function count(database: Database): Promise<number> {
  const [row] = await database.query<{ rows: number }>('select count(*) as rows from row_of_test')
  return row?.rows ?? 0
}

function copies(): string[] {
  const place = join(dataDir, 'backing-up')
  return existsSync(place) ? readdirSync(place) : []
}
