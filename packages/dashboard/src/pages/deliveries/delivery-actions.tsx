import type { Delivery, Webhook } from '@posthorn/contract'
import { ButtonLink } from '../../components/button-link.tsx'
import { CopyAsCurl } from './copy-as-curl.tsx'
import { RetryButton } from './retry-button.tsx'
import type { Retry } from './use-retry.ts'

export interface DeliveryActionsProps {
  readonly delivery: Delivery
  readonly endpoint: Webhook | undefined
  readonly body: string | null
  /** Null if the session is read-only. */
  readonly retry: Retry | null
}

/** The actions for one delivery. */
export function DeliveryActions({ delivery, endpoint, body, retry }: DeliveryActionsProps) {
  const sent = delivery.attempts?.toReversed().find(({ request_headers: headers }) => headers !== null)
  const headers = sent?.request_headers ?? null
  return (
    <>
      {endpoint !== undefined && headers !== null && body !== null && (
        <CopyAsCurl url={endpoint.url} headers={headers} body={body} />
      )}
      {headers !== null && (
        <ButtonLink to="/tools/signature" search={{ delivery: delivery.id }}>
          Open in debugger
        </ButtonLink>
      )}
      {retry !== null && <RetryButton delivery={delivery} endpoint={endpoint} retry={retry} hasShortcut />}
    </>
  )
}
