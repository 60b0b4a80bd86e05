import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useEventTypes } from './use-event-types.ts'
import { EventTypeRow } from './event-type-row.tsx'

/** What can happen to an email, and what is sent about it. */
export function EventTypesPage() {
  usePageTitle('Event types')
  const types = useEventTypes()
  return (
    <>
      <PageHeader title="Event types" />
      <p className="mb-4 text-ink-2">
        What can become of an email. An endpoint gets all of them, or those you choose; new types may come, so
        let your server pass over what it does not know.
      </p>
      {types.error !== null && <Problem error={types.error} onRetry={() => void types.refetch()} />}
      {types.isPending && <Skeleton lines={4} linePx={56} />}
      {types.data !== undefined && (
        <ul aria-label="Event types" className="border-t border-line">
          {types.data.map(info => (
            <EventTypeRow key={info.type} info={info} />
          ))}
        </ul>
      )}
    </>
  )
}
