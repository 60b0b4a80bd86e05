import type { SealedValue } from '../master-keys/refuse-wrong-master-keys.ts'
import { sealedColumns } from '../master-keys/sealed-columns.ts'

/** The encrypted values in an export. It skips invalid lines, because the import reports them. */
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
