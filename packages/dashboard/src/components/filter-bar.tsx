import { SlidersHorizontal, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'
import { FilterSheetProvider } from './filter-sheet.ts'

export interface FilterChip {
  readonly name: string
  readonly label: ReactNode
  readonly onRemove: () => void
}

export interface FilterBarProps {
  /** Segments, menus and fields that apply at once. */
  readonly children: ReactNode
  readonly chips: readonly FilterChip[]
  /** How many filters are on; some have no chip. */
  readonly count: number
  readonly onClear: () => void
  /** The result, for the button of a phone's filter sheet: `Show 50 deliveries`. */
  readonly result: string
}

/** Filters of a list that apply at once. Active filters are chips; on phones all filters open as a sheet. */
export function FilterBar({ children, chips, count, onClear, result }: FilterBarProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="mb-3 space-y-2">
      <div className="flex flex-wrap items-center gap-2 max-wide:hidden">{children}</div>
      <div className="flex flex-wrap items-center gap-2">
        <div className="wide:hidden">
          <Button icon={<SlidersHorizontal size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
            {count === 0 ? 'Filters' : `Filters (${count})`}
          </Button>
        </div>
        {chips.map(({ name, label, onRemove }) => (
          <button
            key={name}
            type="button"
            onClick={onRemove}
            className="inline-flex min-h-7 max-w-full items-center gap-1 rounded-small border border-control bg-selected px-2 text-ink hover:bg-sunken pointer-coarse:min-h-11"
          >
            <span className="sr-only">Remove filter </span>
            <span className="min-w-0 truncate">{label}</span>
            <X size={14} aria-hidden className="shrink-0" />
          </button>
        ))}
        {count > 0 && (
          <>
            <Button kind="quiet" onClick={onClear}>
              Clear
            </Button>
            <CopyButton kind="quiet" text={location.href} what="link to this list" label="Copy link" />
          </>
        )}
      </div>
      {isOpen && (
        <Dialog
          title="Filters"
          onClose={() => setIsOpen(false)}
          actions={
            <>
              <Button onClick={onClear} disabled={count === 0}>
                Clear
              </Button>
              <Button kind="primary" onClick={() => setIsOpen(false)}>
                {result}
              </Button>
            </>
          }
        >
          <FilterSheetProvider value={true}>
            <div className="space-y-4">{children}</div>
          </FilterSheetProvider>
        </Dialog>
      )}
    </div>
  )
}
