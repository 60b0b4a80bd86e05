import type { SealedValue } from '../master-keys/refuse-wrong-master-keys.ts'
import { sealedColumns } from '../master-keys/sealed-columns.ts'

/** Every sealed value in the lines of an export. What is no line of one has none; the import says what is wrong with it. */
export function sealedInExport(lines: readonly string[]): SealedValue[] {
  return lines.flatMap(line => {
    const { table, row } = parse(line)
    return sealedColumns.flatMap(column => {
      const sealed = column.table === table ? row?.[column.column] : undefined
      if (typeof sealed !== 'string' || !sealed.startsWith('\\x')) return []
      return [
        {
          column,
          key: column.key.map(name => String(row?.[name])),
          sealed: Buffer.from(sealed.slice(2), 'hex'),
        },
      ]
    })
  })
}

function parse(line: string): { table?: unknown; row?: Record<string, unknown> | null } {
  try {
    const parsed: unknown = JSON.parse(line)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}
