import { getRouteApi } from '@tanstack/react-router'
import { EndpointFrame } from './endpoint-frame.tsx'

const route = getRouteApi('/signed-in/endpoints/$id/check')

export function CheckPage() {
  const { id } = route.useParams()
  return (
    <EndpointFrame id={id} page="Check">
      {null}
    </EndpointFrame>
  )
}
