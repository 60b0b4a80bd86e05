import type { Event } from '@posthorn/contract'
import { useLive } from '../../api/use-live.ts'
import { EmailLink } from '../../components/email-link.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { Time } from '../../components/time.tsx'
import { eventReason } from '../../words/event-reason.ts'
import { recipientsWords } from '../../words/recipients-words.ts'

const shownMax = 5

/** The latest emails that bounced: recipient, reason and time. */
export function LatestBounces() {
  const { data, error, refetch } = useLive({
    key: ['events', 'latest-bounces'],
    load: async (call, signal) =>
      (await call('listEvents', { query: { type: 'email.bounced', limit: shownMax }, signal })).data,
    everyMs: 15_000,
  })
  return (
    <section aria-labelledby="latest-bounces" className="min-w-0">
      <div className="mb-2 flex min-h-8 items-center gap-x-3">
        <h2 id="latest-bounces">Latest bounces</h2>
        {data !== undefined && data.length > 0 && (
          <TextLink to="/events" search={{ type: 'email.bounced' }}>
            All bounces
          </TextLink>
        )}
      </div>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={shownMax} linePx={52} />}
      {data?.length === 0 && <p className="text-ink-2">No email has bounced.</p>}
      <ul>
        {data?.map(event => (
          <Bounce key={event.id} event={event} />
        ))}
      </ul>
    </section>
  )
}

function Bounce({ event }: { event: Event }) {
  const { id, data, created_at: at } = event
  return (
    <li className="border-t border-line py-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <TextLink to="/events/$id" params={{ id }} title={data.to.join(', ')} className="min-w-0 truncate">
          <bdi>{recipientsWords(data.to)}</bdi>
        </TextLink>
        <span className="text-label text-ink-3">
          <Time at={at} />
        </span>
      </div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-label text-ink-2">
        <span>{eventReason(event) ?? 'No reason given'}</span>
        <EmailLink emailId={data.email_id} />
      </div>
    </li>
  )
}
