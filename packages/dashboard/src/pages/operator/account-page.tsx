import type { Account } from '@posthorn/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useLive } from '../../api/use-live.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { Id } from '../../components/id.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { slotWords } from '../../words/slot-words.ts'
import { AccountAuditLog } from './account-audit-log.tsx'
import { AccountKeys } from './account-keys.tsx'
import { AccountPlan } from './account-plan.tsx'
import { AccountSending } from './account-sending.tsx'
import { AccountSources } from './account-sources.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { PortalLinks } from './portal-links.tsx'
import { SuspendedBadge } from './suspended-badge.tsx'

const route = getRouteApi('/signed-in/operator/accounts/$id')

/** One account: portal links, API keys, mail providers, plan, sending and audit log. */
export function AccountPage() {
  const { id } = route.useParams()
  const { data, error, isPending, refetch } = useLive({
    key: ['account', id],
    load: async (call, signal) => await call('getAccount', { params: { id }, signal }),
    everyMs: 15_000,
  })
  usePageTitle(data?.name ?? 'Account')
  return (
    <>
      <PageHeader
        trail={<TextLink to="/operator/accounts">Accounts</TextLink>}
        title={data?.name ?? 'Account'}
        aside={data !== undefined && <Aside account={data} />}
        actions={<Id id={id} what="account id" />}
      />
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {isPending && error === null && <Skeleton lines={8} />}
      {data !== undefined && <Sections key={data.id} account={data} />}
    </>
  )
}

function Aside({ account }: { account: Account }) {
  return (
    <>
      {slotWords(account.endpoint_count, account.max_endpoints)}
      {account.suspended_at !== null && (
        <>
          {' '}
          <SuspendedBadge />
        </>
      )}
    </>
  )
}

function Sections({ account }: { account: Account }) {
  return (
    <div className="space-y-10">
      <PortalLinks account={account} />
      <AccountKeys account={account} />
      <AccountSources account={account} />
      <AccountPlan account={account} />
      <AccountSending account={account} />
      <AccountAuditLog account={account} />
      <DeleteAccount account={account} />
    </div>
  )
}
