import type { ReactNode } from 'react'
import { countOf } from '../format/numbers.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

export interface NoMatchProps {
  /** The noun for a row: `delivery`. */
  readonly one: string
  readonly filterCount: number
  readonly onClear: () => void
  /** Where else to look. */
  readonly children?: ReactNode
}

/** Says that the filters match nothing, and clears them. */
export function NoMatch({ one, filterCount, onClear, children }: NoMatchProps) {
  return (
    <EmptyState action={<Button onClick={onClear}>Clear</Button>}>
      No {one} matches. {countOf(filterCount, 'filter is', 'filters are')} on. {children}
    </EmptyState>
  )
}
