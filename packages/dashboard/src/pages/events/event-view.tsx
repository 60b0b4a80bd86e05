import type { Event } from '@posthorn/contract'
import { BodyView } from '../../components/body-view.tsx'
import { EmailLink } from '../../components/email-link.tsx'
import { Crumbs } from '../../components/crumbs.tsx'
import { Id } from '../../components/id.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { Time } from '../../components/time.tsx'
import { eventBody } from '../../format/event-body.ts'
import { recipientsWords } from '../../words/recipients-words.ts'
import { EventDeliveries } from './event-deliveries.tsx'
import { EventOutcomePanel } from './event-outcome-panel.tsx'
import { EventVerdictPanel } from './event-verdict-panel.tsx'

export interface EventViewProps {
  readonly event: Event
  /** Why the shown data could not be refreshed. */
  readonly error: Error | null
  readonly readAtMs: number
}

/** One event: what happened to the email, who received the webhook, and its exact body. */
export function EventView({ event, error, readAtMs }: EventViewProps) {
  const { id, type, data, created_at: createdAt, erased_at: erasedAt, deliveries = [] } = event
  return (
    <div className="space-y-4">
      <PageHeader
        trail={
          <Crumbs>
            <TextLink to="/events">Events</TextLink>
            <Id id={id} what="event id" />
          </Crumbs>
        }
        title={
          <>
            {type}
            {data.to.length > 0 && (
              <>
                {' to '}
                <bdi className="wrap-anywhere" title={data.to.join(', ')}>
                  {recipientsWords(data.to)}
                </bdi>
              </>
            )}
          </>
        }
        aside={
          <span className="flex flex-wrap items-center gap-x-3">
            <EmailLink emailId={data.email_id} />
            <span>
              created <Time at={createdAt} withMs />
            </span>
          </span>
        }
      />
      {error !== null && <Problem error={error} readAtMs={readAtMs} />}
      <EventOutcomePanel event={event} />
      <section aria-label="Webhook" className="space-y-4">
        <h2>Webhook</h2>
        <EventVerdictPanel event={event} />
      </section>
      {deliveries.length > 0 && <EventDeliveries deliveries={deliveries} />}
      <section aria-labelledby="body" className="space-y-2">
        <h2 id="body">Body</h2>
        <p className="text-ink-2">
          {erasedAt === null
            ? 'Every endpoint receives exactly these bytes.'
            : 'These bytes replaced the body when its recipient was erased. We never send them.'}
        </p>
        <BodyView what="body of the event" body={eventBody(event)} />
      </section>
    </div>
  )
}
