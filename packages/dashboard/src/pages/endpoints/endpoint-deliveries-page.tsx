import { getRouteApi } from '@tanstack/react-router'
import { useWebhook } from '../../api/use-webhook.ts'
import { useWebhookHealth } from '../../api/use-webhook-health.ts'
import { DeliveryList } from '../deliveries/delivery-list.tsx'
import { EndpointChart } from './endpoint-chart.tsx'
import { EndpointFigures } from './endpoint-figures.tsx'
import { EndpointFrame } from './endpoint-frame.tsx'

const route = getRouteApi('/signed-in/endpoints/$id')

/** The last 24 hours of one endpoint, and its deliveries. */
export function EndpointDeliveriesPage() {
  const { id } = route.useParams()
  const { webhook } = useWebhook(id)
  const { health } = useWebhookHealth(id)
  const isUsed = health !== undefined && health.last_attempt_at !== null
  return (
    <EndpointFrame id={id} page="Deliveries">
      {webhook !== undefined && isUsed && (
        <>
          <EndpointFigures webhook={webhook} health={health} />
          <EndpointChart webhook={webhook} waiting={health.waiting_count} />
        </>
      )}
      <DeliveryList key={id} endpointId={id} />
    </EndpointFrame>
  )
}
