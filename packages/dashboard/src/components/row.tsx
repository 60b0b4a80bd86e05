import { memo, type ReactNode, useState } from 'react'
import { classNames } from './class-names.ts'
import { RowLink } from './row-link.tsx'

export interface RowColumn<Item> {
  readonly name: string
  /** The width in the grid: `minmax(0, 1fr)`, `9rem`. */
  readonly width: string
  readonly align?: 'end'
  /** The cell that names the row and contains its link. */
  readonly isName?: boolean
  /** On phones, where the table has no head, its name stands before the value. */
  readonly isLabelled?: boolean
  /** Hidden on phones. */
  readonly wideOnly?: boolean
  /** A sentence that may take several lines. */
  readonly wraps?: boolean
  /**
   * Its place on narrow screens, in lines of three cells with a wide middle: `max-roomy:col-start-1
   * max-roomy:row-start-2`.
   */
  readonly narrow?: string
  readonly cell: (item: Item) => ReactNode
  /** A button beside the cell's content, outside the row's link; it appears on hover or focus. */
  readonly aside?: (item: Item) => ReactNode
}

export interface RowProps<Item> {
  readonly item: Item
  readonly columns: readonly RowColumn<Item>[]
  readonly grid: string
  readonly href: string | undefined
}

/**
 * One row, covered by its link so that any click follows it; buttons lie above the link. It renders again only if
 * its item or the columns change, because a list can have thousands of rows and refreshes every 5 s. Buttons are
 * expensive to render, so they wait for hover or focus.
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
          {column.isLabelled === true && <PhoneLabel name={column.name} />}
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

/** Phones hide the table's head. Screen readers read it there too. */
function PhoneLabel({ name }: { name: string }) {
  return (
    <span aria-hidden className="mr-0.5 text-label text-ink-3 wide:hidden">
      {name}{' '}
    </span>
  )
}

/** Over the end of a long text. The name's cell must not be positioned, or its link would not cover the row. */
const asideLook =
  'pointer-events-none absolute inset-y-0 right-0 flex items-center group-hover/row:bg-sunken group-focus-within/row:bg-sunken *:pointer-events-auto'

/** As wide as the button that will appear, so that nothing moves. */
const besideName = 'size-6 shrink-0 max-roomy:hidden'

const narrowLook = 'max-roomy:grid-cols-[auto_minmax(0,1fr)_auto]! max-roomy:gap-y-1 max-roomy:py-2.5'

/** Whether the columns define their place on narrow screens. */
export function havePlaces<Item>(columns: readonly RowColumn<Item>[]): boolean {
  return columns.some(({ narrow }) => narrow !== undefined)
}

function cellLook<Item>({ wraps, aside, isName, align, wideOnly, narrow }: RowColumn<Item>): string {
  const hasAside = aside !== undefined
  return classNames(
    'min-w-0',
    wraps === true ? 'max-wide:basis-full' : hasAside && isName === true ? 'flex items-center' : 'truncate',
    // it lies over the row's link and lets clicks through
    hasAside && isName !== true && 'pointer-events-none relative',
    align === 'end' && 'text-right',
    wideOnly === true && 'max-wide:hidden',
    narrow,
  )
}
