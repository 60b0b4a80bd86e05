import { type ReactNode, useState } from 'react'
import { useWebhookHealth } from '../../api/use-webhook-health.ts'
import { useWebhook } from '../../api/use-webhook.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { healthWordOf } from '../../components/health-badge.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TabLink, TabNav } from '../../components/tab-nav.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { endpointName } from '../../words/endpoint-name.ts'
import { needsAttention } from '../../words/needs-attention.ts'
import { EndpointActions } from './endpoint-actions.tsx'
import type { News } from './endpoint-news.tsx'
import { EndpointVerdict } from './endpoint-verdict.tsx'

export interface EndpointFrameProps {
  readonly id: string
  /** The name of the tab's page, for the title: `Signing keys`. */
  readonly page: string
  readonly children: ReactNode
}

/** The header of every page of one endpoint: name, URL, health and actions; the page is below. */
export function EndpointFrame({ id, page, children }: EndpointFrameProps) {
  const { webhook, error, retry } = useWebhook(id)
  // the result of the last action; it stays until another page of the endpoint opens
  const [news, setNews] = useState<News | null>(null)
  const { health, error: healthError } = useWebhookHealth(id, news?.status === 'enabled')
  // the page below loads its data meanwhile; it is shown once nothing above can move it
  const isKnown = webhook !== undefined && (health !== undefined || healthError !== null)
  const name = webhook === undefined ? 'Endpoint' : endpointName(webhook)
  const isInNeed = health !== undefined && needsAttention(health)
  usePageTitle(`${isInNeed ? `${healthWordOf(health)}: ` : ''}${name} · ${page}`, isInNeed)

  const trail = <TextLink to="/endpoints">Endpoints</TextLink>
  if (webhook === undefined && error !== null) {
    return (
      <>
        <PageHeader title="Endpoint" trail={trail} />
        <Problem error={error} onRetry={retry} />
      </>
    )
  }
  return (
    <>
      <PageHeader
        trail={trail}
        title={isKnown ? <bdi className="wrap-anywhere">{name}</bdi> : '…'}
        subtitle={isKnown && <Address url={webhook.url} />}
        actions={isKnown && <EndpointActions webhook={webhook} onNews={setNews} />}
      />
      {isKnown ? (
        <EndpointVerdict webhook={webhook} health={health} news={news} onNews={setNews} />
      ) : (
        <Skeleton lines={8} />
      )}
      <div hidden={!isKnown}>
        <EndpointTabs id={id} />
        {children}
      </div>
    </>
  )
}

function Address({ url }: { url: string }) {
  return (
    <p className="mt-0.5 flex items-center gap-1 text-ink-2">
      <code className="min-w-0 break-all" data-copy-source>
        {url}
      </code>
      <CopyButton text={url} what="URL" />
    </p>
  )
}

/** The pages of one endpoint. */
function EndpointTabs({ id }: { id: string }) {
  const params = { id }
  return (
    <TabNav label="Pages of this endpoint">
      <TabLink to="/endpoints/$id" params={params} activeOptions={{ exact: true, includeSearch: false }}>
        Deliveries
      </TabLink>
      <TabLink to="/endpoints/$id/keys" params={params}>
        Signing keys
      </TabLink>
      <TabLink to="/endpoints/$id/check" params={params}>
        Check
      </TabLink>
      <TabLink to="/endpoints/$id/replays" params={params}>
        Replays
      </TabLink>
      <TabLink to="/endpoints/$id/settings" params={params}>
        Settings
      </TabLink>
    </TabNav>
  )
}
