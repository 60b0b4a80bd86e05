import type { Webhook, WebhookHealth } from '@posthorn/contract'
import { TriangleAlert } from 'lucide-react'
import { useNowMs } from '../../app/clock.ts'
import { usePreferences } from '../../app/preferences.ts'
import { useMayChange } from '../../app/session.ts'
import { ButtonLink } from '../../components/button-link.tsx'
import { HealthBadge } from '../../components/health-badge.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Verdict } from '../../components/verdict.tsx'
import { goneReplay } from '../../outages/replay-window.ts'
import { useReturn } from '../../outages/use-return.ts'
import { endpointWords } from '../../words/endpoint-words.ts'
import { drainWords } from '../../words/enable-words.ts'
import { endpointName } from '../../words/endpoint-name.ts'
import { goneWords } from '../../words/health-words.ts'
import { replayLabel } from '../../words/replay-words.ts'
import { EnableButton } from './enable-button.tsx'
import { EndpointNews, type News } from './endpoint-news.tsx'
import { RunCheckButton } from './run-check-button.tsx'
import { HostNote } from '../../components/host-note.tsx'
import { useDisabling } from './use-disabling.ts'
import { useLastAnswer } from './use-last-answer.ts'

export interface EndpointVerdictProps {
  readonly webhook: Webhook
  readonly health: WebhookHealth | undefined
  readonly news: News | null
  readonly onNews: (news: News) => void
}

const tones = {
  disabled: 'exhausted',
  failing: 'failed',
  degraded: 'failed',
  healthy: 'delivered',
  new: 'pending',
  quiet: 'neutral',
} as const

/** The health of an endpoint, since when and why, with the next step beside it. */
export function EndpointVerdict({ webhook, health, news, onNews }: EndpointVerdictProps) {
  const mayChange = useMayChange()
  const { zone } = usePreferences()
  const nowMs = useNowMs()
  const disabling = useDisabling(webhook.id, health)
  const answer = useLastAnswer(webhook.id, health)
  const returned = useReturn(webhook.id, health)
  if (health === undefined) return <Skeleton lines={1} linePx={56} />
  const back = returned?.back ?? null
  const { headline, detail } = endpointWords(
    health,
    endpointName(webhook),
    { disabling, back, answer },
    { zone, nowMs },
  )
  const gone = goneWords(health)
  const replay = goneReplay(health)
  const isByHand = health.state === 'disabled' && health.disabled_reason === 'manual'
  return (
    <div className="mb-4 space-y-2">
      <Verdict
        label="Health"
        tone={isByHand ? 'neutral' : tones[health.state]}
        headline={
          <>
            <HealthBadge health={health} /> {headline}
          </>
        }
        actions={
          mayChange &&
          (health.state === 'disabled' ? (
            <>
              <RunCheckButton webhookId={webhook.id} />
              <EnableButton
                webhookId={webhook.id}
                waiting={health.waiting_count}
                onEnabled={words => onNews({ words, status: 'enabled' })}
              />
            </>
          ) : (
            <>
              {(returned !== null || isOfferedReplay(health)) && (
                <ButtonLink
                  to="/endpoints/$id/replays"
                  params={{ id: webhook.id }}
                  {...(returned !== null && { search: returned.window })}
                >
                  Send them now
                </ButtonLink>
              )}
              {replay !== null && (
                <ButtonLink to="/endpoints/$id/replays" params={{ id: webhook.id }} search={replay}>
                  {replayLabel(health.gone)}
                </ButtonLink>
              )}
            </>
          ))
        }
      >
        <HostNote url={webhook.url} />
        {detail !== null && (
          <p>
            {detail} {health.state === 'disabled' && mayChange && drainWords(health)}
          </p>
        )}
        {gone !== null && <p>{gone}</p>}
        {health.warnings.filter(isNotSaidAlready).map(warning => (
          <p key={warning.code} className="flex gap-1.5 text-failed">
            <TriangleAlert size={16} role="img" aria-label="Warning" className="mt-0.5 shrink-0" />
            {warning.message}
          </p>
        ))}
      </Verdict>
      {news?.status === health.status && <EndpointNews words={news.words} />}
    </div>
  )
}

/** An endpoint that acknowledges some attempts would acknowledge others too. */
function isOfferedReplay({ state, waiting_count: waiting, last_due_at: lastDueAt }: WebhookHealth): boolean {
  return state === 'degraded' && waiting > 0 && lastDueAt !== null
}

/** The headline says why a disabled endpoint was disabled; the detail says until when we try a failing one. */
function isNotSaidAlready({ code }: WebhookHealth['warnings'][number]): boolean {
  return code !== 'disabled_failing' && code !== 'disabled_gone' && code !== 'failing_half_time'
}
