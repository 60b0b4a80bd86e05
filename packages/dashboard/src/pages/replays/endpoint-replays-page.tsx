import { getRouteApi } from '@tanstack/react-router'
import { useWebhook } from '../../api/use-webhook.ts'
import { useWebhookHealth } from '../../api/use-webhook-health.ts'
import { useMayChange } from '../../app/session.ts'
import { EndpointFrame } from '../endpoints/endpoint-frame.tsx'
import { EarlierReplays } from './earlier-replays.tsx'
import { NewReplay } from './new-replay.tsx'

const route = getRouteApi('/signed-in/endpoints/$id/replays')

/** Sends deliveries of one endpoint again, and shows what was sent again before. */
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
          Nothing is sent to an endpoint that is disabled. Enable it: what waits goes out by itself, and what
          was given up can be replayed then.
        </p>
      )}
      <EarlierReplays webhookId={id} />
    </EndpointFrame>
  )
}
