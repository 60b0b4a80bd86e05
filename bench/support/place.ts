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
 * Starts PostgreSQL in the oldest supported version with durable commits. For a full run, it has the WAL files of a server
 * that has run for a while.
 * @param sharedBuffersMb defaults to the value of the test servers
 */
export async function startBenchPostgres(scale: Scale, sharedBuffersMb?: number): Promise<PostgresServer> {
  const [installation] = findPostgres()
  if (installation === undefined)
    throw new Error('PostgreSQL is missing on this machine. Run npm ci to install it.')
  await using started = new AsyncDisposableStack()
  const postgres = started.use(await startPostgres(installation, tmpdir(), sharedBuffersMb))
  if (scale === 'full') await makeLogFiles(postgres)
  started.move()
  return postgres
}

/** An empty database for one run. Removed on dispose. */
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
