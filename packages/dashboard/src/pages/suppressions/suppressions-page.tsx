import { Plus, Upload } from 'lucide-react'
import { useState } from 'react'
import { useLive } from '../../api/use-live.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { useMayChange } from '../../app/session.ts'
import type { SuppressionFilters } from '../../app/suppression-filters.ts'
import { useAsked } from '../../app/use-asked.ts'
import { useFilters } from '../../app/use-filters.ts'
import { Button } from '../../components/button.tsx'
import { foundWords, useAnnouncedFind } from '../../components/found-words.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { inForceWords } from '../../words/suppression-words.ts'
import { AddSuppressionDialog } from './add-suppression-dialog.tsx'
import { AddressVerdict } from './address-verdict.tsx'
import { ExportButton } from './export-button.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { ReasonChips } from './reason-chips.tsx'
import { SuppressionFilterBar } from './suppression-filter-bar.tsx'
import { SuppressionList } from './suppression-list.tsx'
import type { Suppression } from '@posthorn/contract'
import { type Rows, useRows } from '../../api/use-rows.ts'

const names = ['state', 'reason'] as const satisfies (keyof SuppressionFilters)[]

/** The suppressed addresses and the reasons. */
export function SuppressionsPage() {
  usePageTitle('Suppressions')
  const mayChange = useMayChange()
  const [opened, setOpened] = useState<'add' | 'import' | null>(null)
  useAsked(asked => mayChange && (asked === 'add' || asked === 'import') && setOpened(asked))
  const filtering = useFilters(names)
  const { filters, recipient, change } = filtering
  const rows = useSuppressionRows(filters, recipient)
  const found = rows.isLoading ? null : foundWords(rows, 'suppression', 'suppressions')
  useAnnouncedFind(JSON.stringify([filters, recipient]), found)
  const { data: counts = null } = useLive({
    key: ['suppressions', 'counts'],
    load: async (call, signal) => await call('countSuppressions', { signal }),
    everyMs: 15_000,
  })
  const actions = (
    <>
      {mayChange && (
        <Button icon={<Upload size={16} aria-hidden />} onClick={() => setOpened('import')}>
          Import
        </Button>
      )}
      <ExportButton />
      {mayChange && (
        <Button kind="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setOpened('add')}>
          Add suppression
        </Button>
      )}
    </>
  )
  return (
    <>
      <PageHeader
        title="Suppressions"
        subtitle={
          <p className="mt-1 text-ink-2">
            {counts !== null && <strong className="font-medium text-ink">{inForceWords(counts)}. </strong>}
            These addresses get no mail, or no mail of some lists.
          </p>
        }
        actions={actions}
      />
      <SuppressionFilterBar filtering={filtering} result={found === null ? 'Looking…' : `Show ${found}`} />
      <ReasonChips
        chosen={filters.reason}
        counts={filters.state === undefined ? counts : null}
        onChange={reason => change({ reason })}
      />
      {recipient !== null && <AddressVerdict address={recipient} />}
      <SuppressionList rows={rows} filtering={filtering} />
      {opened === 'add' && (
        <AddSuppressionDialog
          address={recipient ?? ''}
          onAdded={address => change({ recipient: address, state: null, reason: null })}
          onClose={() => setOpened(null)}
        />
      )}
      {opened === 'import' && <ImportDialog onClose={() => setOpened(null)} />}
    </>
  )
}

/** Suppressions that match these filters, newest first and live; by default those in force. */
function useSuppressionRows(
  { state, reason }: SuppressionFilters,
  address: string | null,
): Rows<Suppression> {
  const query = { state, reason, address: address ?? undefined }
  return useRows({
    key: ['suppressions', 'list', query],
    load: async (call, page, signal) =>
      await call('listSuppressions', { query: { ...query, ...page }, signal }),
    idOf,
    everyMs: 15_000,
  })
}

function idOf({ id }: Suppression): string {
  return id
}
