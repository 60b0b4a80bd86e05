import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  findPostgres,
  type PostgresServer,
  startPostgres,
} from '../../packages/server/test/support/postgres-server.ts'
import { type DatabasePlace, newDatabasePlace } from '../../packages/server/test/support/test-database.ts'
import type { Scale } from './bench.ts'
import { makeLogFiles } from './log-files.ts'

export type DatabaseKind = 'embedded' | 'PostgreSQL'

/**
 * A PostgreSQL of the oldest version that Posthorn promises to run on, with durable commits; for a full run as it is once it
 * has run for a while.
 * @param sharedBuffersMb for its pages; where it is left out as few as the tests' servers have
 */
export async function startBenchPostgres(scale: Scale, sharedBuffersMb?: number): Promise<PostgresServer> {
  const [installation] = findPostgres()
  if (installation === undefined) throw new Error('no PostgreSQL on this machine: npm ci brings one')
  await using started = new AsyncDisposableStack()
  const postgres = started.use(await startPostgres(installation, tmpdir(), sharedBuffersMb))
  if (scale === 'full') await makeLogFiles(postgres)
  started.move()
  return postgres
}

/** An empty database for one run, removed on dispose. */
export async function newPlace(kind: DatabaseKind, postgres: PostgresServer): Promise<DatabasePlace> {
  if (kind === 'PostgreSQL')
    return await newDatabasePlace({ name: kind, serverUrl: postgres.url('postgres') })
  const dataDir = mkdtempSync(join(tmpdir(), 'posthorn-bench-'))
  return {
    databaseUrl: null,
    dataDir,
    [Symbol.asyncDispose]: async () => rmSync(dataDir, { recursive: true }),
  }
}
