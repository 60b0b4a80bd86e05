import type { Stats } from '@posthorn/contract'
import { scaleLinear } from '@visx/scale'
import { TextLink } from '../components/text-link.tsx'
import { formatCount } from '../format/numbers.ts'
import { type Reason, reasonsOf, reasonSummary } from '../words/chart-words.ts'
import { ChartFrame } from './chart-frame.tsx'
import { ChartTable } from './chart-table.tsx'

const heightLook = 'h-40 wide:h-52'
const shownMax = 5

/** Why attempts failed: one bar for each error code, longest first; each links to its deliveries. */
export function ReasonsChart({ stats, span }: { stats: Stats; span: string }) {
  const reasons = reasonsOf(stats.total.by_error)
  const { since } = stats
  return (
    <ChartFrame
      title="Why they fail"
      picture={<ReasonBars reasons={reasons} since={since} span={span} />}
      table={
        <ChartTable
          label="Why they fail"
          heightLook={heightLook}
          columns={['Reason', 'Code', 'Attempts']}
          rows={reasons.map(({ code, label, count }) => ({
            key: code,
            cells: [
              <TextLink key="reason" to="/deliveries" search={{ error: code, since }}>
                {label}
              </TextLink>,
              <code key="code">{code}</code>,
              formatCount(count),
            ],
          }))}
        />
      }
    />
  )
}

function ReasonBars({ reasons, since, span }: { reasons: readonly Reason[]; since: string; span: string }) {
  const summary = reasonSummary(reasons, span)
  if (reasons.length === 0) return <p className={`text-ink-2 ${heightLook}`}>{summary}</p>
  const share = scaleLinear<number>({ domain: [0, reasons[0]?.count ?? 1], range: [0, 100] })
  const rest = reasons.slice(shownMax)
  return (
    <div className={`overflow-y-auto ${heightLook}`}>
      <ul aria-label={summary} className="space-y-1">
        {reasons.slice(0, shownMax).map(({ code, label, count }) => (
          <li key={code} className="relative rounded-small px-1 py-0.5 hover:bg-sunken">
            <div className="flex justify-between gap-2">
              <TextLink to="/deliveries" search={{ error: code, since }} title={code} onKeyDown={walk}>
                {label}
              </TextLink>
              <span>{formatCount(count)}</span>
            </div>
            <svg aria-hidden width="100%" height={8} className="block">
              <rect width={`${share(count)}%`} height={8} className="fill-c-failed" />
            </svg>
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <p className="px-1 text-label text-ink-3">
          {formatCount(rest.reduce((sum, { count }) => sum + count, 0))} for {rest.length} other reasons
        </p>
      )}
    </div>
  )
}

/** The up and down keys move from reason to reason. */
function walk(event: React.KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const links = [...(event.currentTarget.closest('ul')?.querySelectorAll('a') ?? [])]
  const at = links.findIndex(link => link === event.currentTarget)
  event.preventDefault()
  links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus()
}
