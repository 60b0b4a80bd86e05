import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useEventTypes } from './use-event-types.ts'
import { EventTypeRow } from './event-type-row.tsx'

/** The event types that we send. */
export function EventTypesPage() {
  usePageTitle('Event types')
  const types = useEventTypes()
  return (
    <>
      <PageHeader title="Event types" />
      <p className="mb-4 text-ink-2">
        The possible outcomes of an email. An endpoint gets all types, or only those you choose. We may add
        types, so let your server ignore types that it does not know.
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
