import type { OutcomeStats } from '@posthorn/contract'
import { TextLink } from '../components/text-link.tsx'
import { formatCount } from '../format/numbers.ts'
import { type OutcomeReason, outcomeReasons, outcomeReasonsSummary } from '../words/outcome-reasons.ts'
import { ChartFrame } from './chart-frame.tsx'
import { ChartTable } from './chart-table.tsx'
import { Legend, LegendEntry } from './legend.tsx'
import { RankedBars, walkBars } from './ranked-bars.tsx'

export interface OutcomeReasonsChartProps {
  readonly outcomes: OutcomeStats
  /** The same one range earlier; null: not recorded. */
  readonly earlier: OutcomeStats | null | undefined
  readonly since: string
  /** Such as `the last 24 hours`. */
  readonly span: string
}

const heightLook = 'min-h-40 wide:min-h-48'

const looks: Record<OutcomeReason['type'], string> = {
  'email.bounced': 'hatched',
  'email.failed': 'bg-c-failed',
}

/** Why emails did not arrive: one bar for each reason, longest first; each links to its events. */
export function OutcomeReasonsChart({ outcomes, earlier, since, span }: OutcomeReasonsChartProps) {
  const reasons = outcomeReasons(outcomes, earlier)
  return (
    <ChartFrame
      title="Why emails do not arrive"
      legend={
        reasons.length > 0 && (
          <Legend>
            <LegendEntry look="hatched" word="Bounced" />
            <LegendEntry look="bg-c-failed" word="Failed" />
          </Legend>
        )
      }
      picture={
        <RankedBars
          summary={outcomeReasonsSummary(reasons, span)}
          heightLook={heightLook}
          bars={reasons.map(({ type, code, label, count, before }) => ({
            key: `${type} ${code}`,
            count,
            look: looks[type],
            ...(before !== null && { note: `before ${formatCount(before)}` }),
            name: (
              <TextLink to="/events" search={{ type, reason: code, since }} title={code} onKeyDown={walkBars}>
                {label}
              </TextLink>
            ),
          }))}
        />
      }
      table={
        <ChartTable
          label="Why emails do not arrive"
          heightLook={heightLook}
          columns={['Reason', 'Code', 'Emails', 'Before']}
          rows={() =>
            reasons.map(({ type, code, label, count, before }) => ({
              key: `${type} ${code}`,
              cells: [
                <TextLink key="reason" to="/events" search={{ type, reason: code, since }}>
                  {label}
                </TextLink>,
                <code key="code">{code}</code>,
                formatCount(count),
                formatCount(before),
              ],
            }))
          }
        />
      }
    />
  )
}
