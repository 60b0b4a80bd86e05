import { type ReactNode, useRef } from 'react'
import type { Rows } from '../api/use-rows.ts'
import { useShortcuts } from '../app/shortcuts.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { Problem } from './problem.tsx'
import { RowTable } from './row-table.tsx'
import type { RowColumn } from './row.tsx'
import { Skeleton } from './skeleton.tsx'
import { Verdict } from './verdict.tsx'

export interface RowListProps<Item> {
  /** The list's accessible name. */
  readonly label: string
  readonly rows: Rows<Item>
  readonly columns: readonly RowColumn<Item>[]
  readonly idOf: (item: Item) => string
  /** Where a row leads; the whole row is a real link. */
  readonly hrefOf?: (item: Item) => string
  readonly empty: ReactNode
  /** Shown at the end of the list, such as `jump to time`. */
  readonly foot?: ReactNode
}

/** A list that offers new rows above and loads older ones below. `j` and `k` move from row to row. */
export function RowList<Item>({ label, rows, columns, idOf, hrefOf, empty, foot }: RowListProps<Item>) {
  const table = useRef<HTMLDivElement>(null)
  useShortcuts({ j: () => moveFocus(table.current, 1), k: () => moveFocus(table.current, -1) })
  const { pages, isLoading, error, readAtMs, newCount, showNew, hasOlder, isLoadingOlder, loadOlder, retry } =
    rows
  const shown = pages.reduce((sum, page) => sum + page.length, 0)
  const older = (label: string): ReactNode => (
    <Button busy={isLoadingOlder} onClick={loadOlder}>
      {label}
    </Button>
  )
  const furtherBack = <EmptyState action={older('Look further back')}>Nothing found so far.</EmptyState>
  return (
    <div className="space-y-2">
      {error !== null && <Problem error={error} onRetry={retry} readAtMs={shown > 0 ? readAtMs : 0} />}
      <MissingShards shards={rows.missingShards} />
      {newCount > 0 && (
        <Button kind="quiet" onClick={showNew} className="w-full border-line bg-selected">
          {newCount >= 50 ? '50 or more' : newCount} new · show
        </Button>
      )}
      {isLoading && error === null && <Skeleton lines={8} />}
      {!isLoading && shown === 0 && error === null && newCount === 0 && (hasOlder ? furtherBack : empty)}
      {shown > 0 && (
        <RowTable ref={table} label={label} columns={columns} pages={pages} idOf={idOf} hrefOf={hrefOf} />
      )}
      {shown > 0 && (
        <div className="flex flex-wrap items-center gap-3 py-2 text-ink-3">
          <span>{shown} shown</span>
          {hasOlder && older('Load older')}
          {foot}
        </div>
      )}
    </div>
  )
}

function moveFocus(table: HTMLElement | null, step: 1 | -1): void {
  const links = [...(table?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])]
  const at = links.indexOf(document.activeElement as HTMLElement)
  links[at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + step))]?.focus()
}

/** Says that a list lacks the items of shards that are down; nothing if it is complete. */
function MissingShards({ shards }: { shards: readonly number[] }) {
  if (shards.length === 0) return null
  const which = shards.length === 1 ? `shard ${shards[0]} does` : `shards ${shards.join(', ')} do`
  return <Verdict tone="failed" headline={`This list is incomplete, because ${which} not answer.`} />
}
