import type { Suppression } from '@posthorn/contract'
import { useState } from 'react'
import type { Rows } from '../../api/use-rows.ts'
import { useMayChange } from '../../app/session.ts'
import type { SuppressionFilters } from '../../app/suppression-filters.ts'
import type { Filtering } from '../../app/use-filters.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { NoMatch } from '../../components/no-match.tsx'
import { RowList } from '../../components/row-list.tsx'
import { LiftDialog } from './lift-dialog.tsx'
import { useSuppressionColumns } from './suppression-columns.tsx'

export interface SuppressionListProps {
  readonly rows: Rows<Suppression>
  readonly filtering: Filtering<keyof SuppressionFilters>
}

/** Suppressions as rows; those in force can be lifted. */
export function SuppressionList({ rows, filtering: { count, change, clear } }: SuppressionListProps) {
  const mayChange = useMayChange()
  const [lifted, setLifted] = useState<Suppression | null>(null)
  const columns = useSuppressionColumns(change, mayChange ? setLifted : null)
  return (
    <>
      <RowList
        label="Suppressions"
        rows={rows}
        columns={columns}
        idOf={({ id }) => id}
        empty={
          count > 0 ? (
            <NoMatch one="suppression" filterCount={count} onClear={clear} />
          ) : (
            <EmptyState>
              No suppressed addresses. We add an address automatically when it bounces, complains or
              unsubscribes.
            </EmptyState>
          )
        }
      />
      {lifted !== null && <LiftDialog suppression={lifted} onClose={() => setLifted(null)} />}
    </>
  )
}
