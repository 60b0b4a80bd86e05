import type { Webhook, WebhookHealth } from '@posthorn/contract'
import type { EndpointFilters } from '../../app/endpoint-filters.ts'
import { needsAttention } from '../../words/needs-attention.ts'

/** An endpoint with its health, as a row of the list. */
export interface ListedEndpoint {
  readonly webhook: Webhook
  readonly health: WebhookHealth
}

/**
 * Endpoints with their health; undefined until both answers are there. An endpoint created or deleted between the
 * two answers is left out.
 */
export function listedEndpoints(
  webhooks: readonly Webhook[] | undefined,
  healths: readonly WebhookHealth[] | undefined,
): ListedEndpoint[] | undefined {
  if (webhooks === undefined || healths === undefined) return undefined
  const byId = new Map(healths.map(health => [health.webhook_id, health]))
  return webhooks.flatMap(webhook => {
    const health = byId.get(webhook.id)
    return health === undefined ? [] : [{ webhook, health }]
  })
}

/** Those that need attention first; newest first within a group. */
export function byNeed(endpoints: readonly ListedEndpoint[]): ListedEndpoint[] {
  return endpoints.toSorted((a, b) => rankOf(a.health) - rankOf(b.health) || sinceMs(a) - sinceMs(b))
}

/** The endpoints that match the text and the filter. */
export function narrowed(
  endpoints: readonly ListedEndpoint[],
  { q = '', show }: EndpointFilters,
): ListedEndpoint[] {
  const wanted = q.trim().toLowerCase()
  return endpoints.filter(
    ({ webhook, health }) =>
      isShown(health, show) &&
      (webhook.url.toLowerCase().includes(wanted) || webhook.description.toLowerCase().includes(wanted)),
  )
}

export function isShown(health: WebhookHealth, show: EndpointFilters['show']): boolean {
  if (show === undefined) return true
  return show === 'attention' ? needsAttention(health) : health.state === 'disabled'
}

function rankOf(health: WebhookHealth): number {
  if (health.state === 'disabled') return health.disabled_reason === 'manual' ? 4 : 0
  if (health.state === 'failing') return 1
  if (health.state === 'degraded') return 2
  if (needsAttention(health)) return 3
  return health.state === 'quiet' ? 5 : 6
}

/** The one that has failed longest comes first. */
function sinceMs({ health }: ListedEndpoint): number {
  return health.failing_since === null ? 0 : Date.parse(health.failing_since)
}
