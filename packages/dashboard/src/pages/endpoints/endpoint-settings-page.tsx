import { getRouteApi } from '@tanstack/react-router'
import { useWebhook } from '../../api/use-webhook.ts'
import { useMayChange } from '../../app/session.ts'
import { Skeleton } from '../../components/skeleton.tsx'
import { DeleteEndpoint } from './delete-endpoint.tsx'
import { DisableEndpoint } from './disable-endpoint.tsx'
import { EndpointFrame } from './endpoint-frame.tsx'
import { EndpointSettingsForm } from './endpoint-settings-form.tsx'
import { EndpointSettingsList } from './endpoint-settings-list.tsx'

const route = getRouteApi('/signed-in/endpoints/$id/settings')

/** The URL, event types and rate of an endpoint, and the ways to disable or delete it. */
export function EndpointSettingsPage() {
  const { id } = route.useParams()
  const mayChange = useMayChange()
  const { webhook, error } = useWebhook(id)
  return (
    <EndpointFrame id={id} page="Settings">
      {webhook === undefined && error === null && <Skeleton lines={6} />}
      {webhook !== undefined && !mayChange && <EndpointSettingsList webhook={webhook} />}
      {webhook !== undefined && mayChange && (
        <div className="max-w-170 space-y-8">
          <EndpointSettingsForm key={webhook.id} webhook={webhook} />
          <DisableEndpoint webhook={webhook} />
          <DeleteEndpoint webhook={webhook} />
        </div>
      )}
    </EndpointFrame>
  )
}
