import type { CSSProperties, Ref } from 'react'
import { havePlaces, Row, type RowColumn } from './row.tsx'

export interface RowTableProps<Item> {
  /** The table's accessible name. */
  readonly label: string
  readonly columns: readonly RowColumn<Item>[]
  readonly pages: readonly (readonly Item[])[]
  readonly idOf: (item: Item) => string
  /** Where a row leads; the whole row is a real link. */
  readonly hrefOf?: ((item: Item) => string) | undefined
  readonly ref?: Ref<HTMLDivElement>
}

/** Rows as a grid with table roles. Pages are row groups, which the browser need not paint while out of sight. */
export function RowTable<Item>({ label, columns, pages, idOf, hrefOf, ref }: RowTableProps<Item>) {
  const grid = columns.map(column => column.width).join(' ')
  return (
    <div ref={ref} role="table" aria-label={label} className="text-body">
      <div
        role="row"
        style={{ gridTemplateColumns: grid }}
        className={`grid gap-x-3 border-b border-line px-2 py-1.5 text-label text-ink-3 ${havePlaces(columns) ? 'max-roomy:sr-only' : 'max-wide:sr-only'}`}
      >
        {columns.map(column => (
          <div key={column.name} role="columnheader" className={column.align === 'end' ? 'text-right' : ''}>
            {column.name}
          </div>
        ))}
      </div>
      {pages.map((page, number) => (
        <div
          key={number}
          role="rowgroup"
          className="row-page"
          style={{ '--rows': page.length } as CSSProperties}
        >
          {page.map(item => (
            <Row key={idOf(item)} item={item} columns={columns} grid={grid} href={hrefOf?.(item)} />
          ))}
        </div>
      ))}
    </div>
  )
}
