/**
 * What the SQL of this project depends on. A database, a role or a server may have other defaults, for other programs. Not
 * among them is `default_transaction_read_only`, with which operators and providers close a database for writes on purpose.
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
  // what a statement sees and finds
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

/** For every statement: none works for so long that its compilation, which estimates of many partitions set off, is worth it. */
export const ordinarySettings: readonly string[] = [...pinnedSettings, 'jit=off']

/**
 * For statements whose plans are made once and used for hours: no plan may read a whole table because it was small that
 * day.
 */
export const lookupsOnlySettings: readonly string[] = [...ordinarySettings, 'enable_seqscan=off']

/**
 * For those that are all written for one plan, whatever their values (`plannedOnce`). Rows come in an index's order, so that
 * a page ends where it is full: a bitmap reads all that is there first, which looks cheap while it is little.
 */
export const plannedOnceSettings: readonly string[] = [
  ...lookupsOnlySettings,
  'enable_bitmapscan=off',
  'plan_cache_mode=force_generic_plan',
]

/** Settings as a connection's `options`: of two for the same the later one holds. */
export function startOptions(settings: readonly string[]): string {
  return settings.map(setting => `-c ${setting.replace(/[\\\s]/g, '\\$&')}`).join(' ')
}

/**
 * How a connection to `url` begins. The driver would let `options` of the URL take the place of ours; here they come first,
 * so that ours win.
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
