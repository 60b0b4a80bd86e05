import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { copyEmbeddedDatabase } from './embedded-template.ts'
import { layOutSchema, schemaTemplate } from './schema-template.ts'

/** Where a test's data is stored. Every promise must hold on each backend. */
export interface Backend {
  name: string
  /** The URL of a PostgreSQL server's maintenance database, or null for the embedded database. */
  serverUrl: string | null
  /**
   * New databases are copies of a template with the schema, because creating the schema takes seconds. Without the template
   * they are empty.
   */
  hasTemplate?: boolean
}

/** The embedded database. */
export const embedded: Backend = { name: 'PGlite', serverUrl: null, hasTemplate: true }

/** PGlite and every PostgreSQL of this run, for `describe.each`. */
export function allBackends(): Backend[] {
  return [embedded, ...serverBackends()]
}

/**
 * The embedded database and the oldest PostgreSQL, for slow tests whose statements other tests run on every database. `npm
 * run test:long` uses every database.
 */
export function eachKind(): Backend[] {
  return takesEvery() ? allBackends() : [embedded, ...serverBackends().slice(0, 1)]
}

/**
 * The newest PostgreSQL, for tests of verbs, because `http/customer-journey.test.ts` runs every operation on the embedded
 * database. `npm run test:long` uses every database.
 */
export function verbBackends(): Backend[] {
  return takesEvery() ? allBackends() : [newestServer()]
}

function takesEvery(): boolean {
  return process.env['POSTHORN_TEST_EVERY_DATABASE'] !== undefined
}

/** Like `verbBackends`, for tests of races. */
export function verbServers(): Backend[] {
  return verbBackends().filter(({ serverUrl }) => serverUrl !== null)
}

/** PostgreSQL only, because PGlite has one session and shows no races. */
export function serverBackends(): Backend[] {
  return inject('postgresServers').map(server => ({
    name: `PostgreSQL ${server.version}`,
    serverUrl: server.url,
    hasTemplate: true,
  }))
}

/** The backend without the template, for tests of the first start on an empty database. */
export function withoutTemplate(backend: Backend): Backend {
  return { ...backend, hasTemplate: false }
}

/** The newest PostgreSQL of this run. */
export function newestServer(): Backend {
  const newest = serverBackends().at(-1)
  if (newest === undefined) throw new Error('no PostgreSQL on this machine: npm ci brings one')
  return newest
}

/** What `openDatabase` and a service need to reach the same new database. */
export interface DatabasePlace extends AsyncDisposable {
  databaseUrl: string | null
  dataDir: string
}

/** An empty database for one test, removed on dispose. */
export async function newDatabasePlace(backend: Backend): Promise<DatabasePlace> {
  const hasTemplate = backend.hasTemplate === true
  // benches call this outside Vitest, for their own PostgreSQL
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

/** A new database with the schema and today's partitions. */
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
