import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'

export interface RowColumn<Item> {
  readonly name: string
  /** Of the grid: `minmax(0, 1fr)`, `9rem`. */
  readonly width: string
  readonly align?: 'end'
  /** The cell that names the row: it holds the row's link. */
  readonly isName?: boolean
  /** Left out on phones. */
  readonly wideOnly?: boolean
  /** A sentence, that takes as many lines as it needs. */
  readonly wraps?: boolean
  readonly cell: (item: Item) => ReactNode
}

export interface RowProps<Item> {
  readonly item: Item
  readonly columns: readonly RowColumn<Item>[]
  readonly grid: string
  readonly href: string | undefined
}

/** One row. Its link covers it, so that a press anywhere follows and a new tab can be opened; buttons lie above it. */
export function Row<Item>({ item, columns, grid, href }: RowProps<Item>) {
  return (
    <div
      role="row"
      style={{ gridTemplateColumns: grid }}
      className="row relative grid min-h-(--row-height) items-center gap-x-3 border-b border-line px-2 py-1 hover:bg-sunken max-wide:flex max-wide:flex-wrap max-wide:gap-y-1 max-wide:py-2.5"
    >
      {columns.map(column => (
        <div
          key={column.name}
          role="cell"
          className={`min-w-0 ${column.wraps === true ? 'max-wide:basis-full' : 'truncate'} ${column.align === 'end' ? 'text-right' : ''} ${column.wideOnly === true ? 'max-wide:hidden' : ''}`}
        >
          {column.isName === true && href !== undefined ? (
            <RowLink href={href}>{column.cell(item)}</RowLink>
          ) : (
            column.cell(item)
          )}
        </div>
      ))}
    </div>
  )
}

function RowLink({ href, children }: { href: string; children: ReactNode }) {
  const router = useRouter()
  return (
    <a
      href={href}
      data-row-link
      className="text-ink no-underline after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ink"
      onClick={event => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        router.history.push(href)
      }}
    >
      {children}
    </a>
  )
}
