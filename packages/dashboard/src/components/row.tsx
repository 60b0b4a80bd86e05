import { memo, type ReactNode, useState } from 'react'
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
  /**
   * Where it stands while there is no room for all columns, in two lines of three whose middle is wide:
   * `max-roomy:col-start-1 max-roomy:row-start-2`.
   */
  readonly narrow?: string
  readonly cell: (item: Item) => ReactNode
  /** A button beside the cell's content, on its own and not part of the row's link; there once somebody comes to the row. */
  readonly aside?: (item: Item) => ReactNode
}

export interface RowProps<Item> {
  readonly item: Item
  readonly columns: readonly RowColumn<Item>[]
  readonly grid: string
  readonly href: string | undefined
}

/**
 * One row. Its link covers it, so that a press anywhere follows and a new tab can be opened; buttons lie above it. Drawn
 * again only when its item or the columns are others: a list grows to thousands of rows and looks for news every 5 s.
 * The buttons are more to draw than all the rest, and most rows are only read: they wait until somebody comes.
 */
export const Row = memo(RowLook) as typeof RowLook

function RowLook<Item>({ item, columns, grid, href }: RowProps<Item>) {
  const [isMet, setMet] = useState(false)
  const meet = () => setMet(true)
  const hasPlaces = havePlaces(columns)
  return (
    <div
      role="row"
      onPointerEnter={meet}
      onFocus={meet}
      style={{ gridTemplateColumns: grid }}
      className={classNames(
        'row group/row relative grid min-h-(--row-height) items-center gap-x-3 border-b border-line px-2 py-1 hover:bg-sunken has-data-opened:bg-selected',
        hasPlaces ? narrowLook : 'max-wide:flex max-wide:flex-wrap max-wide:gap-y-1 max-wide:py-2.5',
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
            <div className={column.isName === true ? besideName : asideLook}>
              {isMet && column.aside(item)}
            </div>
          )}
        </div>
      ))}
    </div>
  )
}

/** Over the end of a long text; but the name's cell may not be positioned, or its link would not cover the row. */
const asideLook =
  'pointer-events-none absolute inset-y-0 right-0 flex items-center group-hover/row:bg-sunken group-focus-within/row:bg-sunken *:pointer-events-auto'

/** As wide as the button that will be there, so that nothing moves. */
const besideName = 'size-6 shrink-0 max-roomy:hidden'

const narrowLook = 'max-roomy:grid-cols-[auto_minmax(0,1fr)_auto]! max-roomy:gap-y-1 max-roomy:py-2.5'

/** Whether the columns say where they stand when there is no room for all of them. */
export function havePlaces<Item>(columns: readonly RowColumn<Item>[]): boolean {
  return columns.some(({ narrow }) => narrow !== undefined)
}

function cellLook<Item>({ wraps, aside, isName, align, wideOnly, narrow }: RowColumn<Item>): string {
  const hasAside = aside !== undefined
  return classNames(
    'min-w-0',
    wraps === true ? 'max-wide:basis-full' : hasAside && isName === true ? 'flex items-center' : 'truncate',
    // it lies over the row's link, and lets a press through to it
    hasAside && isName !== true && 'pointer-events-none relative',
    align === 'end' && 'text-right',
    wideOnly === true && 'max-wide:hidden',
    narrow,
  )
}
