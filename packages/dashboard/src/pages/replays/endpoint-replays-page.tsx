import { getRouteApi } from '@tanstack/react-router'
import { useWebhook } from '../../api/use-webhook.ts'
import { useWebhookHealth } from '../../api/use-webhook-health.ts'
import { useMayChange } from '../../app/session.ts'
import { EndpointFrame } from '../endpoints/endpoint-frame.tsx'
import { EarlierReplays } from './earlier-replays.tsx'
import { NewReplay } from './new-replay.tsx'

const route = getRouteApi('/signed-in/endpoints/$id/replays')

/** Starts a replay for one endpoint, and lists earlier ones. */
export function EndpointReplaysPage() {
  const { id } = route.useParams()
  const { webhook } = useWebhook(id)
  const { health } = useWebhookHealth(id)
  const mayChange = useMayChange()
  return (
    <EndpointFrame id={id} page="Replays">
      {mayChange && webhook?.status === 'enabled' && <NewReplay webhook={webhook} health={health} />}
      {mayChange && webhook?.status === 'disabled' && (
        <p className="mb-8 text-ink-2">
          We send nothing to a disabled endpoint. Enable it first: waiting deliveries then go out
          automatically, and you can replay exhausted ones.
        </p>
      )}
      <EarlierReplays webhookId={id} />
    </EndpointFrame>
  )
}
