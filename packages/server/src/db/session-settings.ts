/** Not a setting of PostgreSQL: a connection that does not have it has lost the others too. */
export const sessionMark = 'posthorn.session'

/**
 * Settings that our SQL depends on, because a server, a database or a role may have other defaults. The list leaves out
 * `default_transaction_read_only`: operators and providers set it on purpose.
 */
const pinnedSettings: readonly string[] = [
  // how values are written and read
  'client_encoding=UTF8',
  'datestyle=ISO,MDY',
  'intervalstyle=postgres',
  'timezone=UTC',
  'bytea_output=hex',
  'extra_float_digits=1',
  'standard_conforming_strings=on',
  'array_nulls=on',
  'transform_null_equals=off',
  'quote_all_identifiers=off',
  // which rows and tables a statement sees
  'search_path=public',
  'row_security=on',
  'default_transaction_isolation=read committed',
  'default_transaction_deferrable=off',
  'gin_fuzzy_search_limit=0',
  // when the server ends a statement or a session
  'lock_timeout=0',
  'idle_session_timeout=0',
  'exit_on_error=off',
  // how statements are planned
  'plan_cache_mode=auto',
  'constraint_exclusion=partition',
  'from_collapse_limit=8',
  'join_collapse_limit=8',
  'enable_async_append=on',
  'enable_bitmapscan=on',
  'enable_gathermerge=on',
  'enable_hashagg=on',
  'enable_hashjoin=on',
  'enable_incremental_sort=on',
  'enable_indexonlyscan=on',
  'enable_indexscan=on',
  'enable_material=on',
  'enable_memoize=on',
  'enable_mergejoin=on',
  'enable_nestloop=on',
  'enable_parallel_append=on',
  'enable_parallel_hash=on',
  'enable_partition_pruning=on',
  'enable_partitionwise_aggregate=off',
  'enable_partitionwise_join=off',
  'enable_seqscan=on',
  'enable_sort=on',
  'enable_tidscan=on',
]

/** For every statement. JIT is off: estimates for many partitions would start it, but no statement runs long enough. */
export const ordinarySettings: readonly string[] = [...pinnedSettings, 'jit=off']

/**
 * For statements whose plans are kept for hours: no plan may scan a whole table because the table was small when it was
 * planned.
 */
export const lookupsOnlySettings: readonly string[] = [...ordinarySettings, 'enable_seqscan=off']

/**
 * For statements that have one plan for all values (`plannedOnce`). Bitmap scans are off because they read all rows before
 * the first page is complete, and look cheap while a table is small.
 */
export const plannedOnceSettings: readonly string[] = [
  ...lookupsOnlySettings,
  'enable_bitmapscan=off',
  'plan_cache_mode=force_generic_plan',
]

/** Settings as a connection's `options`. If a setting occurs twice, the later value wins. */
export function startOptions(settings: readonly string[]): string {
  return [`${sessionMark}=on`, ...settings]
    .map(setting => `-c ${setting.replace(/[\\\s]/g, '\\$&')}`)
    .join(' ')
}

/**
 * The configuration of a connection to `url`. The driver would replace our options with those of the URL, so this puts the
 * URL's options first and ours win.
 */
export function startAt(url: string, options = ''): { connectionString: string; options: string } {
  const [, address = url, query = ''] = /^([^?]*)\?(.*)$/s.exec(url) ?? []
  const parameters = new URLSearchParams(query)
  const own = parameters.get('options')
  if (own === null) return { connectionString: url, options }
  parameters.delete('options')
  return {
    connectionString: parameters.size === 0 ? address : `${address}?${parameters.toString()}`,
    options: `${own} ${options}`,
  }
}
