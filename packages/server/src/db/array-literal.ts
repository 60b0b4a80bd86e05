/**
 * Array parameters as PostgreSQL's text form, built in one pass: the driver's own conversion looks at every element's
 * type and escapes what needs no escaping, which costs more than the statement it is for.
 */

/** Elements that hold no comma, brace, quote, backslash, space or NULL: ids, numbers, enumerations, hex. */
export function plainArray(values: ReadonlyArray<string | number | bigint | boolean>): string {
  return `{${values.join(',')}}`
}

/** One `plainArray` for each of these columns. */
export function plainColumns<Column extends string>(
  rows: ReadonlyArray<Readonly<Record<Column, string | number | bigint | boolean>>>,
  ...columns: readonly Column[]
): string[] {
  return columns.map(column => plainArray(rows.map(row => row[column])))
}

/** What `plainArray` has put together, and PostgreSQL when it casts such an array to text; none for null. */
export function elements(text: string | null): string[] {
  return text === null || text.length < 3 ? [] : text.slice(1, -1).split(',')
}

/** The same of numbers. */
export function numbers(text: string | null): number[] {
  return text === null ? [] : (JSON.parse(`[${text.slice(1, -1)}]`) as number[])
}

/** Like `plainArray`, with null for what is missing. */
export function nullableArray(values: ReadonlyArray<string | number | null>): string {
  return plainArray(values.map(value => value ?? 'NULL'))
}
