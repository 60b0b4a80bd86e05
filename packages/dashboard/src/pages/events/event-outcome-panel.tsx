import type { Event, EventType } from '@posthorn/contract'
import { EventTypeBadge } from '../../components/event-type-badge.tsx'
import { Time } from '../../components/time.tsx'
import { type Tone, Verdict } from '../../components/verdict.tsx'
import { visibleText } from '../../format/visible-text.ts'
import { eventCause, eventHeadline, eventReply } from '../../words/event-outcome.ts'
import { MailReplyView } from '../emails/mail-reply-view.tsx'

/** As in the badge of the type. */
const tones: Readonly<Record<EventType, Tone>> = {
  'email.delivered': 'delivered',
  'email.bounced': 'exhausted',
  'email.failed': 'failed',
  'email.unsubscribed': 'pending',
  'email.complained': 'pending',
  'email.deferred': 'failed',
  'email.suppressed': 'failed',
}

/** What happened to the email: type, reason, cause, time, and the reply of the mail server. */
export function EventOutcomePanel({ event }: { event: Event }) {
  const cause = eventCause(event)
  const reply = eventReply(event)
  const { occurred_at: occurredAt } = event.data
  return (
    <Verdict
      label="Email"
      tone={tones[event.type]}
      headline={
        <>
          <EventTypeBadge type={event.type} /> <bdi className="wrap-anywhere">{eventHeadline(event)}</bdi>
        </>
      }
    >
      <p>
        {cause !== null && (
          <>
            <bdi className="wrap-anywhere">{visibleText(cause)}</bdi>{' '}
          </>
        )}
        {typeof occurredAt === 'string' && (
          <>
            Happened <Time at={occurredAt} />.
          </>
        )}
      </p>
      {reply !== null && <MailReplyView reply={reply} isOurs={false} />}
    </Verdict>
  )
}
