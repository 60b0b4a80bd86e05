import { getRouteApi } from '@tanstack/react-router'
import { CircleCheck, CircleDashed, OctagonX, TriangleAlert } from 'lucide-react'
import { useWebhook } from '../../api/use-webhook.ts'
import { useMayChange } from '../../app/session.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { CheckResult } from './check-result.tsx'
import { EndpointFrame } from './endpoint-frame.tsx'
import { type PastCheck, useEndpointChecks } from './use-endpoint-checks.ts'
import { Time } from '../../components/time.tsx'
import { checkWords } from '../../words/check-words.ts'

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
          <div className="space-y-2 text-ink-2">
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

const marks = {
  delivered: { icon: CircleCheck, look: 'text-delivered', word: 'Good' },
  failed: { icon: TriangleAlert, look: 'text-failed', word: 'Warning' },
  exhausted: { icon: OctagonX, look: 'text-exhausted', word: 'Problem' },
} as const

/** Earlier checks of this visit, which are not stored anywhere. */
function PastChecks({ past }: { past: readonly PastCheck[] }) {
  return (
    <section aria-label="Earlier checks" className="space-y-1">
      <h2>Earlier checks</h2>
      <p className="text-label text-ink-3">They stay on this page only until you leave or reload it.</p>
      <ul>
        {past.map(({ at, check }) => {
          const { tone, headline } = checkWords(check)
          const { icon: Icon, look, word } = marks[tone]
          return (
            <li key={at} className="flex min-h-(--row-height) items-center gap-3 border-b border-line py-1">
              <Icon size={16} role="img" aria-label={word} className={`shrink-0 ${look}`} />
              <Time at={at} />
              <span>{headline}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
