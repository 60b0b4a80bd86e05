import { Plus } from 'lucide-react'
import { useState } from 'react'
import { usePageTitle } from '../../app/page-title.ts'
import { useMayChange } from '../../app/session.ts'
import type { SuppressionFilters } from '../../app/suppression-filters.ts'
import { useFilters } from '../../app/use-filters.ts'
import { Button } from '../../components/button.tsx'
import { foundWords, useAnnouncedFind } from '../../components/found-words.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { AddSuppressionDialog } from './add-suppression-dialog.tsx'
import { AddressVerdict } from './address-verdict.tsx'
import { SuppressionFilterBar } from './suppression-filter-bar.tsx'
import { SuppressionList } from './suppression-list.tsx'
import { useSuppressionRows } from './use-suppression-rows.ts'

const names = ['state', 'reason'] as const satisfies (keyof SuppressionFilters)[]

/** The suppressed addresses and the reasons. */
export function SuppressionsPage() {
  usePageTitle('Suppressions')
  const mayChange = useMayChange()
  const [isAdding, setIsAdding] = useState(false)
  const filtering = useFilters(names)
  const { filters, recipient, change } = filtering
  const rows = useSuppressionRows(filters, recipient)
  const found = rows.isLoading ? null : foundWords(rows, 'suppression', 'suppressions')
  useAnnouncedFind(JSON.stringify([filters, recipient]), found)
  const add = mayChange && (
    <Button kind="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
      Add suppression
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Suppressions"
        aside="Addresses to which we do not send all or some mail."
        actions={add}
      />
      <SuppressionFilterBar filtering={filtering} result={found === null ? 'Looking…' : `Show ${found}`} />
      {recipient !== null && <AddressVerdict address={recipient} />}
      <SuppressionList rows={rows} filtering={filtering} />
      {isAdding && (
        <AddSuppressionDialog
          address={recipient ?? ''}
          onAdded={address => change({ recipient: address, state: null, reason: null })}
          onClose={() => setIsAdding(false)}
        />
      )}
    </>
  )
}
