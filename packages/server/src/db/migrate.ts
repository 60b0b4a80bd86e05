import { readdir, readFile } from 'node:fs/promises'
import type { Database, Queryable } from './database.ts'

const migrationsDirectory = new URL('../../migrations/', import.meta.url)

/** The advisory lock of a migration: any number that no other program uses in this database. */
export const migrationLock = 0x706f7374

export interface MigrationReport {
  /** Names of the files that were run, in order. */
  applied: string[]
  version: number
}

/**
 * Brings the schema to this build's version: runs each file of `migrations/` once, all in one transaction. An advisory
 * lock makes processes that start together run them once. A schema that is newer than this build stays as it is.
 * @throws ForeignSchemaError if other files created the schema
 */
export async function migrate(database: Database): Promise<MigrationReport> {
  for (let tries = 1; ; tries++) {
    try {
      return await migrateOnce(database)
    } catch (error) {
      // under load, a migration can deadlock with a statement; the rollback undid everything
      if (!isDeadlock(error) || tries === deadlockTriesMax) throw error
    }
  }
}

const deadlockTriesMax = 10

function isDeadlock(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === '40P01') || isDeadlock(error.cause)
}

async function migrateOnce(database: Database): Promise<MigrationReport> {
  const files = await migrationFiles()
  return await database.transaction(async tx => {
    await allowLongTransaction(tx)
    await tx.query('select pg_advisory_xact_lock($1)', [migrationLock])
    await tx.query(
      `create table if not exists schema_migration (
         version integer primary key,
         name text not null,
         -- older releases cannot run on the schema from this version on
         breaking boolean not null default false,
         applied_at timestamptz not null default now()
       )`,
    )
    const before = await appliedVersions(tx, files)
    // not only numbers above the highest: a branch with a lower number may be merged later
    const due = files.filter(file => !before.has(file.version))
    for (const file of due) await apply(tx, file)
    return {
      applied: due.map(file => file.name),
      version: Math.max(0, ...before, ...due.map(file => file.version)),
    }
  })
}

/** Lets a transaction take as long as it needs. PostgreSQL 15 and 16 do not have the setting, so no connection begins with it. */
export async function allowLongTransaction(tx: Queryable): Promise<void> {
  await tx.query(
    `select set_config('transaction_timeout', '0', true) where current_setting('server_version_num')::int >= 170000`,
  )
}

async function appliedVersions(db: Queryable, files: readonly MigrationFile[]): Promise<Set<number>> {
  const applied = await db.query<MigrationFile>('select version, name from schema_migration order by version')
  for (const { version, name } of applied) {
    const file = files.find(one => one.version === version)
    if (file !== undefined && file.name !== name) throw new ForeignSchemaError(name, file.name)
  }
  return new Set(applied.map(({ version }) => version))
}

/** Migration files that this build does not have created the schema. */
class ForeignSchemaError extends Error {
  override readonly name = 'ForeignSchemaError'

  constructor(found: string, expected: string) {
    super(
      `the schema of this database was made by ${found} and cannot be migrated to ${expected}. Nothing was changed, and ` +
        'the version that made it still runs on it. Give this version its own database in DATABASE_URL, or an empty ' +
        'directory in POSTHORN_DATA_DIR',
    )
  }
}

/** The schema version that this build needs. */
export async function expectedSchemaVersion(): Promise<number> {
  return (await migrationFiles()).at(-1)?.version ?? 0
}

interface MigrationFile {
  version: number
  name: string
}

async function migrationFiles(): Promise<MigrationFile[]> {
  const names = (await readdir(migrationsDirectory)).filter(name => /^\d{4}-.+\.sql$/.test(name)).sort()
  return names.map(name => ({ version: Number(name.slice(0, 4)), name }))
}

async function apply(tx: Queryable, file: MigrationFile): Promise<void> {
  const text = await readFile(new URL(file.name, migrationsDirectory), 'utf8')
  // without parameters the driver sends a simple query, which may have many statements
  await tx.query(text)
  await tx.query('insert into schema_migration (version, name, breaking) values ($1, $2, $3)', [
    file.version,
    file.name,
    /^-- breaking$/m.test(text),
  ])
}
