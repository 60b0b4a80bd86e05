import { getRouteApi } from '@tanstack/react-router'
import { EndpointFrame } from '../endpoints/endpoint-frame.tsx'
import { SigningKeys } from './signing-keys.tsx'

const route = getRouteApi('/signed-in/endpoints/$id/keys')

export function SigningKeysPage() {
  const { id } = route.useParams()
  return (
    <EndpointFrame id={id} page="Signing keys">
      <SigningKeys key={id} id={id} />
    </EndpointFrame>
  )
}
