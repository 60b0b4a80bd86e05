import type { WebhookCreated } from '@posthorn/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { usePageTitle } from '../../app/page-title.ts'
import { useMayChange } from '../../app/session.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { NewEndpointForm } from './new-endpoint-form.tsx'
import { NewSecretDialog } from './new-secret-dialog.tsx'

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
