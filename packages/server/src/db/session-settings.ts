/** For every statement: none works for so long that its compilation, which estimates of many partitions set off, is worth it. */
export const ordinarySettings: readonly string[] = ['jit=off']

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
