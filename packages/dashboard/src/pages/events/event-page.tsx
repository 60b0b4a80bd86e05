import { getRouteApi } from '@tanstack/react-router'
import { useLive } from '../../api/use-live.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { eventVerdict } from '../../words/event-verdict.ts'
import { EventView } from './event-view.tsx'

const route = getRouteApi('/signed-in/events/$id')

/** One event: what happened to the email, who received the webhook, and its exact body. */
export function EventPage() {
  const { id } = route.useParams()
  const {
    data: event,
    error,
    refetch,
    dataUpdatedAt,
  } = useLive({
    key: ['events', id],
    load: async (call, signal) => await call('getEvent', { params: { id }, signal }),
    everyMs: latest => (latest?.deliveries?.every(({ state }) => isFinal[state]) === true ? 15_000 : 5_000),
  })
  const tone = event === undefined ? 'neutral' : eventVerdict(event).tone
  usePageTitle(
    event === undefined ? 'Event' : `${marks[tone]} ${event.type}`,
    tone === 'failed' || tone === 'exhausted',
  )
  if (event !== undefined) return <EventView event={event} error={error} readAtMs={dataUpdatedAt} />
  return (
    <>
      <PageHeader title="Event" trail={<TextLink to="/events">Events</TextLink>} />
      {error === null ? <Skeleton lines={6} /> : <Problem error={error} onRetry={() => void refetch()} />}
    </>
  )
}

const isFinal = { delivered: true, exhausted: true, pending: false, failed: false } as const
const marks = { delivered: '✓', failed: '↻', pending: '◌', exhausted: '⊗', neutral: '·' } as const
