import { printable } from './print.ts'

/**
 * Aligns rows in columns. A line break in a cell does not start a new line.
 * @example
 * table([['ID', 'NAME'], ['key_1', 'first']])
 */
export function table(given: readonly (readonly string[])[]): string {
  const rows = given.map(row => row.map(printable))
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length)
  }
  return rows
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
