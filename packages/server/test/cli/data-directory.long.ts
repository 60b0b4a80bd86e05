import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/db/open-database.ts'
import { copyEmbeddedDatabase } from '../support/embedded-template.ts'
import { until } from '../support/until.ts'
import { posthorn, spawnPosthorn } from './posthorn-process.ts'

let folder: string
let dataDir: string
let database: string
let env: Record<string, string>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-data-'))
  dataDir = join(folder, 'data')
  database = join(dataDir, 'database')
  env = { POSTHORN_DATA_DIR: dataDir, POSTHORN_PORT: '0' }
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The size and modification time of every file. */
function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map(name => [name, statSync(join(directory, name), { throwIfNoEntry: false })] as const)
    .map(([name, file]) => `${name} ${file?.size} ${file?.mtimeMs}`)
    .toSorted()
}

describe('a path that is neither empty nor a database is rejected and left unchanged', () => {
  const takenAway = ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal']
  test.each(takenAway)('a database whose %s is missing', async part => {
    await copyEmbeddedDatabase(dataDir, 'schema')
    rmSync(join(database, part), { recursive: true })
    await expectRefused(['migrate'], part)
  })

  test('unrelated files, a regular file, a dangling symbolic link', async () => {
    mkdirSync(database, { recursive: true })
    writeFileSync(join(database, 'notes.txt'), 'mine')
    await expectRefused(['start'], 'PG_VERSION')
    await expectRefused(['import', emptyExport()], 'PG_VERSION')

    rmSync(database, { recursive: true })
    writeFileSync(database, 'mine')
    await expectRefused(['start'], 'it is not a directory')

    rmSync(database)
    symlinkSync(join(folder, 'not-mounted'), database)
    await expectRefused(['start'], 'a symbolic link to nothing')
  })

  function emptyExport(): string {
    const path = join(folder, 'setup.ndjson')
    writeFileSync(path, '{"posthorn_export":1,"schema_version":1}\n')
    return path
  }

  async function expectRefused(command: string[], reason: string): Promise<void> {
    const before = filesBelow(dataDir).filter(line => line.startsWith('database'))
    const refused = await posthorn(command, { env })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^posthorn: .+ is neither empty nor a database: .+\n$/)
    expect(refused.stderr).toContain(reason)
    expect(filesBelow(dataDir).filter(line => line.startsWith('database'))).toEqual(before)
  }
})

test('a backup is not restored over unrelated files, but is restored into an empty directory', async () => {
  await copyEmbeddedDatabase(dataDir, 'schema')
  await using service = spawnPosthorn(['start'], { env })
  const file = join(folder, 'backup.tar.gz')
  await posthorn(['backup', file], { env: { ...env, POSTHORN_URL: await service.url() } })
  expect(await service.end('SIGTERM')).toBe(0)

  const there = { ...env, POSTHORN_DATA_DIR: join(folder, 'there') }
  const place = join(folder, 'there/database')
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'notes.txt'), 'mine')
  const restore = ['restore', file, '--master-keys', join(dataDir, 'master-keys')]
  const refused = await posthorn(restore, { env: there })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('neither empty nor a database') })
  expect(readFileSync(join(place, 'notes.txt'), 'utf8')).toBe('mine')

  rmSync(join(place, 'notes.txt'))
  expect(await posthorn(restore, { env: there })).toMatchObject({ code: 0, stderr: '' })
  expectClosed(place)
})

test('a first start that is killed while creating the database does not block the next start', async () => {
  await using first = spawnPosthorn(['start'], { env })
  await until('it makes the database', () => filesBelow(folder).some(line => line.includes('PG_VERSION')))
  await first.end('SIGKILL')

  await using next = spawnPosthorn(['start'], { env })
  expect((await fetch(`${await next.url()}/readyz`)).status).toBe(200)
  expectClosed(database)
})

test('other users cannot access the database files, even in an existing directory that was open to them', async () => {
  mkdirSync(dataDir, { mode: 0o755 })
  await copyEmbeddedDatabase(dataDir, 'nothing')
  await openAndClose()
  expect(statSync(dataDir).mode & 0o777).toBe(0o755)
  expectClosed(database)
  expect(statSync(join(dataDir, 'lock')).mode & 0o077).toBe(0)

  // make all files accessible to everyone
  for (const name of readdirSync(database)) chmodSync(join(database, name), 0o777)
  chmodSync(database, 0o755)
  await openAndClose()
  expectClosed(database)
})

async function openAndClose(): Promise<void> {
  const options = { url: null, dataDir, connectionsMax: 1, onLost: () => {} }
  await using database = await openDatabase(options)
  await database.query('create table if not exists made (later int)')
}

/** Other users can neither enter the directory nor change files that were copied out of it. */
function expectClosed(directory: string): void {
  expect(statSync(directory).mode & 0o777).toBe(0o700)
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  expect(names.filter(name => (statSync(join(directory, name)).mode & 0o022) !== 0)).toEqual([])
}

test.each([
  ['three letters', 'abc\n', 'at least 32 characters'],
  ['nothing', '', 'at least 32 characters'],
  ['characters that no header can carry', `${'a'.repeat(40)}\u0007b`, 'without control characters'],
])(
  'the service and the command line reject an existing admin-token of %s',
  async (_what, content, reason) => {
    await copyEmbeddedDatabase(dataDir, 'schema')
    writeFileSync(join(dataDir, 'admin-token'), content)
    for (const command of [['start'], ['accounts', 'list', '--url', 'http://127.0.0.1:9']]) {
      const refused = await posthorn(command, { env })
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toContain(join(dataDir, 'admin-token'))
      expect(refused.stderr).toContain(reason)
    }
    expect(readFileSync(join(dataDir, 'admin-token'), 'utf8')).toBe(content)
  },
)

test('an empty master keys file is named in the error', async () => {
  await copyEmbeddedDatabase(dataDir, 'schema')
  writeFileSync(join(dataDir, 'master-keys'), '')
  const refused = await posthorn(['start'], { env })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^posthorn: \S+master-keys does not contain valid master keys: /)
})
