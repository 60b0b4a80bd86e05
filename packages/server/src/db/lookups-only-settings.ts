/**
 * For the statements of the hot path, whose plans are made once and used for hours: no plan may read a whole table
 * because it was small that day. The penalty that does this would set off compilation, which costs more than they do.
 */
export const lookupsOnlySettings: readonly string[] = ['enable_seqscan=off', 'jit=off']
