import { getRouteApi } from '@tanstack/react-router'
import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { stateWords } from '../../components/state-badge.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { DeliveryView } from './delivery-view.tsx'
import { useDelivery } from './use-delivery.ts'

const route = getRouteApi('/signed-in/deliveries/$id')

const marks = { delivered: '✓', failed: '↻', pending: '◌', exhausted: '⊗' } as const

/** The state of one delivery, its reason, and what to do next. */
export function DeliveryPage() {
  const { id } = route.useParams()
  const { data: delivery, error, refetch, dataUpdatedAt } = useDelivery(id)
  const state = delivery?.state
  usePageTitle(
    state === undefined ? 'Delivery' : `${marks[state]} ${stateWords[state]}: ${delivery?.event.type}`,
    state === 'failed' || state === 'exhausted',
  )
  if (delivery !== undefined)
    return <DeliveryView key={id} delivery={delivery} error={error} readAtMs={dataUpdatedAt} />
  return (
    <>
      <PageHeader title="Delivery" trail={<TextLink to="/deliveries">Deliveries</TextLink>} />
      {error === null ? <Skeleton lines={6} /> : <Problem error={error} onRetry={() => void refetch()} />}
    </>
  )
}
