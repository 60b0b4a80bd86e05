import type { Account, PortalSessionCreated } from '@posthorn/contract'
import { defaultPortalScopes } from '@posthorn/contract/plain'
import { type FormEvent, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { otherError } from '../../words/form-errors.ts'
import { ChangeButton } from './change-button.tsx'
import { firstLinkWishes, type LinkWishes, linkBody } from './link-wishes.ts'
import { PortalLinkOptions } from './portal-link-options.tsx'

export interface PortalLinkFormProps {
  readonly account: Account
  readonly onMade: (link: PortalSessionCreated) => void
}

/** Creates a portal link with one click; a second button shows the options. */
export function PortalLinkForm({ account, onMade }: PortalLinkFormProps) {
  const { call } = useApi()
  const [wishes, setWishes] = useState<LinkWishes>(firstLinkWishes)
  const [error, setError] = useState<Error | null>(null)
  const [busy, setBusy] = useState(false)

  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setError(null)
    try {
      onMade(await call('createPortalSession', { body: linkBody(account.id, wishes, Date.now()) }))
    } catch (cause) {
      setError(cause instanceof Error ? cause : new Error(String(cause)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={event => void create(event)} className="max-w-180 space-y-3">
      <div className="flex flex-wrap items-center gap-3">
        <ChangeButton kind="primary" type="submit" busy={busy} disabled={wishes.scopes.length === 0}>
          Create portal link
        </ChangeButton>
        <span className="text-ink-2">{summary(wishes)}</span>
      </div>
      <PortalLinkOptions wishes={wishes} error={error} onChange={setWishes} />
      <ActionProblem error={otherError(error, ['/allowed_origins', '/name', '/logo_url'])} />
    </form>
  )
}

function summary({ scopes, durationLabel, origins }: LinkWishes): string {
  const isUsual = scopes.length === 2 && defaultPortalScopes.every(scope => scopes.includes(scope))
  const may = isUsual
    ? 'can read and change'
    : scopes.length === 0
      ? 'no scopes'
      : `scopes: ${scopes.join(', ')}`
  return `${may}, lasts ${durationLabel}, ${origins.trim() === '' ? 'not for embedding' : 'also for embedding'}`
}
