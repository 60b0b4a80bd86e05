import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Queryable } from '../packages/server/src/db/database.ts'
import { migrate } from '../packages/server/src/db/migrate.ts'
import { openDatabase } from '../packages/server/src/db/open-database.ts'

/** Runs the migrations on an embedded database and reads the resulting schema from its catalogs. */
export async function printSchema(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-schema-'))
  try {
    await using database = await openDatabase({
      url: null,
      dataDir,
      connectionsMax: 1,
      onLost: error => {
        throw error
      },
    })
    await migrate(database)
    const parts = [
      ...(await readTypes(database)),
      ...(await readTables(database)),
      ...(await readViews(database)),
      ...(await readFunctions(database)),
    ]
    return `-- Printed by tools/generate.ts from packages/server/migrations. Do not edit. Partitions are left out.\n\n${parts.join('\n\n')}\n`
  } finally {
    await rm(dataDir, { recursive: true })
  }
}

async function readTypes(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ text: string }>(
    `select 'create type ' || t.typname || ' as enum (' ||
       string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) || ');' as text
     from pg_type t join pg_enum e on e.enumtypid = t.oid
     where t.typnamespace = 'public'::regnamespace
     group by t.typname order by t.typname`,
  )
  return rows.map(({ text }) => text)
}

async function readTables(db: Queryable): Promise<string[]> {
  const tables = await db.query<{
    oid: number
    name: string
    partition_by: string | null
    options: string[] | null
  }>(
    `select oid, relname as name, pg_get_partkeydef(oid) as partition_by, reloptions as options
     from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
     order by relname`,
  )
  const texts: string[] = []
  for (const { oid, name, partition_by, options } of tables) {
    const body = [...(await readColumns(db, oid)), ...(await readConstraints(db, oid))]
    const partition = partition_by === null ? '' : ` partition by ${partition_by.toLowerCase()}`
    const storage = options === null ? '' : ` with (${options.toSorted().join(', ')})`
    const table = `create table ${name} (\n  ${body.join(',\n  ')}\n)${partition}${storage};`
    texts.push([table, ...(await readIndexes(db, oid))].join('\n'))
  }
  return texts
}

async function readColumns(db: Queryable, table: number): Promise<string[]> {
  const rows = await db.query<{ text: string }>(
    `select a.attname || ' ' || format_type(a.atttypid, a.atttypmod) ||
       case when a.attnotnull then ' not null' else '' end ||
       coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as text
     from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped
     order by a.attnum`,
    [table],
  )
  return rows.map(({ text }) => text)
}

/** Skips "not null" constraints, because only newer servers list them here. */
async function readConstraints(db: Queryable, table: number): Promise<string[]> {
  const rows = await db.query<{ text: string }>(
    `select 'constraint ' || conname || ' ' || pg_get_constraintdef(oid, true) as text
     from pg_constraint where conrelid = $1 and contype <> 'n'
     order by contype = 'p' desc, conname`,
    [table],
  )
  return rows.map(({ text }) => text)
}

/** Skips the indexes that belong to constraints. */
async function readIndexes(db: Queryable, table: number): Promise<string[]> {
  const rows = await db.query<{ text: string }>(
    `select pg_get_indexdef(i.indexrelid) || ';' as text
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = $1 and not exists (select from pg_constraint where conindid = i.indexrelid)
     order by c.relname`,
    [table],
  )
  return rows.map(({ text }) => text)
}

async function readViews(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ text: string }>(
    `select 'create view ' || viewname || ' as' || E'\n' || trim(definition, E'\n') as text
     from pg_views where schemaname = 'public' order by viewname`,
  )
  return rows.map(({ text }) => text)
}

async function readFunctions(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ text: string }>(
    `select trim(pg_get_functiondef(oid), E'\\n') || ';' as text
     from pg_proc where pronamespace = 'public'::regnamespace order by proname`,
  )
  return rows.map(({ text }) => text)
}
