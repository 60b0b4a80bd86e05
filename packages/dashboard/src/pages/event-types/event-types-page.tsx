import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useEventTypes } from './use-event-types.ts'
import type { EventTypeInfo } from '@posthorn/contract'
import { ChevronRight } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { useWebhooks } from '../../api/use-webhooks.ts'
import { countOf } from '../../format/numbers.ts'

/** The event types that we send. */
export function EventTypesPage() {
  usePageTitle('Event types')
  const types = useEventTypes()
  return (
    <>
      <PageHeader title="Event types" />
      <p className="mb-4 text-ink-2">
        What can happen to an email. An endpoint gets the outcomes, or only the types you choose. It gets
        opt-in types only if you choose them. We may add types, so let your server ignore types that it does
        not know.
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

/** One type: its name, its meaning, and how many endpoints subscribe to it. The whole row is a link. */
function EventTypeRow({ info: { type, description, opt_in: isOptIn } }: { info: EventTypeInfo }) {
  const wanted = useWebhooks().data?.filter(webhook => webhook.events.includes(type)).length
  return (
    <li className="relative flex min-h-14 flex-wrap items-center gap-x-4 gap-y-0.5 border-b border-line px-2 py-2 hover:bg-sunken">
      <Link
        to="/event-types/$type"
        params={{ type }}
        className="w-44 shrink-0 font-mono text-code font-medium text-ink no-underline after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ink"
      >
        {type}
      </Link>
      <span className="min-w-0 flex-1 basis-72">
        {description}
        {isOptIn && ' Opt-in.'}
      </span>
      <span className="text-ink-2">
        {wanted === undefined
          ? '—'
          : wanted === 0
            ? 'no endpoint subscribes'
            : `${countOf(wanted, 'endpoint subscribes', 'endpoints subscribe')}`}
      </span>
      <ChevronRight size={16} aria-hidden className="text-ink-3 max-wide:hidden" />
    </li>
  )
}
