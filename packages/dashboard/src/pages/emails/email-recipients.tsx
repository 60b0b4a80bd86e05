import type { EmailRecipient, MailReply } from '@posthorn/contract'
import { EmailStateBadge } from '../../components/email-state-badge.tsx'
import { Sentences } from '../../components/sentence-text.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { shortId } from '../../format/short-id.ts'
import { ofOne } from '../../words/email-verdict.ts'
import { recipientFieldWords } from '../../words/email-words.ts'
import { isErased, recipientsWords } from '../../words/recipients-words.ts'
import { MailReplyView } from './mail-reply-view.tsx'
import { SuppressionsLink } from './suppressions-link.tsx'

export interface EmailRecipientsProps {
  readonly recipients: readonly EmailRecipient[]
  /** The causes from the events, by event id. */
  readonly causes: ReadonlyMap<string, string>
}

/** Every recipient, with the state and the reply that decided it. */
export function EmailRecipients({ recipients, causes }: EmailRecipientsProps) {
  return (
    <section aria-labelledby="recipients">
      <h2 id="recipients" className="mb-2">
        Recipients
      </h2>
      <ul className="border-t border-line">
        {recipients.map((recipient, place) => (
          // recipients keep their order, and an erased address is not unique
          <OneRecipient
            key={place}
            recipient={recipient}
            isOnly={recipients.length === 1}
            why={causes.get(recipient.event_id ?? '') ?? null}
          />
        ))}
      </ul>
    </section>
  )
}

interface OneRecipientProps {
  readonly recipient: EmailRecipient
  /** The verdict above says it already. */
  readonly isOnly: boolean
  /** The cause from the event. */
  readonly why: string | null
}

function OneRecipient({ recipient, isOnly, why }: OneRecipientProps) {
  const { address, field, state, reply, event_id: eventId } = recipient
  const { headline, facts } = ofOne(recipient)
  return (
    <li className="space-y-2 border-b border-line px-2 py-3">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="wide:w-32">
          <EmailStateBadge state={state} />
        </span>
        <span className="min-w-0 font-medium wrap-anywhere">
          {field !== 'to' && <span className="font-normal text-ink-3">{recipientFieldWords[field]} </span>}
          <bdi>{recipientsWords([address])}</bdi>
        </span>
        {eventId !== null && (
          <span className="wide:ml-auto">
            <TextLink to="/events/$id" params={{ id: eventId }} title={eventId}>
              event <code>{shortId(eventId)}</code>
            </TextLink>
          </span>
        )}
      </div>
      <div className="space-y-2 wide:pl-35">
        {!isOnly && (
          <p className="text-ink-2">
            {why ?? headline} <Sentences sentences={facts} />
          </p>
        )}
        {reply !== null && !saysTheSame(reply, why) && (
          <MailReplyView reply={reply} isOurs={state === 'queued' || state === 'handed_over'} />
        )}
        {(state === 'bounced' || state === 'failed') && !isErased(address) && (
          <SuppressionsLink address={address} />
        )}
      </div>
    </li>
  )
}

/** Whether there was no reply, so that the cause's text is shown instead. */
function saysTheSame({ code, enhanced_code: enhanced, message }: MailReply, why: string | null): boolean {
  return code === null && enhanced === null && why !== null && why.startsWith(message)
}
