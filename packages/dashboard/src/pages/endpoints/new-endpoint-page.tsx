import type { Webhook, WebhookCreated } from '@posthorn/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { usePageTitle } from '../../app/page-title.ts'
import { useMayChange } from '../../app/session.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { NewEndpointForm } from './new-endpoint-form.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { SendTest } from '../../components/send-test.tsx'

/** Adds an endpoint. Its secret is only in this component's state. */
export function NewEndpointPage() {
  const navigate = useNavigate()
  const mayChange = useMayChange()
  const [created, setCreated] = useState<WebhookCreated | null>(null)
  usePageTitle('Add an endpoint')

  const finish = (id: string): void => {
    setCreated(null)
    void navigate({ to: '/endpoints/$id', params: { id }, replace: true })
  }
  return (
    <>
      <PageHeader title="Add an endpoint" trail={<TextLink to="/endpoints">Endpoints</TextLink>} />
      {mayChange ? (
        <NewEndpointForm onCreated={setCreated} />
      ) : (
        <p>This key may only read. To add an endpoint, use a key with the send scope.</p>
      )}
      {created !== null && created.secret !== null && (
        <NewSecretDialog webhook={created} secret={created.secret} onDone={() => finish(created.id)} />
      )}
    </>
  )
}

interface NewSecretDialogProps {
  readonly webhook: Pick<Webhook, 'id' | 'url' | 'status'>
  readonly secret: string
  readonly onDone: () => void
}

/** The secret of a new endpoint, with a button to try it. */
function NewSecretDialog({ webhook, secret, onDone }: NewSecretDialogProps) {
  const path = URL.parse(webhook.url)?.pathname
  return (
    <SecretDialog secret={secret} onDone={onDone} {...(path !== undefined && { path })}>
      <section aria-label="Now try it" className="space-y-2 border-t border-line pt-4">
        {webhook.status === 'enabled' ? (
          <>
            <p className="text-ink-2">
              Now try it. If your receiver does not have the secret yet, it answers 401. In that case, send
              another test event.
            </p>
            <SendTest webhookId={webhook.id} label="Send test event" />
          </>
        ) : (
          <p className="text-ink-2">It is disabled. Enable it to send a test event.</p>
        )}
      </section>
    </SecretDialog>
  )
}
