import type { Event } from '@posthorn/contract'
import { useRows } from '../../api/use-rows.ts'
import type { EventFilters } from '../../app/event-filters.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { useFilters } from '../../app/use-filters.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { MomentField } from '../../components/moment-field.tsx'
import { NoMatch } from '../../components/no-match.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RowList } from '../../components/row-list.tsx'
import { foundWords, useAnnouncedFind } from '../../components/found-words.ts'
import { useEventColumns } from './event-columns.tsx'
import { EventFilterBar } from './event-filter-bar.tsx'

const names = ['type', 'reason', 'email', 'since', 'until'] as const satisfies (keyof EventFilters)[]

/** Every event, newest first and live. */
export function EventsPage() {
  usePageTitle('Events')
  const filtering = useFilters(names)
  const { filters, recipient, count, change, clear } = filtering
  const { type, reason, email, since, until } = filters
  const query = { type, reason, since, until, email_id: email, recipient: recipient ?? undefined }
  const rows = useRows<Event>({
    key: ['events', 'list', query],
    load: async (call, page, signal) => await call('listEvents', { query: { ...query, ...page }, signal }),
    idOf,
  })
  const found = rows.isLoading ? null : foundWords(rows, 'event', 'events')
  useAnnouncedFind(JSON.stringify([filters, recipient]), found)
  const columns = useEventColumns(change)
  return (
    <>
      <PageHeader title="Events" />
      <EventFilterBar filtering={filtering} result={found === null ? 'Looking…' : `Show ${found}`} />
      <RowList
        label="Events"
        rows={rows}
        columns={columns}
        idOf={idOf}
        hrefOf={({ id }) => `/events/${id}`}
        empty={<NoEvents count={count} onClear={clear} />}
        foot={<MomentField label="jump to time" at={until} onChange={at => change({ until: at })} />}
      />
    </>
  )
}

function idOf({ id }: Event): string {
  return id
}

function NoEvents({ count, onClear }: { count: number; onClear: () => void }) {
  if (count > 0) return <NoMatch one="event" filterCount={count} onClear={onClear} />
  return <EmptyState>No events yet. An event appears here as soon as an outcome is reported.</EmptyState>
}
