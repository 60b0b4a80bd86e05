import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useEndpointHealth } from '../../api/use-endpoint-health.ts'
import { useWebhooks } from '../../api/use-webhooks.ts'
import type { EndpointFilters } from '../../app/endpoint-filters.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { useMayChange, useSession } from '../../app/session.ts'
import { ButtonLink } from '../../components/button-link.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { needsAttention } from '../../words/needs-attention.ts'
import { slotWords } from '../../words/slot-words.ts'
import { EndpointFilterBar } from './endpoint-filter-bar.tsx'
import { EndpointList } from './endpoint-list.tsx'
import { byNeed, listedEndpoints, narrowed } from './listed-endpoint.ts'

const route = getRouteApi('/signed-in/endpoints')

/** The list of endpoints, with those that need attention first. */
export function EndpointsPage() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const mayChange = useMayChange()
  const { account } = useSession()
  const webhooks = useWebhooks()
  const health = useEndpointHealth()
  const endpoints = listedEndpoints(webhooks.data, health.data)
  const inNeed = endpoints?.filter(endpoint => needsAttention(endpoint.health)).length ?? 0
  usePageTitle(inNeed > 0 ? `(${inNeed}) Endpoints` : 'Endpoints', inNeed > 0)

  const error = webhooks.error ?? health.error
  const retry = (): void => void Promise.all([webhooks.refetch(), health.refetch()])
  const filter = (changed: EndpointFilters): void => void navigate({ search: changed, replace: true })
  const addLink = mayChange && (
    <ButtonLink to="/endpoints/new" kind="primary" icon={<Plus size={16} aria-hidden />}>
      Add endpoint
    </ButtonLink>
  )
  return (
    <>
      <PageHeader
        title="Endpoints"
        {...(account !== null &&
          endpoints !== undefined && { aside: slotWords(endpoints.length, account.max_endpoints) })}
        actions={endpoints?.length !== 0 && addLink}
      />
      {error !== null && (
        <Problem
          error={error}
          onRetry={retry}
          readAtMs={endpoints === undefined ? 0 : health.dataUpdatedAt}
        />
      )}
      {endpoints === undefined && error === null && <Skeleton lines={4} linePx={56} />}
      {endpoints?.length === 0 && (
        <EmptyState action={addLink}>
          No endpoint yet. Add an HTTPS URL, and we send it every bounce, delivery, failure and unsubscribe.
        </EmptyState>
      )}
      {endpoints !== undefined && endpoints.length > 0 && (
        <>
          <EndpointFilterBar filters={filters} endpoints={endpoints} onFilter={filter} />
          <EndpointList
            endpoints={narrowed(byNeed(endpoints), filters)}
            onClear={() => filter({})}
            readAtMs={health.dataUpdatedAt}
          />
        </>
      )}
    </>
  )
}
