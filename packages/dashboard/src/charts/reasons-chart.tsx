import type { Stats } from '@posthorn/contract'
import { TextLink } from '../components/text-link.tsx'
import { formatCount } from '../format/numbers.ts'
import { reasonsOf, reasonSummary } from '../words/chart-words.ts'
import { ChartFrame } from './chart-frame.tsx'
import { ChartTable } from './chart-table.tsx'
import { RankedBars, walkBars } from './ranked-bars.tsx'

const heightLook = 'h-40 wide:h-52'

/** Why attempts failed: one bar for each error code, longest first; each links to its deliveries. */
export function ReasonsChart({ stats, span }: { stats: Stats; span: string }) {
  const reasons = reasonsOf(stats.total.by_error)
  const { since } = stats
  return (
    <ChartFrame
      title="Why deliveries fail"
      picture={
        <RankedBars
          summary={reasonSummary(reasons, span)}
          heightLook={heightLook}
          bars={reasons.map(({ code, label, count }) => ({
            key: code,
            count,
            look: 'bg-c-failed',
            name: (
              <TextLink to="/deliveries" search={{ error: code, since }} title={code} onKeyDown={walkBars}>
                {label}
              </TextLink>
            ),
          }))}
        />
      }
      table={
        <ChartTable
          label="Why deliveries fail"
          heightLook={heightLook}
          columns={['Reason', 'Code', 'Attempts']}
          rows={() =>
            reasons.map(({ code, label, count }) => ({
              key: code,
              cells: [
                <TextLink key="reason" to="/deliveries" search={{ error: code, since }}>
                  {label}
                </TextLink>,
                <code key="code">{code}</code>,
                formatCount(count),
              ],
            }))
          }
        />
      }
    />
  )
}
