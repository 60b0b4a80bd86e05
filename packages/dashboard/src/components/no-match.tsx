import { countOf } from '../format/numbers.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

export interface NoMatchProps {
  /** The noun for a row: `delivery`. */
  readonly one: string
  readonly filterCount: number
  readonly onClear: () => void
}

/** Says that the filters match nothing, and clears them. */
export function NoMatch({ one, filterCount, onClear }: NoMatchProps) {
  return (
    <EmptyState action={<Button onClick={onClear}>Clear</Button>}>
      No {one} matches. {countOf(filterCount, 'filter is', 'filters are')} on.
    </EmptyState>
  )
}
