import type { SendingDomain } from '@posthorn/contract'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { useMayChange } from '../../app/session.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { Crumbs } from '../../components/crumbs.tsx'
import { HostNote } from '../../components/host-note.tsx'
import { Id } from '../../components/id.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Sentences } from '../../components/sentence-text.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { Verdict } from '../../components/verdict.tsx'
import { domainWords } from '../../words/domain-words.ts'
import { DeleteDomain } from './delete-domain.tsx'
import { DomainBadge } from './domain-badge.tsx'
import { DomainRecords } from './domain-records.tsx'
import { OwnHosts } from './own-hosts.tsx'

export interface DomainViewProps {
  readonly domain: SendingDomain
  /** Why the shown data could not be refreshed. */
  readonly error: Error | null
  readonly readAtMs: number
}

/** One sending domain: whether its mail is signed, and each of its DNS records. */
export function DomainView({ domain, error, readAtMs }: DomainViewProps) {
  const mayChange = useMayChange()
  const check = useDomainCheck(domain.id)
  const { tone, headline, facts } = domainWords(domain)
  return (
    <div className="space-y-5">
      <PageHeader
        trail={
          <Crumbs>
            <TextLink to="/domains">Domains</TextLink>
            <Id id={domain.id} what="domain id" />
          </Crumbs>
        }
        title={<span className="wrap-anywhere">{domain.name}</span>}
      />
      {error !== null && <Problem error={error} readAtMs={readAtMs} />}
      <div className="space-y-2">
        <Verdict
          tone={tone}
          headline={
            <>
              <DomainBadge domain={domain} /> {headline}
            </>
          }
          actions={
            mayChange && (
              <Button
                kind="primary"
                icon={<RefreshCw size={16} aria-hidden />}
                busy={check.isPending}
                onClick={() => check.mutate()}
              >
                {check.isPending ? 'Checking' : 'Check now'}
              </Button>
            )
          }
        >
          <p>
            <Sentences sentences={facts} />
          </p>
        </Verdict>
        <ActionProblem error={check.error} />
      </div>
      <HostNote url={`https://${domain.name}`} />
      <DomainRecords records={domain.records} />
      {mayChange && <OwnHosts domain={domain} />}
      {mayChange && <DeleteDomain domain={domain} />}
    </div>
  )
}

/** Checks the DNS records of a domain and shows the result. */
function useDomainCheck(id: string): UseMutationResult<SendingDomain, Error, void> {
  const { call } = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async () => await call('checkSendingDomain', { params: { id } }),
    onSuccess: async domain => {
      // a request that is still under way has data from before the check
      await queries.cancelQueries({ queryKey: ['domains', id] })
      queries.setQueryData(['domains', id], domain)
      void queries.invalidateQueries({ queryKey: ['domains', 'list'] })
      announce(`Checked. ${domainWords(domain).headline}`)
    },
  })
}
