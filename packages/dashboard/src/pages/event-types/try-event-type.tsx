import type { EventType, Webhook } from '@posthorn/contract'
import { useState } from 'react'
import { useWebhooks } from '../../api/use-webhooks.ts'
import { SelectField } from '../../components/field.tsx'
import { SendTest } from '../../components/send-test.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { endpointName } from '../../words/endpoint-name.ts'

/** Sends a sample of this type to a chosen endpoint and follows its delivery. */
export function TryEventType({ type }: { type: EventType }) {
  const webhooks = useWebhooks()
  const [chosenId, setChosenId] = useState<string | null>(null)
  const open = webhooks.data?.filter(webhook => webhook.status === 'enabled') ?? []
  const chosen = open.find(webhook => webhook.id === chosenId) ?? open[0]
  return (
    <section className="space-y-3">
      <h2>Send a test</h2>
      {webhooks.data !== undefined && chosen === undefined && (
        <p className="text-ink-2">
          {webhooks.data.length === 0 ? 'No endpoint yet. ' : 'Every endpoint is disabled. '}
          {webhooks.data.length === 0 ? (
            <TextLink to="/endpoints/new">Add endpoint</TextLink>
          ) : (
            <TextLink to="/endpoints">See why</TextLink>
          )}
        </p>
      )}
      {chosen !== undefined && webhooks.data !== undefined && (
        <>
          <SelectField
            label="Endpoint"
            hint="The endpoint gets this event even if it does not subscribe to the type."
            value={chosen.id}
            onChange={event => setChosenId(event.target.value)}
          >
            {webhooks.data.map(webhook => (
              <option key={webhook.id} value={webhook.id} disabled={webhook.status === 'disabled'}>
                {nameOf(webhook)}
              </option>
            ))}
          </SelectField>
          <SendTest key={`${chosen.id} ${type}`} webhookId={chosen.id} type={type} label={`Send ${type}`} />
        </>
      )}
    </section>
  )
}

function nameOf(webhook: Webhook): string {
  const name = endpointName(webhook)
  return webhook.status === 'disabled' ? `${name} (disabled)` : name
}
