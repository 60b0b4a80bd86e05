import type { Delivery, Webhook } from '@posthorn/contract'
import { useMayChange } from '../../app/session.ts'
import { ButtonLink } from '../../components/button-link.tsx'
import { UseThatUrl } from './use-that-url.tsx'

export interface VerdictActionProps {
  readonly delivery: Delivery
  readonly endpoint: Webhook | undefined
}

/** The button for the next step, if the dashboard has one. */
export function VerdictAction({ delivery, endpoint }: VerdictActionProps) {
  const mayChange = useMayChange()
  const last = delivery.attempts?.at(-1)
  if (delivery.state === 'delivered' || last === undefined || last.outcome === 'delivered') return null
  if (last.status_code === 401) {
    return (
      <ButtonLink kind="primary" to="/tools/signature" search={{ delivery: delivery.id }}>
        Open in debugger
      </ButtonLink>
    )
  }
  if (endpoint === undefined || !mayChange) return null
  if (last.error?.code === 'redirect_refused') {
    return <UseThatUrl endpoint={endpoint} location={last.response_headers?.['location']} />
  }
  if (last.status_code === 429) {
    return (
      <ButtonLink to="/endpoints/$id/settings" params={{ id: endpoint.id }}>
        Set a rate limit
      </ButtonLink>
    )
  }
  return null
}
