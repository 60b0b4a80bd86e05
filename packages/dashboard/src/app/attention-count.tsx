import { useEndpointHealth } from '../api/use-endpoint-health.ts'
import { needsAttention } from '../words/needs-attention.ts'

/** How many endpoints need attention; nothing if none does. */
export function AttentionCount() {
  const health = useEndpointHealth()
  const count = health.data?.filter(needsAttention).length ?? 0
  if (count === 0) return null
  return (
    <span className="rounded-small bg-failed-tint px-1.5 text-label text-failed">
      {count}
      <span className="sr-only"> need attention</span>
    </span>
  )
}
