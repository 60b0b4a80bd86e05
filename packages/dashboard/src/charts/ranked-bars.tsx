import { scaleLinear } from '@visx/scale'
import type { ReactNode } from 'react'
import { formatCount } from '../format/numbers.ts'

export interface RankedBar {
  readonly key: string
  /** A link to what the bar counts; give it `onKeyDown={walkBars}`. */
  readonly name: ReactNode
  readonly count: number
  /** Text under the bar. */
  readonly note?: ReactNode
  /** Classes of the bar: `bg-c-failed`. */
  readonly look: string
}

export interface RankedBarsProps {
  /** A sentence about the bars; it is the accessible name of the list. */
  readonly summary: string
  /** The longest first. */
  readonly bars: readonly RankedBar[]
  readonly heightLook: string
}

const shownMax = 5

/** Bars for the most frequent of many things; the others are a sum. */
export function RankedBars({ summary, bars, heightLook }: RankedBarsProps) {
  if (bars.length === 0) return <p className="text-ink-2">{summary}</p>
  const share = scaleLinear<number>({ domain: [0, bars[0]?.count ?? 1], range: [0, 100] })
  const rest = bars.slice(shownMax)
  return (
    <div className={`overflow-y-auto ${heightLook}`}>
      <ul aria-label={summary} className="space-y-1">
        {bars.slice(0, shownMax).map(({ key, name, count, note, look }) => (
          <li key={key} className="relative py-0.5 hover:bg-sunken">
            <div className="flex items-baseline gap-2">
              <div className="min-w-0 flex-1">{name}</div>
              {note !== undefined && <span className="text-label text-ink-3">{note}</span>}
              <span>{formatCount(count)}</span>
            </div>
            <div aria-hidden className={`h-2 ${look}`} style={{ width: `${share(count)}%` }} />
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <p className="text-label text-ink-3">
          {formatCount(rest.reduce((sum, { count }) => sum + count, 0))} for {rest.length} other reasons
        </p>
      )}
    </div>
  )
}

/** The up and down keys move from bar to bar. */
export function walkBars(event: React.KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const links = [...(event.currentTarget.closest('ul')?.querySelectorAll('a') ?? [])]
  const at = links.findIndex(link => link === event.currentTarget)
  event.preventDefault()
  links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus()
}
