import { useWebhooks } from '../../api/use-webhooks.ts'
import { useMayChange } from '../../app/session.ts'
import { ButtonLink } from '../../components/button-link.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { NoMatch } from '../../components/no-match.tsx'
import { SendTest } from '../../components/send-test.tsx'

export interface NoDeliveriesProps {
  readonly filterCount: number
  readonly onClear: () => void
  readonly endpointId: string | undefined
}

/** Why the list is empty, and what would fill it. */
export function NoDeliveries({ filterCount, onClear, endpointId }: NoDeliveriesProps) {
  const mayChange = useMayChange()
  if (filterCount > 0) return <NoMatch one="delivery" filterCount={filterCount} onClear={onClear} />
  if (!mayChange) return <EmptyState>Nothing sent yet.</EmptyState>
  return <EmptyState action={<FirstStep endpointId={endpointId} />}>Nothing sent yet.</EmptyState>
}

/** A test event to this endpoint, or to the newest enabled one; without any, a link to add the first. */
function FirstStep({ endpointId }: { endpointId: string | undefined }) {
  const webhooks = useWebhooks().data ?? []
  const webhookId = endpointId ?? webhooks.find(({ status }) => status === 'enabled')?.id
  if (webhookId !== undefined)
    return <SendTest webhookId={webhookId} label="Send a test event" kind="primary" />
  return (
    <ButtonLink kind="primary" to="/endpoints/new">
      Add endpoint
    </ButtonLink>
  )
}
