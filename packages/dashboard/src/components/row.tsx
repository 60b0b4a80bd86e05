import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { RowLink } from './row-link.tsx'

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
  /** Where it stands on phones, in a grid of three columns whose middle one is wide: `col-start-1 row-start-2`. */
  readonly phone?: string
  readonly cell: (item: Item) => ReactNode
  /** A button beside the cell's content, on its own and not part of the row's link. */
  readonly aside?: (item: Item) => ReactNode
}

export interface RowProps<Item> {
  readonly item: Item
  readonly columns: readonly RowColumn<Item>[]
  readonly grid: string
  readonly href: string | undefined
}

/** One row. Its link covers it, so that a press anywhere follows and a new tab can be opened; buttons lie above it. */
export function Row<Item>({ item, columns, grid, href }: RowProps<Item>) {
  const hasPlaces = columns.some(({ phone }) => phone !== undefined)
  return (
    <div
      role="row"
      style={{ gridTemplateColumns: grid }}
      className={classNames(
        'row group/row relative grid min-h-(--row-height) items-center gap-x-3 border-b border-line px-2 py-1 hover:bg-sunken has-data-opened:bg-selected max-wide:gap-y-1 max-wide:py-2.5',
        hasPlaces ? 'max-wide:grid-cols-[auto_minmax(0,1fr)_auto]!' : 'max-wide:flex max-wide:flex-wrap',
      )}
    >
      {columns.map(column => (
        <div key={column.name} role="cell" className={cellLook(column)}>
          {column.isName === true && href !== undefined ? (
            <RowLink href={href}>{column.cell(item)}</RowLink>
          ) : (
            column.cell(item)
          )}
          {column.aside !== undefined && (
            <div className={column.isName === true ? '' : asideLook}>{column.aside(item)}</div>
          )}
        </div>
      ))}
    </div>
  )
}

/** Over the end of a long text; but the name's cell may not be positioned, or its link would not cover the row. */
const asideLook =
  'pointer-events-none absolute inset-y-0 right-0 flex items-center group-hover/row:bg-sunken group-focus-within/row:bg-sunken *:pointer-events-auto'

function cellLook<Item>({ wraps, aside, isName, align, wideOnly, phone }: RowColumn<Item>): string {
  const hasAside = aside !== undefined
  return classNames(
    'min-w-0',
    wraps === true ? 'max-wide:basis-full' : hasAside && isName === true ? 'flex items-center' : 'truncate',
    hasAside && isName !== true && 'relative',
    align === 'end' && 'text-right',
    wideOnly === true && 'max-wide:hidden',
    phone,
  )
}
