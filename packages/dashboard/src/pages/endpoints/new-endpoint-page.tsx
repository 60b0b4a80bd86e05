import type { WebhookCreated } from '@posthorn/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { usePageTitle } from '../../app/page-title.ts'
import { useMayChange } from '../../app/session.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { NewEndpointForm } from './new-endpoint-form.tsx'
import { NewSecretDialog } from './new-secret-dialog.tsx'

/** Can we reach this URL, and what will you get. The secret of what is made lives in this component alone. */
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
      <PageHeader
        title="Add an endpoint"
        trail={
          <>
            <TextLink to="/endpoints">Endpoints</TextLink> /
          </>
        }
      />
      {mayChange ? (
        <NewEndpointForm onCreated={setCreated} />
      ) : (
        <p>This key may only read. Adding an endpoint takes one with the scope send.</p>
      )}
      {created !== null && created.secret !== null && (
        <NewSecretDialog webhook={created} secret={created.secret} onDone={() => finish(created.id)} />
      )}
    </>
  )
}
