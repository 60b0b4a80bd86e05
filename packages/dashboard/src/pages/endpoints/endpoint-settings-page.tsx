import { getRouteApi } from '@tanstack/react-router'
import { EndpointFrame } from './endpoint-frame.tsx'

const route = getRouteApi('/signed-in/endpoints/$id/settings')

export function EndpointSettingsPage() {
  const { id } = route.useParams()
  return (
    <EndpointFrame id={id} page="Settings">
      {null}
    </EndpointFrame>
  )
}
