import { openDatabase } from '../../src/db/open-database.ts'

/** Defaults that an administrator may have set for other programs. All differ from PostgreSQL's own. */
export const otherDefaults: Readonly<Record<string, string>> = {
  datestyle: 'SQL, DMY',
  intervalstyle: 'iso_8601',
  timezone: 'Australia/Lord_Howe',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  transform_null_equals: 'on',
  quote_all_identifiers: 'on',
  client_encoding: 'LATIN1',
  search_path: 'elsewhere',
  row_security: 'off',
  default_transaction_isolation: 'repeatable read',
  default_transaction_deferrable: 'on',
  gin_fuzzy_search_limit: '1',
  lock_timeout: '1ms',
  statement_timeout: '20ms',
  idle_session_timeout: '20ms',
  idle_in_transaction_session_timeout: '1ms',
  exit_on_error: 'on',
  plan_cache_mode: 'force_custom_plan',
  constraint_exclusion: 'on',
  from_collapse_limit: '1',
  join_collapse_limit: '1',
  jit: 'on',
  enable_async_append: 'off',
  enable_bitmapscan: 'off',
  enable_gathermerge: 'off',
  enable_hashagg: 'off',
  enable_hashjoin: 'off',
  enable_incremental_sort: 'off',
  enable_indexonlyscan: 'off',
  enable_indexscan: 'off',
  enable_material: 'off',
  enable_memoize: 'off',
  enable_mergejoin: 'off',
  enable_nestloop: 'off',
  enable_parallel_append: 'off',
  enable_parallel_hash: 'off',
  enable_partition_pruning: 'off',
  enable_partitionwise_aggregate: 'on',
  enable_partitionwise_join: 'on',
  enable_seqscan: 'off',
  enable_sort: 'off',
  enable_tidscan: 'off',
}

/** Sets them for this database, or for the role in it if the role's setting takes precedence. Later sessions have them. */
export async function setOtherDefaults(url: string): Promise<void> {
  await using db = await openDatabase({ url, dataDir: '', connectionsMax: 1, onLost: () => {} })
  const [here] = await db.query<{ database: string; role: string }>(
    'select current_database() as database, current_user as role',
  )
  for (const [name, value] of Object.entries(otherDefaults)) {
    await db.query(`alter database "${here?.database}" set ${name} to '${value}'`)
    await db.query(`alter role "${here?.role}" in database "${here?.database}" set ${name} to '${value}'`)
  }
}
