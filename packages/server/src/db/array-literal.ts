// The driver's own conversion of array parameters checks and escapes each element, which can cost more than the statement.

/** An array in PostgreSQL's text form. No element may contain a comma, brace, quote, backslash or space, or be `NULL`. */
export function plainArray(values: ReadonlyArray<string | number | bigint | boolean>): string {
  return `{${values.join(',')}}`
}

/** The same for any text, but slower. */
export function quotedArray(values: readonly string[]): string {
  return plainArray(values.map(value => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`))
}

/** One `plainArray` for each of these columns. */
export function plainColumns<Column extends string>(
  rows: ReadonlyArray<Readonly<Record<Column, string | number | bigint | boolean>>>,
  ...columns: readonly Column[]
): string[] {
  return columns.map(column => plainArray(rows.map(row => row[column])))
}

/** Reads the text form of such an array. Null is an empty array. */
export function elements(text: string | null): string[] {
  return text === null || text.length < 3 ? [] : text.slice(1, -1).split(',')
}

/** Like `elements`, for numbers. */
export function numbers(text: string | null): number[] {
  return text === null ? [] : (JSON.parse(`[${text.slice(1, -1)}]`) as number[])
}

/** Like `plainArray`; elements may be null. */
export function nullableArray(values: ReadonlyArray<string | number | null>): string {
  return plainArray(values.map(value => value ?? 'NULL'))
}
