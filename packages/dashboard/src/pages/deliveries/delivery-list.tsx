import type { DeliveryFilters } from '../../app/delivery-filters.ts'
import { useFilters } from '../../app/use-filters.ts'
import { foundWords, useAnnouncedFind } from '../../components/found-words.ts'
import { MomentField } from '../../components/moment-field.tsx'
import { RowList } from '../../components/row-list.tsx'
import { formatCount } from '../../format/numbers.ts'
import { useDeliveryColumns } from './delivery-columns.tsx'
import { DeliveryFilterBar } from './delivery-filter-bar.tsx'
import { NoDeliveries } from './no-deliveries.tsx'
import { SequenceSearch } from './sequence-search.tsx'
import { useDeliveryRows } from './use-delivery-rows.ts'

const names = [
  'state',
  'type',
  'error',
  'email',
  'endpoint',
  'since',
  'until',
] as const satisfies (keyof DeliveryFilters)[]

/** The deliveries of one endpoint or of all, newest first and live, with the page's filters. */
export function DeliveryList({ endpointId }: { endpointId?: string }) {
  const filtering = useFilters(names)
  const { filters, recipient, count, change, clear } = filtering
  const narrowed = endpointId === undefined ? filters : { ...filters, endpoint: endpointId }
  const rows = useDeliveryRows(narrowed, recipient)
  const columns = useDeliveryColumns(change, endpointId)
  const shown = rows.pages.flat()
  const result = rows.isLoading ? null : foundWords(rows, 'delivery', 'deliveries')
  useAnnouncedFind(JSON.stringify([filters, recipient]), result)
  const sequences = shown.map(({ sequence }) => sequence)
  return (
    <>
      <DeliveryFilterBar
        filtering={filtering}
        endpointId={endpointId}
        result={result === null ? 'Looking…' : `Show ${result}`}
      >
        {endpointId !== undefined && <SequenceSearch endpointId={endpointId} />}
      </DeliveryFilterBar>
      <RowList
        label="Deliveries"
        rows={rows}
        columns={columns}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `/deliveries/${id}`}
        empty={<NoDeliveries filterCount={count} onClear={clear} endpointId={endpointId} />}
        foot={
          <>
            <MomentField label="jump to time" at={filters.until} onChange={until => change({ until })} />
            {endpointId !== undefined && sequences.length > 0 && (
              <span className="ml-auto">
                sequence #{formatCount(Math.min(...sequences))} to #{formatCount(Math.max(...sequences))}
              </span>
            )}
          </>
        }
      />
    </>
  )
}
