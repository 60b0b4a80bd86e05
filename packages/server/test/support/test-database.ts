import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { copyEmbeddedDatabase } from './embedded-template.ts'
import { layOutSchema, schemaTemplate } from './schema-template.ts'

/** Where a test's data lives: every promise holds on each. */
export interface Backend {
  name: string
  /** URL of a PostgreSQL server's maintenance database, or null for the embedded one. */
  serverUrl: string | null
  /** New databases are copies of one that has the schema: laying it out takes seconds. Without it they are empty. */
  hasTemplate?: boolean
}

/** The embedded database. */
export const embedded: Backend = { name: 'PGlite', serverUrl: null, hasTemplate: true }

/** PGlite and every PostgreSQL of this run, for `describe.each`. */
export function allBackends(): Backend[] {
  return [embedded, ...serverBackends()]
}

/** The embedded database and the oldest PostgreSQL, for tests that take long and whose statements others try on each. `npm run test:long` takes every
 * database. */
export function eachKind(): Backend[] {
  return takesEvery() ? allBackends() : [embedded, ...serverBackends().slice(0, 1)]
}

/**
 * The newest PostgreSQL, for tests of verbs: `http/customer-journey.test.ts` uses every operation on the embedded database.
 * `npm run test:long` runs them on every database.
 */
export function verbBackends(): Backend[] {
  return takesEvery() ? allBackends() : [newestServer()]
}

function takesEvery(): boolean {
  return process.env['POSTHORN_TEST_EVERY_DATABASE'] !== undefined
}

/** The same, of what races. */
export function verbServers(): Backend[] {
  return verbBackends().filter(({ serverUrl }) => serverUrl !== null)
}

/** PostgreSQL only: what happens between two connections cannot be seen on PGlite. */
export function serverBackends(): Backend[] {
  return inject('postgresServers').map(server => ({
    name: `PostgreSQL ${server.version}`,
    serverUrl: server.url,
    hasTemplate: true,
  }))
}

/** The same, for tests of what a first start makes of an empty database. */
export function withoutTemplate(backend: Backend): Backend {
  return { ...backend, hasTemplate: false }
}

/** The newest PostgreSQL of this run. */
export function newestServer(): Backend {
  const newest = serverBackends().at(-1)
  if (newest === undefined) throw new Error('no PostgreSQL on this machine: npm ci brings one')
  return newest
}

/** What `openDatabase` and a started service need to reach the same fresh database. */
export interface DatabasePlace extends AsyncDisposable {
  databaseUrl: string | null
  dataDir: string
}

/** A database that nobody else uses, without a row, removed on dispose. */
export async function newDatabasePlace(backend: Backend): Promise<DatabasePlace> {
  const hasTemplate = backend.hasTemplate === true
  // a bench calls this outside Vitest, for a PostgreSQL of its own
  const parent = backend.serverUrl === null ? inject('scratchFolder') : tmpdir()
  const dataDir = mkdtempSync(join(parent, 'posthorn-test-'))
  if (backend.serverUrl === null) {
    await copyEmbeddedDatabase(dataDir, hasTemplate ? 'schema' : 'nothing')
    return {
      databaseUrl: null,
      dataDir,
      [Symbol.asyncDispose]: async () => rmSync(dataDir, { recursive: true }),
    }
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const copied = hasTemplate ? ` template ${schemaTemplate}` : ''
  await onServer(backend.serverUrl, `create database ${name}${copied}`)
  const serverUrl = backend.serverUrl
  return {
    databaseUrl: serverUrl.replace(/\/postgres$/, `/${name}`),
    dataDir,
    [Symbol.asyncDispose]: async () => {
      await onServer(serverUrl, `drop database ${name} with (force)`)
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** A fresh database with the schema and today's partitions. */
export async function openTestDatabase(backend: Backend): Promise<Database> {
  const place = await newDatabasePlace(backend)
  const database = await openDatabase({
    url: place.databaseUrl,
    dataDir: place.dataDir,
    connectionsMax: 40,
    onLost: error => {
      throw error
    },
  })
  await layOutSchema(database)
  return {
    ...database,
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}

async function onServer(url: string, statement: string): Promise<void> {
  await using server = await openDatabase({ url, dataDir: '', connectionsMax: 1, onLost: () => {} })
  await server.query(statement)
}
