import type { Maintenance, System } from '@posthorn/contract'
import type { Database } from '../db/database.ts'
import { listAllProviderSources } from '../providers/list-provider-sources.ts'
import { listMailSources } from '../sources/mail-sources.ts'

/** The facts about the installation that are not in the database. */
export interface SystemFacts {
  version: string
  nodeVersion: string
  startedAtMs: number
  retentionDays: number
  settings: System['settings']
  maintenance: Maintenance
}

/** Describes the installation: versions, database, processes, partitions and settings. */
export async function readSystem(db: Database, facts: SystemFacts): Promise<System> {
  const database = await readDatabase(db)
  return {
    version: facts.version,
    node_version: facts.nodeVersion,
    database: {
      kind: db.kind === 'embedded' ? 'embedded' : 'postgresql',
      version: database.version,
      size_bytes: database.size_bytes,
    },
    schema_version: database.schema_version,
    started_at: new Date(facts.startedAtMs).toISOString(),
    processes: await readProcesses(db),
    partitions: await readPartitions(db),
    mail_sources: await listMailSources(db),
    provider_sources: await listAllProviderSources(db),
    retention_days: facts.retentionDays,
    maintenance: facts.maintenance,
    settings: facts.settings,
  }
}

async function readDatabase(
  db: Database,
): Promise<{ version: string; size_bytes: number; schema_version: number }> {
  const [row] = await db.query<{ version: string; size_bytes: number; schema_version: number }>(
    `select current_setting('server_version') as version, pg_database_size(current_database()) as size_bytes,
       (select max(version) from schema_migration) as schema_version`,
  )
  if (row === undefined) throw new Error('the select returned no row')
  return row
}

async function readProcesses(db: Database): Promise<System['processes']> {
  const rows = await db.query<ProcessRow>(
    `select number::text as id, host, role, version, started_at, last_seen_at from process
     where last_seen_at > now() - interval '1 minute' order by started_at, number`,
  )
  return rows.map(({ started_at, last_seen_at, ...process }) => ({
    ...process,
    started_at: started_at.toISOString(),
    last_seen_at: last_seen_at.toISOString(),
  }))
}

interface ProcessRow {
  id: string
  host: string
  role: 'all' | 'api' | 'dispatcher'
  version: string
  started_at: Date
  last_seen_at: Date
}

async function readPartitions(db: Database): Promise<System['partitions']> {
  return await db.query<System['partitions'][number]>(
    `select parent.relname as table, to_char(to_date(right(child.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') as day,
       pg_relation_size(child.oid) = 0 as is_empty, pg_total_relation_size(child.oid) as size_bytes, nullif(child.reltuples, -1)::bigint as rows_estimate
     from pg_inherits i join pg_class child on child.oid = i.inhrelid join pg_class parent on parent.oid = i.inhparent
     where parent.relnamespace = current_schema()::regnamespace and parent.relkind = 'p' and child.relkind = 'r'
     order by day desc, parent.relname`,
  )
}
