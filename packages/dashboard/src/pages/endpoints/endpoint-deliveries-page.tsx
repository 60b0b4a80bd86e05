import { getRouteApi } from '@tanstack/react-router'
import { DeliveryList } from '../deliveries/delivery-list.tsx'
import { EndpointFrame } from './endpoint-frame.tsx'

const route = getRouteApi('/signed-in/endpoints/$id')

/** The deliveries of one endpoint. */
export function EndpointDeliveriesPage() {
  const { id } = route.useParams()
  return (
    <EndpointFrame id={id} page="Deliveries">
      <DeliveryList key={id} endpointId={id} />
    </EndpointFrame>
  )
}
