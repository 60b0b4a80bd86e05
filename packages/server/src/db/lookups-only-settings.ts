/**
 * For the statements of the hot path, whose plans are made once and used for hours: no plan may read a whole table
 * because it was small that day. The penalty that does this would set off compilation, which costs more than they do;
 * and where one row is looked up at a time, a bitmap of one costs as much as the look-up.
 */
export const lookupsOnlySettings: readonly string[] = [
  'enable_seqscan=off',
  'enable_bitmapscan=off',
  'jit=off',
]
