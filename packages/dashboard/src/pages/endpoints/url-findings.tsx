import type { UrlCheck } from '@posthorn/contract'
import { CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import type { UrlKnowledge } from '../../api/use-url-check.ts'
import { useNowMs } from '../../app/clock.ts'
import { usePreferences } from '../../app/preferences.ts'
import { Button } from '../../components/button.tsx'
import { type CheckItem, CheckList } from '../../components/check-list.tsx'
import { formatDay } from '../../format/times.ts'
import { problemWords } from '../../words/problem-words.ts'
import { redirectWords } from '../../words/redirect-words.ts'
import { hostOf } from '../../words/url-words.ts'

export interface UrlFindingsProps {
  readonly url: string
  readonly knowledge: UrlKnowledge
  readonly onUse: (url: string) => void
}

/** What a check found about the typed URL. */
export function UrlFindings({ url, knowledge, onUse }: UrlFindingsProps) {
  return <div role="status">{contentOf(url, knowledge, onUse)}</div>
}

function contentOf(url: string, knowledge: UrlKnowledge, onUse: (url: string) => void): ReactNode {
  switch (knowledge.kind) {
    // the field itself shows a refusal
    case 'nothing':
    case 'refused':
      return null
    case 'checking':
      return (
        <p className="flex items-center gap-2 text-ink-2">
          <CircleDashed size={16} aria-hidden className="text-pending" />
          Checking {hostOf(url)}
        </p>
      )
    case 'unknown':
      return <p className="text-ink-2">Not checked. {problemWords(knowledge.error)}</p>
    case 'checked':
      return <Checked url={knowledge.url} check={knowledge.check} onUse={onUse} />
  }
}

function Checked({ url, check, onUse }: { url: string; check: UrlCheck; onUse: (url: string) => void }) {
  const { zone } = usePreferences()
  const nowMs = useNowMs()
  const until = check.tls === null ? null : formatDay(check.tls.valid_until, zone, nowMs)
  const passed: CheckItem[] = [
    ...(check.addresses_found === true ? [{ state: 'good', text: 'Found' } as const] : []),
    ...(check.connected === true ? [{ state: 'good', text: 'Connected' } as const] : []),
    ...(until === null ? [] : [{ state: 'good', text: `TLS until ${until}` } as const]),
  ]
  return (
    <div className="space-y-1.5">
      {passed.length > 0 && <CheckList label="Passed" items={passed} inline />}
      {check.findings.length > 0 && (
        <CheckList
          label="What was found"
          items={check.findings.map(finding =>
            finding.code === 'redirect_refused' && check.redirect_to !== null
              ? redirectItem(url, check.status_code, check.redirect_to, onUse)
              : { state: finding.severity === 'critical' ? 'bad' : 'warning', text: finding.message },
          )}
        />
      )}
    </div>
  )
}

function redirectItem(
  url: string,
  status: number | null,
  redirectTo: string,
  onUse: (url: string) => void,
): CheckItem {
  const { target, difference } = redirectWords(url, redirectTo)
  return {
    state: 'warning',
    text: (
      <>
        It answers {status} and redirects to <code className="break-all">{target}</code>. We do not follow
        redirects. {difference}
      </>
    ),
    action: <Button onClick={() => onUse(redirectTo)}>Use that URL</Button>,
  }
}
