import pg from 'pg'

/** The driver's own parsers, except that 64-bit integers become numbers. */
export const columnParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 && format !== 'binary'
      ? parseInt8
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}

/** Counts and sequences stay far below 2^53. Search keys do not, but no statement returns them. */
function parseInt8(text: string): number {
  return Number(text)
}
