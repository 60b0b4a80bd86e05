import type { Queryable } from '../db/database.ts'
import { partitionDay } from '../domain/partition-day.ts'
import { firstUuidV7At } from '../domain/uuid-v7.ts'

/** Partitioned by day on the UUIDv7 id. A low fillfactor leaves free space on each page for updates. */
export const partitionedTables = [
  { table: 'event', fillfactor: 100 },
  { table: 'delivery', fillfactor: 50 },
  { table: 'attempt', fillfactor: 100 },
  { table: 'email', fillfactor: 100 },
  { table: 'email_recipient', fillfactor: 50 },
] as const

/** ANALYZE samples 300 times as many rows, which is enough for these tables and takes milliseconds. */
const statisticsTarget = 20

const dayMs = 86_400_000
const daysBehind = 1
const daysAhead = 2

/** Any number that no other advisory lock uses. */
const advisoryLock = 0x70617274

/**
 * Creates the missing partitions from yesterday to the day after tomorrow. There is no default partition, so that an id
 * outside all partitions causes an error instead of a row that queries cannot find.
 */
export async function ensurePartitions(db: Queryable, nowMs: number): Promise<{ created: number }> {
  const wanted = partitionsAround(nowMs)
  if ((await missingOf(wanted, db)).length === 0) return { created: 0 }
  return await db.transaction(async tx => {
    await tx.query('select pg_advisory_xact_lock($1)', [advisoryLock])
    const missing = await missingOf(wanted, tx)
    for (const partition of missing) await createPartition(tx, partition)
    return { created: missing.length }
  })
}

interface Partition {
  table: string
  name: string
  fromMs: number
  fillfactor: number
}

function partitionsAround(nowMs: number): Partition[] {
  const partitions: Partition[] = []
  for (let day = -daysBehind; day <= daysAhead; day++) {
    const fromMs = Math.floor(nowMs / dayMs) * dayMs + day * dayMs
    for (const { table, fillfactor } of partitionedTables) {
      partitions.push({ table, name: `${table}_${partitionDay(fromMs)}`, fromMs, fillfactor })
    }
  }
  return partitions
}

async function missingOf(wanted: readonly Partition[], db: Queryable): Promise<Partition[]> {
  const existing = await partitionNames(db)
  return wanted.filter(({ name }) => !existing.has(name))
}

async function partitionNames(db: Queryable): Promise<Set<string>> {
  const rows = await db.query<{ name: string }>(
    `select child.relname as name
     from pg_inherits join pg_class child on child.oid = inhrelid join pg_class parent on parent.oid = inhparent
     where parent.relname = any($1)`,
    [partitionedTables.map(({ table }) => table)],
  )
  return new Set(rows.map(row => row.name))
}

/**
 * Creates a table and then attaches it, because `attach partition` does not block reads and writes of the parent, and
 * `create table … partition of` does.
 */
async function createPartition(tx: Queryable, { table, name, fromMs, fillfactor }: Partition): Promise<void> {
  await tx.query(`create table ${name} (like ${table} including all)`)
  await tx.query(
    `alter table ${name} set (fillfactor = ${fillfactor}, autovacuum_vacuum_scale_factor = 0.05,
       autovacuum_analyze_scale_factor = 0.05)`,
  )
  const columns = await tx.query<{ name: string }>(
    'select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped',
    [name],
  )
  await tx.query(
    `alter table ${name} ${columns.map(column => `alter column ${column.name} set statistics ${statisticsTarget}`).join(', ')}`,
  )
  await tx.query(
    `alter table ${table} attach partition ${name} for values from ('${firstUuidV7At(fromMs)}') to ('${firstUuidV7At(fromMs + dayMs)}')`,
  )
}
