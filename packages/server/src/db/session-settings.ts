/** For every statement: none works for so long that its compilation, which estimates of many partitions set off, is worth it. */
export const ordinarySettings: readonly string[] = ['jit=off']

/**
 * For the statements of the hot path, whose plans are made once and used for hours: no plan may read a whole table
 * because it was small that day.
 */
export const lookupsOnlySettings: readonly string[] = [...ordinarySettings, 'enable_seqscan=off']
