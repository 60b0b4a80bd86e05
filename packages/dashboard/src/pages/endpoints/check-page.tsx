import { getRouteApi } from '@tanstack/react-router'
import { CircleDashed } from 'lucide-react'
import { useWebhook } from '../../api/use-webhook.ts'
import { useMayChange } from '../../app/session.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { CheckResult } from './check-result.tsx'
import { EndpointFrame } from './endpoint-frame.tsx'
import { PastChecks } from './past-checks.tsx'
import { useEndpointChecks } from './use-endpoint-checks.ts'

const route = getRouteApi('/signed-in/endpoints/$id/check')

/** Whether the endpoint verifies signatures, and how fast it answers. */
export function CheckPage() {
  const { id } = route.useParams()
  const mayChange = useMayChange()
  const { webhook } = useWebhook(id)
  const { past, isRunning, error } = useEndpointChecks(id)
  const [latest, ...earlier] = past
  return (
    <EndpointFrame id={id} page="Check">
      <div className="space-y-6">
        {isRunning && (
          <p role="status" className="flex items-center gap-2">
            <CircleDashed size={16} aria-hidden className="text-pending" />
            Sending two requests: one with a wrong signature, one with the right one.
          </p>
        )}
        <ActionProblem error={error} />
        {latest !== undefined && webhook !== undefined && (
          <CheckResult key={latest.at} past={latest} webhook={webhook} />
        )}
        {latest === undefined && !isRunning && error === null && (
          <div className="space-y-2 py-6 text-ink-2">
            <p>
              A check sends two requests: one with a wrong signature, which your server should refuse, and one
              with the right one, which it should accept. Nothing is stored, retried or counted.
            </p>
            {!mayChange && <p>To run a check, use a key with the send scope.</p>}
          </div>
        )}
        {earlier.length > 0 && <PastChecks past={earlier} />}
      </div>
    </EndpointFrame>
  )
}
