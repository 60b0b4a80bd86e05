import { useMayChange } from '../../app/session.ts'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { SendTest } from '../../components/send-test.tsx'

export interface NoDeliveriesProps {
  readonly filterCount: number
  readonly onClear: () => void
  readonly endpointId: string | undefined
}

/** Why the list is empty, and what would fill it. */
export function NoDeliveries({ filterCount, onClear, endpointId }: NoDeliveriesProps) {
  const mayChange = useMayChange()
  if (filterCount > 0) {
    const on = filterCount === 1 ? '1 filter is on' : `${filterCount} filters are on`
    return (
      <EmptyState action={<Button onClick={onClear}>Clear</Button>}>No delivery matches. {on}.</EmptyState>
    )
  }
  if (!mayChange) return <EmptyState>Nothing sent yet.</EmptyState>
  return (
    <EmptyState
      action={
        endpointId === undefined ? (
          <ButtonLink to="/endpoints">Endpoints</ButtonLink>
        ) : (
          <SendTest webhookId={endpointId} label="Send a test event" kind="primary" />
        )
      }
    >
      Nothing sent yet.
    </EmptyState>
  )
}
