import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { ensurePartitions } from '../../src/maintenance/ensure-partitions.ts'
import type { PostgresServer } from './postgres-server.ts'

/** The database on each server that new databases are copied from. */
export const schemaTemplate = 'posthorn_template'

/** Creates the schema and its partitions, as a first start does. */
export async function layOutSchema(database: Database): Promise<void> {
  await migrate(database)
  await ensurePartitions(database, Date.now())
}

export async function makeSchemaTemplate(postgres: Pick<PostgresServer, 'url'>): Promise<void> {
  const open = async (name: string): Promise<Database> =>
    await openDatabase({ url: postgres.url(name), dataDir: '', connectionsMax: 1, onLost: () => {} })
  await using server = await open('postgres')
  await server.query(`create database ${schemaTemplate}`)
  await using template = await open(schemaTemplate)
  await layOutSchema(template)
}
