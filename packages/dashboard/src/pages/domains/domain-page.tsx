import { getRouteApi } from '@tanstack/react-router'
import { useLive } from '../../api/use-live.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { domainWords } from '../../words/domain-words.ts'
import { DomainView } from './domain-view.tsx'

const route = getRouteApi('/signed-in/domains/$id')

const marks = { delivered: '✓', failed: '⚠', pending: '◌' } as const

/** Whether one domain's mail is signed, and what to publish. */
export function DomainPage() {
  const { id } = route.useParams()
  const {
    data: domain,
    error,
    refetch,
    dataUpdatedAt,
  } = useLive({
    key: ['domains', id],
    load: async (call, signal) => await call('getSendingDomain', { params: { id }, signal }),
    everyMs: 15_000,
  })
  usePageTitle(domain === undefined ? 'Domain' : `${marks[domainWords(domain).tone]} ${domain.name}`)
  if (domain !== undefined)
    return <DomainView key={id} domain={domain} error={error} readAtMs={dataUpdatedAt} />
  return (
    <>
      <PageHeader title="Domain" trail={<TextLink to="/domains">Domains</TextLink>} />
      {error === null ? <Skeleton lines={6} /> : <Problem error={error} onRetry={() => void refetch()} />}
    </>
  )
}
