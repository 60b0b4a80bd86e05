import type { Delivery, Webhook } from '@posthorn/contract'
import type { ReactNode } from 'react'
import { Crumbs } from '../../components/crumbs.tsx'
import { EmailLink } from '../../components/email-link.tsx'
import { Id } from '../../components/id.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { formatCount } from '../../format/numbers.ts'
import { shortId } from '../../format/short-id.ts'
import { recipientsWords } from '../../words/recipients-words.ts'
import { endpointName } from '../../words/endpoint-name.ts'

export interface DeliveryHeaderProps {
  readonly delivery: Delivery
  readonly endpoint: Webhook | undefined
  readonly actions: ReactNode
}

/** The event and its recipients, with links to the event, email and endpoint. */
export function DeliveryHeader({ delivery, endpoint, actions }: DeliveryHeaderProps) {
  const { id, event_id: eventId, webhook_id: webhookId, event, sequence } = delivery
  return (
    <PageHeader
      trail={
        <Crumbs>
          <TextLink to="/endpoints">Endpoints</TextLink>
          {endpoint === undefined ? (
            <Id id={webhookId} what="endpoint id" copy={false} />
          ) : (
            <TextLink to="/endpoints/$id" params={{ id: webhookId }} title={endpoint.url}>
              <bdi>{endpointName(endpoint)}</bdi>
            </TextLink>
          )}
          <Id id={id} what="delivery id" />
        </Crumbs>
      }
      title={
        <>
          {event.type}
          {event.to.length > 0 && (
            <>
              {' to '}
              <bdi className="wrap-anywhere" title={event.to.join(', ')}>
                {recipientsWords(event.to)}
              </bdi>
            </>
          )}
        </>
      }
      aside={
        <span className="flex flex-wrap items-center gap-x-3">
          <TextLink to="/events/$id" params={{ id: eventId }} title={eventId}>
            event <code>{shortId(eventId)}</code>
          </TextLink>
          {event.email_id !== '' && <EmailLink emailId={event.email_id} />}
          <span>sequence {formatCount(sequence)}</span>
        </span>
      }
      actions={actions}
    />
  )
}
