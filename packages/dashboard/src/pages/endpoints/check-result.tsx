import type { Webhook } from '@posthorn/contract'
import { useEffect } from 'react'
import { phaseSpans } from '../../charts/phase-spans.ts'
import { announce } from '../../app/announce.ts'
import { CheckList } from '../../components/check-list.tsx'
import { PhaseBar } from '../../components/phase-bar.tsx'
import { Time } from '../../components/time.tsx'
import { Verdict } from '../../components/verdict.tsx'
import { checkWords, totalMs } from '../../words/check-words.ts'
import { CheckRemedyAction } from './check-remedy-action.tsx'
import type { PastCheck } from './use-endpoint-checks.ts'

/** What a check found, what to do about it, and where the time went. */
export function CheckResult({ past, webhook }: { past: PastCheck; webhook: Webhook }) {
  const { at, check } = past
  const { tone, headline } = checkWords(check)
  const tookMs = totalMs(check)
  useEffect(() => announce(`Check: ${headline}`), [headline])
  return (
    <div className="space-y-5">
      <Verdict label="Check" tone={tone} headline={headline}>
        <p>
          Checked at <Time at={at} relative />
        </p>
      </Verdict>
      <CheckList
        label="What was found"
        items={[
          tookMs === null
            ? { state: 'unknown', text: 'It did not answer.' }
            : { state: 'good', text: 'It was reached and answered.' },
          verifiesItem(check.verifies),
          ...check.findings.map(finding => ({
            state: finding.severity === 'critical' ? ('bad' as const) : ('warning' as const),
            text: finding.message,
            action: <CheckRemedyAction finding={finding} webhook={webhook} />,
          })),
        ]}
      />
      {tookMs !== null && (
        <section aria-label="Where the time went" className="max-w-170 space-y-1">
          <h2>Where the time went</h2>
          <PhaseBar
            spans={phaseSpans({ phases: check.phases, duration_ms: tookMs, status_code: 200, error: null })}
            scaleMs={tookMs}
          />
        </section>
      )}
    </div>
  )
}

function verifiesItem(verifies: boolean | null): { state: 'good' | 'bad' | 'unknown'; text: string } {
  if (verifies === null) return { state: 'unknown', text: 'We could not see whether it checks signatures.' }
  return verifies
    ? { state: 'good', text: 'It accepted the right signature and refused the wrong one.' }
    : { state: 'bad', text: 'It does not check signatures.' }
}
