import pg from 'pg'

/** How columns become JavaScript values: the driver's own ways, and 64-bit integers as numbers. */
export const columnParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 && format !== 'binary'
      ? parseInt8
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}

/** Counts and sequences stay far below 2^53; what does not (search keys) is never read back. */
function parseInt8(text: string): number {
  return Number(text)
}
